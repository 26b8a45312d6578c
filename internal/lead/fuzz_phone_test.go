package lead_test

import (
	"regexp"
	"strings"
	"testing"

	"foyer/internal/lead"
)

var e164 = regexp.MustCompile(`^\+1[0-9]{10}$`)

// FuzzPhone checks the phone rule: the result is +1 and ten digits of the input, and parsing the result again does not
// change it. The operator's commands and every channel use the same rule.
func FuzzPhone(f *testing.F) {
	for _, written := range []string{
		"305-555-0123", "+1 (305) 555.0123", "(+1) 305 555 0123", "1-305-555-0123", "3055550123", "  305-555-0123\n", "305\u2013555\u20110123",
		"305\u00a0555\u00a00123", "", "+", "1", "11111111111", "+44 20 7946 0123", "305-555-0123 x4", "٣٠٥٥٥٥٠١٢٣", "３０５５５５０１２３",
		"305-555-\x000123", "305\u202e5550123", "\xff3055550123", "tel:+13055550123", "+1+3055550123", "3055550123\u0085",
	} {
		f.Add(written)
	}
	f.Fuzz(func(t *testing.T, written string) {
		phone, ok := lead.Phone(written)
		for door, value := range map[string]lead.Value{"JSON": lead.Quoted(written), "form": lead.Typed(written)} {
			req, refusal := completeRequest().with("customer_phone", value).parse()
			if ok != (refusal == nil) || ok && req.Contact.Phone != phone {
				t.Fatalf("the operator reads %q, %t; %s reads %q, %v", phone, ok, door, req.Contact.Phone, refusal)
			}
		}
		if !ok {
			if phone != "" {
				t.Fatalf("a refused number leaves %q", phone)
			}
			return
		}
		if !e164.MatchString(phone) {
			t.Fatalf("%q was taken as %q", written, phone)
		}
		if sent := digitsOf(written); sent != phone[2:] && sent != phone[1:] {
			t.Fatalf("%q holds the digits %s, taken as %s", written, sent, phone)
		}
		if again, ok := lead.Phone(phone); !ok || again != phone {
			t.Fatalf("%s reads as %q, %t", phone, again, ok)
		}
	})
}

func digitsOf(text string) string {
	return strings.Map(func(c rune) rune {
		if c < '0' || c > '9' {
			return -1
		}
		return c
	}, text)
}
