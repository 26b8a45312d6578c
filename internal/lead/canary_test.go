package lead_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"foyer/internal/lead"
)

// What a person sends is never repeated to them: an answer may be logged, cached or read aloud elsewhere. A canary sits
// in every field and must not come out.
func TestProblemsNeverRepeatWhatWasSent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := slips.Draw(t, "slip").New()
		for _, f := range lead.Fields {
			for range rapid.IntRange(0, 2).Draw(t, f.Name+" times") {
				raw.Set(f.Name, canaries.Draw(t, f.Name))
			}
		}
		raw.Set(strayNames.Draw(t, "stray"), canaries.Draw(t, "stray value"))
		raw.SetQuery("dry_run", canaries.Draw(t, "query"))
		raw.SetQuery(strayNames.Draw(t, "stray in the address"), canaries.Draw(t, "stray query value"))
		_, refusal := lead.Parse(raw)
		if refusal == nil {
			t.Fatal("accepted")
		}
		wantNoCanary(t, refusal)
	})
}

func wantNoCanary(t *rapid.T, refusal *lead.Error) {
	told := []string{refusal.Message, refusal.Error()}
	for _, p := range refusal.Problems {
		told = append(told, p.Field, p.Text)
	}
	for _, text := range told {
		for _, canary := range []string{canaryWord, canaryDigits} {
			if strings.Contains(strings.ToLower(text), canary) {
				t.Fatalf("%q holds what was sent", text)
			}
		}
	}
}

const canaryWord, canaryDigits = "xqzjvk", "7717177"

var slips = rapid.SampledFrom([]*lead.InputSpec{lead.IntakeInput, lead.ToolInput, lead.CleaningInput})

// canaries are values of every type, of every length, with things around the canary that lead the rules astray.
var canaries = rapid.Custom(func(t *rapid.T) lead.Value {
	around := rapid.SampledFrom([]string{"", "@", "33139-", "+1", "2027-01-", "\x00", "\n", "\xff", strings.Repeat("a", 2001)})
	text := around.Draw(t, "before") + rapid.SampledFrom([]string{canaryWord, canaryDigits, strings.ToUpper(canaryWord)}).Draw(t, "canary") + around.Draw(t, "behind")
	switch rapid.IntRange(0, 2).Draw(t, "type") {
	case 0:
		return lead.Quoted(text)
	case 1:
		return lead.Typed(text)
	default:
		return lead.Number(rapid.SampledFrom([]string{canaryDigits, "-" + canaryDigits, "0." + canaryDigits, "1e" + canaryDigits}).Draw(t, "number"))
	}
})

// strayNames are data in the place of a name. A name made like an identifier is repeated on purpose: see slip_test.go.
var strayNames = rapid.SampledFrom([]string{
	canaryDigits, canaryWord + " example", canaryWord + "@example.com", "dry run" + canaryDigits, strings.Repeat(canaryWord, 8), "dry_run " + canaryDigits[:1],
})
