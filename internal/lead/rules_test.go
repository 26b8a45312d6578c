package lead_test

import (
	"strings"
	"testing"

	"foyer/internal/lead"
)

// TestPhoneFormats checks that every common spelling of a US number becomes E.164.
func TestPhoneFormats(t *testing.T) {
	for _, written := range []string{
		"3055550123", "305-555-0123", "305.555.0123", "305 555 0123", "(305) 555-0123", "(305)5550123",
		"13055550123", "1-305-555-0123", "1 (305) 555-0123", "+13055550123", "+1 305 555 0123", "+1-305-555-0123",
		"+1 (305) 555.0123", "(+1) 305 555 0123", "+ 1 305 555 0123", "  305-555-0123\n",
	} {
		checkValues(t, "customer_phone", []valueCase{
			{name: "JSON " + written, value: lead.Quoted(written), want: "+13055550123"},
			{name: "form " + written, value: lead.Typed(written), want: "+13055550123"},
		})
	}
}

func TestPhoneRefused(t *testing.T) {
	const no = "not a 10-digit US number" // the wording of the published interface
	checkValues(t, "customer_phone", []valueCase{
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

// TestImplausiblePhoneIsAccepted checks that an implausible number is marked, not refused.
func TestImplausiblePhoneIsAccepted(t *testing.T) {
	checkValues(t, "customer_phone", []valueCase{
		{name: "area code 000", value: lead.Quoted("000-000-0000"), want: "+10000000000"},
		{name: "area code 123", value: lead.Quoted("123-555-0123"), want: "+11235550123"},
		{name: "exchange 155", value: lead.Quoted("305-155-0123"), want: "+13051550123"},
	})
}

func TestPhoneFunction(t *testing.T) {
	if phone, ok := lead.Phone(" (305) 555-0123 "); !ok || phone != "+13055550123" {
		t.Errorf("got %q, %t", phone, ok)
	}
	if _, ok := lead.Phone("555-0123"); ok {
		t.Error("seven digits were taken")
	}
}

func TestZIPCode(t *testing.T) {
	const plusFour, no = "first five digits", "not five digits"
	checkValues(t, "zip_code", []valueCase{
		{name: "five digits", value: lead.Quoted("33139"), want: "33139"},
		{name: "five digits in a form", value: lead.Typed("33139"), want: "33139"},
		{name: "leading zeros", value: lead.Quoted("00501"), want: "00501"},
		{name: "blanks around", value: lead.Quoted(" 33139 "), want: "33139"},
		{name: "ZIP+4 with a dash", value: lead.Quoted("33139-1234"), wrong: plusFour},
		{name: "ZIP+4 with a blank", value: lead.Quoted("33139 1234"), wrong: plusFour},
		{name: "ZIP+4 in one", value: lead.Typed("331391234"), wrong: plusFour},
		{name: "four digits", value: lead.Quoted("3313"), wrong: no},
		{name: "six digits", value: lead.Quoted("331390"), wrong: no},
		{name: "letters", value: lead.Quoted("3313A"), wrong: no},
		{name: "a blank inside", value: lead.Quoted("331 39"), wrong: no},
		{name: "digits of another script", value: lead.Quoted("３３１３９"), wrong: no},
		{name: "a Canadian code", value: lead.Quoted("K1A 0B1"), wrong: no},
		{name: "a number", value: lead.Number("33139"), wrong: "a number where text belongs"},
	})
}

func TestZIPFunction(t *testing.T) {
	for text, good := range map[string]bool{"33139": true, " 33139\n": true, "33139-1234": false, "": false, "Miami": false} {
		if zip, ok := lead.ZIP(text); ok != good || good && zip != "33139" {
			t.Errorf("ZIP(%q) = %q, %t", text, zip, ok)
		}
	}
}

// The codes of the Postal Service: 50 states, DC, territories and associated states, military regions.
const postalCodes = "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY " +
	"DC AS GU MP PR VI FM MH PW AA AE AP"

func TestEveryStateCode(t *testing.T) {
	codes := strings.Fields(postalCodes)
	if len(codes) != 50+1+8+3 {
		t.Fatalf("%d codes", len(codes))
	}
	for _, code := range codes {
		checkValues(t, "state", []valueCase{
			{name: code, value: lead.Quoted(code), want: code},
			{name: strings.ToLower(code), value: lead.Typed(strings.ToLower(code)), want: code},
		})
	}
}

func TestState(t *testing.T) {
	const no = "not a US state code"
	checkValues(t, "state", []valueCase{
		{name: "mixed case", value: lead.Quoted("fL"), want: "FL"},
		{name: "blanks around", value: lead.Quoted(" FL "), want: "FL"},
		{name: "not a code", value: lead.Quoted("ZZ"), wrong: no},
		{name: "a name", value: lead.Quoted("Florida"), wrong: no},
		{name: "one letter", value: lead.Quoted("F"), wrong: no},
		{name: "three letters", value: lead.Quoted("FLA"), wrong: no},
		{name: "two codes", value: lead.Quoted("FL GA"), wrong: no},
		{name: "a letter that is raised to S", value: lead.Quoted("ſc"), wrong: no},
		{name: "a province", value: lead.Quoted("ON"), wrong: no},
	})
}

func TestEmail(t *testing.T) {
	const no = "not an email address"
	longest := strings.Repeat("a", 254-len("@example.com")) + "@example.com"
	checkValues(t, "customer_email", []valueCase{
		{name: "plain", value: lead.Quoted("pat@example.com"), want: "pat@example.com"},
		{name: "in a form", value: lead.Typed("pat@example.com"), want: "pat@example.com"},
		{name: "blanks around", value: lead.Quoted(" pat@example.com "), want: "pat@example.com"},
		{name: "a tag", value: lead.Quoted("pat+home@example.com"), want: "pat+home@example.com"},
		{name: "a domain without a dot", value: lead.Quoted("pat@localhost"), want: "pat@localhost"},
		{name: "an international domain", value: lead.Quoted("pat@exämple.com"), want: "pat@exämple.com"},
		{name: "case stays", value: lead.Quoted("Pat@Example.com"), want: "Pat@Example.com"},
		{name: "254 characters", value: lead.Quoted(longest), want: longest},
		{name: "255 characters", value: lead.Quoted("a" + longest), wrong: "too long"},
		{name: "no @", value: lead.Quoted("pat.example.com"), wrong: no},
		{name: "two @", value: lead.Quoted("pat@home@example.com"), wrong: no},
		{name: "nothing before", value: lead.Quoted("@example.com"), wrong: no},
		{name: "nothing behind", value: lead.Quoted("pat@"), wrong: no},
		{name: "only @", value: lead.Quoted("@"), wrong: no},
		{name: "a header smuggled in", value: lead.Quoted("pat@example.com\r\nBcc: x"), wrong: "control character"},
	})
}
