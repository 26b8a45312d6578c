package lead_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
)

func fieldsOf(spec *lead.InputSpec) []string {
	var names []string
	for _, f := range spec.Fields() {
		names = append(names, f.Name)
	}
	return names
}

func TestInputSpecFields(t *testing.T) {
	var all []string
	for _, row := range specified {
		all = append(all, row.name)
	}
	cleaning := []string{
		"zip_code", "city", "state", "bedrooms", "bathrooms", "square_feet", "frequency", "preferred_date", "notes",
		"customer_name", "customer_phone", "customer_email", "consent_to_contact",
	}
	for name, c := range map[string]struct {
		spec *lead.InputSpec
		want []string
	}{
		"intake": {lead.IntakeInput, all}, "tool": {lead.ToolInput, all}, "cleaning": {lead.CleaningInput, cleaning},
	} {
		if diff := cmp.Diff(c.want, fieldsOf(c.spec)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestSourceAgent(t *testing.T) {
	for _, c := range []struct {
		name string
		spec *lead.InputSpec
		sent lead.Value
		want string
	}{
		{"HTTP, left out", lead.IntakeInput, lead.Value{}, ""},
		{"HTTP, given", lead.IntakeInput, lead.Quoted("example-assistant"), "example-assistant"},
		{"tool, left out", lead.ToolInput, lead.Value{}, "mcp"},
		{"tool, null", lead.ToolInput, lead.Null(), "mcp"},
		{"tool, blank", lead.ToolInput, lead.Quoted(" "), "mcp"},
		{"tool, given", lead.ToolInput, lead.Quoted("example-assistant"), "example-assistant"},
	} {
		t.Run(c.name, func(t *testing.T) {
			req, refusal := lead.Parse(completeRequest().with("source_agent", c.sent).on(c.spec))
			if refusal != nil || req.SourceAgent != c.want {
				t.Errorf("got %q, %v", req.SourceAgent, refusal)
			}
		})
	}
}

func TestCleaningInputDefaults(t *testing.T) {
	req, refusal := lead.Parse(completeRequest().without("service_type").on(lead.CleaningInput))
	if refusal == nil && req.Service == lead.HouseCleaning && req.SourceAgent == "mcp" && !req.DryRun {
		return
	}
	t.Errorf("got %+v, %v", req, refusal)
}

// TestUnknownArgumentSuggestions checks that the two request tools refuse unknown arguments and suggest the nearest known
// one.
func TestUnknownArgumentSuggestions(t *testing.T) {
	for name, nearest := range map[string]string{
		"zip": "zip_code", "zipcode": "zip_code", "zipCode": "zip_code", "zip_cod": "zip_code",
		"name": "customer_name", "full_name": "customer_name", "costumer_name": "customer_name",
		"phone": "customer_phone", "phone_number": "customer_phone", "phoneNumber": "customer_phone",
		"email": "customer_email", "date": "preferred_date", "consent": "consent_to_contact", "consent_to_call": "consent_to_contact",
		"note": "notes", "beds": "bedrooms", "baths": "bathrooms", "sqft": "square_feet", "bedroom": "bedrooms",
	} {
		for _, spec := range []*lead.InputSpec{lead.ToolInput, lead.CleaningInput} {
			t.Run(spec.Name+" "+name, func(t *testing.T) {
				_, refusal := lead.Parse(completeFor(spec).with(name, lead.Quoted("x")).on(spec))
				wantOnly(t, refusal, name, name+" is not a field of "+spec.Name+": did you mean "+nearest+"?")
			})
		}
	}
}

// completeFor returns a complete request for one of the request tools.
func completeFor(spec *lead.InputSpec) requestValues {
	if spec == lead.CleaningInput {
		return completeRequest().without("service_type")
	}
	return completeRequest()
}

func TestUnknownArgumentWithoutSuggestion(t *testing.T) {
	for _, name := range []string{"budget", "foo", "id", "urgency"} {
		_, refusal := lead.Parse(completeRequest().with(name, lead.Null()).on(lead.ToolInput))
		wantOnly(t, refusal, name, "leave it out")
	}
}

// TestFieldsCleaningInputRefuses checks that a field of the other request tool is not treated as a misspelling: dropping a
// dry_run would send a real request.
func TestFieldsCleaningInputRefuses(t *testing.T) {
	for _, name := range []string{"service_type", "address_line", "home_type", "flexible_dates", "source_agent", "dry_run"} {
		t.Run(name, func(t *testing.T) {
			_, refusal := lead.Parse(completeFor(lead.CleaningInput).with(name, lead.Typed(lead.FieldNamed(name).Example)).on(lead.CleaningInput))
			wantOnly(t, refusal, name, "is not a field of request_cleaning: call request_home_service, which takes it.")
		})
	}
}

func TestMaxUnknownArguments(t *testing.T) {
	raw := completeRequest().on(lead.ToolInput)
	for i := range 100 {
		raw.Set("stray_"+strings.Repeat("x", i%30)+fmt.Sprintf("%c", 'a'+i%26), lead.Null())
	}
	_, refusal := lead.Parse(raw)
	if got := len(problemsOf(refusal)); got != 16 {
		t.Errorf("%d problems", got)
	}
}

func TestRawTyped(t *testing.T) {
	raw := lead.IntakeInput.New()
	raw.Set("customer_name", lead.Typed(" Pat "))
	for name, want := range map[string]string{"customer_name": " Pat ", "zip_code": "", "no_such_field": ""} {
		if got := raw.Typed(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
}

func TestUnreadable(t *testing.T) {
	why := lead.Malformed("The body is torn.")
	if _, refusal := lead.Parse(lead.IntakeInput.Unreadable(why)); refusal != why {
		t.Errorf("got %v", refusal)
	}
}
