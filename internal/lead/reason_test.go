package lead_test

import (
	"strings"
	"testing"

	"foyer/internal/lead"
)

// TestReason checks that the reason of a return follows the rules of every text: one line, trimmed, counted in characters.
func TestReason(t *testing.T) {
	long := strings.Repeat("é", 500)
	for _, c := range []struct {
		name  string
		value lead.Value
		want  string
		wrong string
	}{
		{"a sentence", lead.Quoted("The number is not in service"), "The number is not in service", ""},
		{"blanks around it", lead.Quoted("  wrong number\n"), "wrong number", ""},
		{"one character", lead.Quoted("x"), "x", ""},
		{"500 characters", lead.Quoted(long), long, ""},
		{"500 characters and blanks", lead.Quoted(" " + long + " "), long, ""},
		{"501 characters", lead.Quoted(long + "é"), "", "too long"},
		{"nothing", lead.Value{}, "", "missing"},
		{"null", lead.Null(), "", "missing"},
		{"blank", lead.Quoted(" \t "), "", "missing"},
		{"a number", lead.Number("7"), "", "a number where text belongs"},
		{"true", lead.Bool(true), "", "true or false where text belongs"},
		{"a list", lead.Structure(), "", "a list or an object where text belongs"},
		{"two lines", lead.Quoted("one\ntwo"), "", "a control character in it"},
		{"an escape sequence", lead.Quoted("\x1b[2J"), "", "a control character in it"},
		{"broken UTF-8", lead.Quoted("\xff"), "", "not valid UTF-8 text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, refusal := lead.ReadReturn("offer_1", lead.Quoted("offer_1"), lead.Value{}, c.value)
			if got.Reason != c.want || (refusal != nil) != (c.wrong != "") {
				t.Fatalf("got %+v, %v", got, refusal)
			}
			if refusal == nil {
				return
			}
			if want := "Reason: " + c.wrong + ". " + lead.ReasonField.Wants + "."; refusal.Kind != lead.Invalid || refusal.Message != want || refusal.Problems[0].Field != "reason" {
				t.Errorf("got %q for %q, want %q", refusal.Message, refusal.Problems[0].Field, want)
			}
		})
	}
}

// TestReturnMustNameItsOffer checks that a return must name the offer in its URL, and that all problems are reported at
// once.
func TestReturnMustNameItsOffer(t *testing.T) {
	good := lead.Quoted("wrong number")
	for _, c := range []struct {
		name                string
		named, code, reason lead.Value
		fields              string
	}{
		{"the same", lead.Quoted("offer_1"), lead.Value{}, good, ""},
		{"with a code", lead.Quoted("offer_1"), lead.Quoted("bad_contact"), good, ""},
		{"with no code that exists", lead.Quoted("offer_1"), lead.Quoted("mood"), good, "code"},
		{"with a number for a code", lead.Quoted("offer_1"), lead.Number("7"), good, "code"},
		{"everything wrong", lead.Quoted("offer_2"), lead.Quoted(""), lead.Null(), "offer_id code reason"},
		{"left out", lead.Value{}, lead.Value{}, good, "offer_id"},
		{"null", lead.Null(), lead.Value{}, good, "offer_id"},
		{"another", lead.Quoted("offer_2"), lead.Value{}, good, "offer_id"},
		{"only its beginning", lead.Quoted("offer_"), lead.Value{}, good, "offer_id"},
		{"too long", lead.Quoted("offer_" + strings.Repeat("1", 100)), lead.Value{}, good, "offer_id"},
		{"a number", lead.Number("1"), lead.Value{}, good, "offer_id"},
		{"another, and no reason", lead.Quoted("offer_2"), lead.Value{}, lead.Null(), "offer_id reason"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, refusal := lead.ReadReturn("offer_1", c.named, c.code, c.reason)
			var fields []string
			if refusal != nil {
				for _, p := range refusal.Problems {
					fields = append(fields, p.Field)
				}
			}
			if got := strings.Join(fields, " "); got != c.fields {
				t.Errorf("problems with %q, want %q", got, c.fields)
			}
		})
	}
}
