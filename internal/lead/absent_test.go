package lead_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
)

// unasked is what the complete request holds in the fields that were left out.
func unasked() *lead.Request {
	return &lead.Request{
		Job: lead.Job{
			Service: lead.HouseCleaning, ZIP: "33139", Frequency: "one_time", FlexibleDates: true, Consent: true,
		}, Contact: lead.Contact{Name: "Pat Example", Phone: "+13055550123"},
	}
}

func TestFieldsLeftOutHaveTheirDefaults(t *testing.T) {
	req, refusal := complete().parse()
	if refusal != nil {
		t.Fatal(refusal.Message)
	}
	if diff := cmp.Diff(unasked(), req); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Null and blank are ways of leaving a field out; which of them a field knows depends on the door.
func TestWaysOfLeavingAFieldOut(t *testing.T) {
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
				req, refusal := complete().with(f.Name, way.value).parse()
				switch {
				case f.Required && way.known:
					wantOnly(t, refusal, f.Name, "missing")
				case f.Required || !way.known:
					wantOnly(t, refusal, f.Name, f.Label+": ")
				case refusal != nil:
					t.Errorf("refused: %s", refusal.Message)
				default:
					if diff := cmp.Diff(unasked(), req); diff != "" {
						t.Errorf("not as if left out (-want +got):\n%s", diff)
					}
				}
			})
		}
	}
}

// JSON types are strict: each field takes one, and says which one came instead.
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
				_, refusal := complete().with(f.Name, value).parse()
				wantOnly(t, refusal, f.Name, sent+" where ")
			})
		}
	}
}

// A field that is given twice is refused whatever the two values are: consent must have one value.
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
				raw := complete().without(f.Name).on(lead.IntakeInput)
				for _, v := range values(f) {
					raw.Set(f.Name, v)
				}
				_, refusal := lead.Parse(raw)
				wantOnly(t, refusal, f.Name, "given more than once")
			})
		}
	}
}
