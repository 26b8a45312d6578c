package lead_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
)

// sheet is a request as it is filled in: a value for each name. The zero Value leaves a field out.
type sheet map[string]lead.Value

// complete is the shortest request that is accepted, as JSON.
func complete() sheet {
	return sheet{
		"service_type":       lead.Quoted("house_cleaning"),
		"zip_code":           lead.Quoted("33139"),
		"customer_name":      lead.Quoted("Pat Example"),
		"customer_phone":     lead.Quoted("305-555-0123"),
		"consent_to_contact": lead.Bool(true),
	}
}

// with changes one field of the sheet.
func (s sheet) with(name string, v lead.Value) sheet {
	s[name] = v
	return s
}

func (s sheet) without(name string) sheet { return s.with(name, lead.Value{}) }

// on puts the sheet on a slip.
func (s sheet) on(slip *lead.InputSpec) *lead.Raw {
	raw := slip.New()
	for name, v := range s {
		if v != (lead.Value{}) {
			raw.Set(name, v)
		}
	}
	return raw
}

func (s sheet) parse() (*lead.Request, *lead.Error) { return lead.Parse(s.on(lead.IntakeInput)) }

// verdict is one value of a field and what becomes of it: the request holds want, or the problem has the words of wrong.
type verdict struct {
	name  string
	value lead.Value
	want  any
	wrong string
}

// judge sends each value in an otherwise complete request.
func judge(t *testing.T, field string, verdicts []verdict) {
	t.Helper()
	for _, v := range verdicts {
		t.Run(v.name, func(t *testing.T) {
			req, refusal := complete().with(field, v.value).parse()
			if v.wrong != "" {
				wantOnly(t, refusal, field, v.wrong)
				return
			}
			if refusal != nil {
				t.Fatalf("refused: %s", refusal.Message)
			}
			if diff := cmp.Diff(v.want, held[field](req)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", field, diff)
			}
		})
	}
}

// wantOnly wants exactly one problem, at this field and with these words.
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

// problemsOf are the names of the fields a refusal tells of, in order.
func problemsOf(refusal *lead.Error) []string {
	var fields []string
	if refusal != nil {
		for _, p := range refusal.Problems {
			fields = append(fields, p.Field)
		}
	}
	return fields
}

// held finds a field in a parsed request. A number that was not given is nil.
var held = map[string]func(*lead.Request) any{
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
