package lead_test

import (
	"testing"

	"foyer/internal/lead"
)

// Whatever way a US number is written, it is kept as E.164.
func TestPhoneAsPeopleWriteIt(t *testing.T) {
	for _, written := range []string{
		"3055550123", "305-555-0123", "305.555.0123", "305 555 0123", "(305) 555-0123", "(305)5550123",
		"13055550123", "1-305-555-0123", "1 (305) 555-0123", "+13055550123", "+1 305 555 0123", "+1-305-555-0123",
		"+1 (305) 555.0123", "(+1) 305 555 0123", "+ 1 305 555 0123", "  305-555-0123\n",
	} {
		judge(t, "customer_phone", []verdict{
			{name: "JSON " + written, value: lead.Quoted(written), want: "+13055550123"},
			{name: "form " + written, value: lead.Typed(written), want: "+13055550123"},
		})
	}
}

func TestPhoneRefused(t *testing.T) {
	const no = "not a 10-digit US number" // the words of the published interface
	judge(t, "customer_phone", []verdict{
		{name: "nine digits", value: lead.Quoted("305-555-012"), wrong: no},
		{name: "seven digits", value: lead.Quoted("555-0123"), wrong: no},
		{name: "eleven digits that do not begin with 1", value: lead.Quoted("23055550123"), wrong: no},
		{name: "twelve digits", value: lead.Quoted("113055550123"), wrong: no},
		{name: "+1 and nine digits", value: lead.Quoted("+1305555012"), wrong: no},
		{name: "+1 and eleven digits", value: lead.Quoted("+1 1305 555 0123"), wrong: no},
		{name: "a plus without the 1", value: lead.Quoted("+3055550123"), wrong: no},
		{name: "another country", value: lead.Quoted("+44 20 7946 0123"), wrong: no},
		{name: "two pluses", value: lead.Quoted("++13055550123"), wrong: no},
		{name: "a plus inside", value: lead.Quoted("305+5550123"), wrong: no},
		{name: "letters", value: lead.Quoted("305-555-HELP"), wrong: no},
		{name: "an extension", value: lead.Quoted("305-555-0123 x4"), wrong: no},
		{name: "a slash", value: lead.Quoted("305/555/0123"), wrong: no},
		{name: "a link", value: lead.Quoted("tel:+13055550123"), wrong: no},
		{name: "digits of another script", value: lead.Quoted("３０５５５５０１２３"), wrong: no},
		{name: "only dashes", value: lead.Quoted("---"), wrong: no},
		{name: "a number", value: lead.Number("3055550123"), wrong: "a number where text belongs"},
	})
}

// Whether a number can exist is a mark on the lead, never a refusal.
func TestPhoneThatCannotExistIsAccepted(t *testing.T) {
	judge(t, "customer_phone", []verdict{
		{name: "area code 000", value: lead.Quoted("000-000-0000"), want: "+10000000000"},
		{name: "area code 123", value: lead.Quoted("123-555-0123"), want: "+11235550123"},
		{name: "exchange 155", value: lead.Quoted("305-155-0123"), want: "+13051550123"},
	})
}

func TestPhoneOfTheOperator(t *testing.T) {
	if phone, ok := lead.Phone(" (305) 555-0123 "); !ok || phone != "+13055550123" {
		t.Errorf("got %q, %t", phone, ok)
	}
	if _, ok := lead.Phone("555-0123"); ok {
		t.Error("seven digits were taken")
	}
}
