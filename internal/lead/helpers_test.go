package lead_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
)

// requestValues maps field names to values. The zero Value means not given.
type requestValues map[string]lead.Value

// completeRequest returns the shortest valid request, as JSON values.
func completeRequest() requestValues {
	return requestValues{
		"service_type":       lead.Quoted("house_cleaning"),
		"zip_code":           lead.Quoted("33139"),
		"customer_name":      lead.Quoted("Pat Example"),
		"customer_phone":     lead.Quoted("305-555-0123"),
		"consent_to_contact": lead.Bool(true),
	}
}

// with sets one field.
func (s requestValues) with(name string, v lead.Value) requestValues {
	s[name] = v
	return s
}

func (s requestValues) without(name string) requestValues { return s.with(name, lead.Value{}) }

// on builds a raw request with this input spec.
func (s requestValues) on(spec *lead.InputSpec) *lead.Raw {
	raw := spec.New()
	for name, v := range s {
		if v != (lead.Value{}) {
			raw.Set(name, v)
		}
	}
	return raw
}

func (s requestValues) parse() (*lead.Request, *lead.Error) {
	return lead.Parse(s.on(lead.IntakeInput))
}

// valueCase is one value of a field and the expected result: want in the request, or a problem that contains wrong.
type valueCase struct {
	name  string
	value lead.Value
	want  any
	wrong string
}

// checkValues sends each value in an otherwise complete request.
func checkValues(t *testing.T, field string, verdicts []valueCase) {
	t.Helper()
	for _, v := range verdicts {
		t.Run(v.name, func(t *testing.T) {
			req, refusal := completeRequest().with(field, v.value).parse()
			if v.wrong != "" {
				wantOnly(t, refusal, field, v.wrong)
				return
			}
			if refusal != nil {
				t.Fatalf("refused: %s", refusal.Message)
			}
			if diff := cmp.Diff(v.want, valueOf[field](req)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", field, diff)
			}
		})
	}
}

// wantOnly checks that there is exactly one problem, for this field and with this text.
func wantOnly(t *testing.T, refusal *lead.Error, field, words string) {
	t.Helper()
	if refusal == nil {
		t.Fatalf("accepted, want a problem of %s", field)
	}
	if len(refusal.Problems) != 1 || refusal.Problems[0].Field != field {
		t.Fatalf("problems = %+v, want one of %s", refusal.Problems, field)
	}
	if text := refusal.Problems[0].Text; !strings.Contains(text, words) {
		t.Errorf("text = %q, want the words %q", text, words)
	}
}

// problemsOf returns the fields of an error's problems, in order.
func problemsOf(refusal *lead.Error) []string {
	var fields []string
	if refusal != nil {
		for _, p := range refusal.Problems {
			fields = append(fields, p.Field)
		}
	}
	return fields
}

// valueOf reads a field of a parsed request. A number that was not given is nil.
var valueOf = map[string]func(*lead.Request) any{
	"service_type":       func(r *lead.Request) any { return string(r.Service) },
	"zip_code":           func(r *lead.Request) any { return r.ZIP },
	"city":               func(r *lead.Request) any { return r.City },
	"state":              func(r *lead.Request) any { return r.State },
	"address_line":       func(r *lead.Request) any { return r.Contact.Street },
	"bedrooms":           func(r *lead.Request) any { return deref(r.Home.Bedrooms) },
	"bathrooms":          func(r *lead.Request) any { return deref(r.Home.Bathrooms) },
	"square_feet":        func(r *lead.Request) any { return deref(r.Home.SquareFeet) },
	"home_type":          func(r *lead.Request) any { return r.Home.Type },
	"frequency":          func(r *lead.Request) any { return r.Frequency },
	"preferred_date":     func(r *lead.Request) any { return r.PreferredDate },
	"flexible_dates":     func(r *lead.Request) any { return r.FlexibleDates },
	"notes":              func(r *lead.Request) any { return r.Contact.Notes },
	"customer_name":      func(r *lead.Request) any { return r.Contact.Name },
	"customer_phone":     func(r *lead.Request) any { return r.Contact.Phone },
	"customer_email":     func(r *lead.Request) any { return r.Contact.Email },
	"consent_to_contact": func(r *lead.Request) any { return r.Consent },
	"source_agent":       func(r *lead.Request) any { return r.SourceAgent },
	"dry_run":            func(r *lead.Request) any { return r.DryRun },
}

func deref[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}
