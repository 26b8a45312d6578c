package lead_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"foyer/internal/lead"
)

// TestProblemsNeverEchoInput puts a canary into every field and checks that no error contains it. An error must not repeat
// input, because it may be logged, cached or read aloud elsewhere.
func TestProblemsNeverEchoInput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := inputSpecs.Draw(t, "spec").New()
		for _, f := range lead.Fields {
			for range rapid.IntRange(0, 2).Draw(t, f.Name+" times") {
				raw.Set(f.Name, canaries.Draw(t, f.Name))
			}
		}
		raw.Set(unknownNames.Draw(t, "unknown"), canaries.Draw(t, "unknown value"))
		raw.SetQuery("dry_run", canaries.Draw(t, "query"))
		raw.SetQuery(unknownNames.Draw(t, "unknown in the query"), canaries.Draw(t, "unknown query value"))
		_, refusal := lead.Parse(raw)
		if refusal == nil {
			t.Fatal("accepted")
		}
		wantNoCanary(t, refusal)
	})
}

func wantNoCanary(t *rapid.T, refusal *lead.Error) {
	texts := []string{refusal.Message, refusal.Error()}
	for _, p := range refusal.Problems {
		texts = append(texts, p.Field, p.Text)
	}
	for _, text := range texts {
		for _, canary := range []string{canaryWord, canaryDigits} {
			if strings.Contains(strings.ToLower(text), canary) {
				t.Fatalf("%q holds what was sent", text)
			}
		}
	}
}

const canaryWord, canaryDigits = "xqzjvk", "7717177"

var inputSpecs = rapid.SampledFrom([]*lead.InputSpec{lead.IntakeInput, lead.ToolInput, lead.CleaningInput})

// canaries are values of every type and length, with text around the canary that misleads the rules.
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

// unknownNames are data in place of a name. Names that look like identifiers are echoed on purpose, see raw_test.go.
var unknownNames = rapid.SampledFrom([]string{
	canaryDigits, canaryWord + " example", canaryWord + "@example.com", "dry run" + canaryDigits, strings.Repeat(canaryWord, 8), "dry_run " + canaryDigits[:1],
})
