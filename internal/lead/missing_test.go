package lead_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
)

// withDefaults is the complete request with the defaults of all other fields.
func withDefaults() *lead.Request {
	return &lead.Request{
		Job: lead.Job{
			Service: lead.HouseCleaning, ZIP: "33139", Frequency: "one_time", FlexibleDates: true, Consent: true,
		}, Contact: lead.Contact{Name: "Pat Example", Phone: "+13055550123"},
	}
}

func TestDefaults(t *testing.T) {
	req, refusal := completeRequest().parse()
	if refusal != nil {
		t.Fatal(refusal.Message)
	}
	if diff := cmp.Diff(withDefaults(), req); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMissingValues checks null and blank values, which mean missing in some fields and encodings.
func TestMissingValues(t *testing.T) {
	for _, f := range lead.Fields {
		text := f.Kind == lead.Text || f.Kind == lead.Lines
		for _, way := range []struct {
			name  string
			value lead.Value
			known bool
		}{
			{"not given", lead.Value{}, true},
			{"null", lead.Null(), true},
			{"blank in a form", lead.Typed(""), true},
			{"blanks in a form", lead.Typed(" \t\r\n"), true},
			{"blank in JSON", lead.Quoted(""), text},
			{"blanks in JSON", lead.Quoted("  "), text},
		} {
			t.Run(f.Name+" "+way.name, func(t *testing.T) {
				req, refusal := completeRequest().with(f.Name, way.value).parse()
				switch {
				case f.Required && way.known:
					wantOnly(t, refusal, f.Name, "missing")
				case f.Required || !way.known:
					wantOnly(t, refusal, f.Name, f.Label+": ")
				case refusal != nil:
					t.Errorf("refused: %s", refusal.Message)
				default:
					if diff := cmp.Diff(withDefaults(), req); diff != "" {
						t.Errorf("not as if left out (-want +got):\n%s", diff)
					}
				}
			})
		}
	}
}

// TestWrongJSONTypes checks that each field accepts one JSON type, and that the error names the type that was sent.
func TestWrongJSONTypes(t *testing.T) {
	values := map[string]lead.Value{
		"text": lead.Quoted("2"), "a number": lead.Number("2"), "true or false": lead.Bool(true), "a list or an object": lead.Structure(),
	}
	takes := map[lead.FieldKind]string{
		lead.Text: "text", lead.Lines: "text", lead.Choice: "text", lead.Date: "text",
		lead.Whole: "a number", lead.Decimal: "a number", lead.YesNo: "true or false",
	}
	for _, f := range lead.Fields {
		for sent, value := range values {
			if sent == takes[f.Kind] {
				continue
			}
			t.Run(f.Name+" "+sent, func(t *testing.T) {
				_, refusal := completeRequest().with(f.Name, value).parse()
				wantOnly(t, refusal, f.Name, sent+" where ")
			})
		}
	}
}

// TestGivenTwice checks that a repeated field is refused whatever its values: consent must have one value.
func TestGivenTwice(t *testing.T) {
	twice := map[string]func(f lead.Field) [2]lead.Value{
		"in a form":         func(f lead.Field) [2]lead.Value { return [2]lead.Value{lead.Typed(f.Example), lead.Typed(f.Example)} },
		"blank, then given": func(f lead.Field) [2]lead.Value { return [2]lead.Value{lead.Typed(""), lead.Typed(f.Example)} },
		"null, then given":  func(f lead.Field) [2]lead.Value { return [2]lead.Value{lead.Null(), lead.Typed(f.Example)} },
		"given, then null":  func(f lead.Field) [2]lead.Value { return [2]lead.Value{lead.Typed(f.Example), lead.Null()} },
		"null twice":        func(lead.Field) [2]lead.Value { return [2]lead.Value{lead.Null(), lead.Null()} },
	}
	for _, f := range lead.Fields {
		for name, values := range twice {
			t.Run(f.Name+" "+name, func(t *testing.T) {
				raw := completeRequest().without(f.Name).on(lead.IntakeInput)
				for _, v := range values(f) {
					raw.Set(f.Name, v)
				}
				_, refusal := lead.Parse(raw)
				wantOnly(t, refusal, f.Name, "given more than once")
			})
		}
	}
}
