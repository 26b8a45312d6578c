package lead_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"foyer/internal/lead"
)

// knownProblems matches every possible problem text. Any other text would repeat input.
var knownProblems = regexp.MustCompile(`^(given more than once|missing|too short|too long|not valid UTF-8 text|a control character in it|` +
	`not one of the choices|not a date|neither yes nor no|false|false, which is enough for plumbing only|blank|not a number|not a whole number|out of range|` +
	`more than five digits; send the first five digits only|not five digits|not a 10-digit US number|` +
	`not an email address|not a US state code|` +
	`(true or false|a number|text|a list or an object) where (text|a number|true or false|a date in quotes) belongs)( in the address)?$`)

// wantOnlyOwnTexts checks that problems consist of our own texts and of unknown names that are safe to echo.
func wantOnlyOwnTexts(t *testing.T, spec *lead.InputSpec, refusal *lead.Error) {
	t.Helper()
	if refusal.Kind != lead.Invalid || len(refusal.Problems) == 0 {
		t.Fatalf("refused with %+v", refusal)
	}
	var texts []string
	for _, p := range refusal.Problems {
		texts = append(texts, p.Text)
		if !isFieldProblem(p) && !isUnknownNameProblem(spec, p) {
			t.Fatalf("%s has the text %q", p.Field, p.Text)
		}
	}
	if refusal.Message != strings.Join(texts, " ") {
		t.Fatalf("the message is %q", refusal.Message)
	}
}

func isFieldProblem(p lead.Problem) bool {
	if !lead.Known(p.Field) {
		return false
	}
	f := lead.FieldNamed(p.Field)
	rest, labeled := strings.CutPrefix(p.Text, f.Label+": ")
	problem, complete := strings.CutSuffix(rest, ". "+f.Wants+".")
	return labeled && complete && knownProblems.MatchString(problem)
}

var identifier = regexp.MustCompile(`^[A-Za-z_-]{1,40}$`)

func isUnknownNameProblem(spec *lead.InputSpec, p lead.Problem) bool {
	subject := p.Field
	if p.Field == "unknown" && strings.HasPrefix(p.Text, "A member") {
		subject = "A member with an unusual name"
	}
	remedy, found := strings.CutPrefix(p.Text, subject+" is not a field of "+spec.Name+": ")
	meant, guess := strings.CutPrefix(remedy, "did you mean ")
	return found && identifier.MatchString(p.Field) &&
		(guess && lead.Known(strings.TrimSuffix(meant, "?")) || remedy == "leave it out." || remedy == "call request_home_service, which takes it.")
}

// wantWithinBounds checks an accepted request against the field table and the other rules.
func wantWithinBounds(t *testing.T, req *lead.Request) {
	t.Helper()
	for i := range lead.Fields {
		f := &lead.Fields[i]
		if v := valueOf[f.Name](req); !inBounds(f, v) {
			t.Errorf("%s is %#v", f.Name, v)
		}
	}
	if !req.Consent && req.Service.NeedsConsent() {
		t.Error("accepted without consent")
	}
	if !e164.MatchString(req.Contact.Phone) {
		t.Errorf("the phone is %q", req.Contact.Phone)
	}
}

var patterns = func() map[string]*regexp.Regexp {
	compiled := make(map[string]*regexp.Regexp)
	for i := range lead.Fields {
		compiled[lead.Fields[i].Name] = regexp.MustCompile(lead.Fields[i].Pattern)
	}
	return compiled
}()

func inBounds(f *lead.Field, value any) bool {
	switch v := value.(type) {
	case int:
		return v >= f.Min && v <= f.Max
	case float64:
		return v >= float64(f.Min) && v <= float64(f.Max)
	case string:
		length := utf8.RuneCountInString(v)
		switch {
		case v == "":
			return !f.Required
		case f.Kind == lead.Choice:
			return slices.Contains(f.Choices, v)
		case f.Pattern != "" && !patterns[f.Name].MatchString(v):
			return false
		}
		return utf8.ValidString(v) && strings.TrimSpace(v) == v && length >= f.Min && (!f.Limited() || length <= f.Max) && !unprintable(f, v)
	}
	return true
}

func unprintable(f *lead.Field, text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool {
		return unicode.IsControl(c) && !(f.Kind == lead.Lines && (c == '\n' || c == '\t'))
	})
}
