package lead_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
)

// The fields of ServiceRequest in the order of the published interface, and dry_run.
var specified = []struct {
	name     string
	kind     lead.FieldKind
	required bool
	nullable bool
	fallback string
}{
	{"service_type", lead.Choice, true, false, ""},
	{"zip_code", lead.Text, true, false, ""},
	{"city", lead.Text, false, true, ""},
	{"state", lead.Text, false, true, ""},
	{"address_line", lead.Text, false, true, ""},
	{"bedrooms", lead.Whole, false, true, ""},
	{"bathrooms", lead.Decimal, false, true, ""},
	{"square_feet", lead.Whole, false, true, ""},
	{"home_type", lead.Choice, false, true, ""},
	{"frequency", lead.Choice, false, false, "one_time"},
	{"preferred_date", lead.Date, false, true, ""},
	{"flexible_dates", lead.YesNo, false, false, "true"},
	{"notes", lead.Lines, false, true, ""},
	{"customer_name", lead.Text, true, false, ""},
	{"customer_phone", lead.Text, true, false, ""},
	{"customer_email", lead.Text, false, true, ""},
	{"consent_to_contact", lead.YesNo, true, false, ""},
	{"source_agent", lead.Text, false, true, ""},
	{"dry_run", lead.YesNo, false, false, "false"},
}

func TestFieldTableMatchesSpecification(t *testing.T) {
	if len(lead.Fields) != len(specified) {
		t.Fatalf("%d fields, want %d", len(lead.Fields), len(specified))
	}
	for i, want := range specified {
		f := lead.Fields[i]
		if f.Name != want.name || f.Kind != want.kind || f.Required != want.required || f.Nullable != want.nullable || f.Default != want.fallback {
			t.Errorf("field %d is %s (kind %d, required %t, nullable %t, default %q), want %+v", i, f.Name, f.Kind, f.Required, f.Nullable, f.Default, want)
		}
	}
}

func TestChoicesMatchSpecification(t *testing.T) {
	for field, want := range map[string][]string{
		"service_type": {"house_cleaning", "deep_cleaning", "move_in_out_cleaning", "recurring_cleaning", "pest_control", "plumbing", "hvac", "handyman", "other"},
		"home_type":    {"apartment", "condo", "townhouse", "single_family", "other"},
		"frequency":    {"one_time", "weekly", "biweekly", "monthly"},
	} {
		if diff := cmp.Diff(want, lead.FieldNamed(field).Choices); diff != "" {
			t.Errorf("%s (-want +got):\n%s", field, diff)
		}
	}
}

func TestRequiredFields(t *testing.T) {
	want := []string{"service_type", "zip_code", "customer_name", "customer_phone", "consent_to_contact"}
	if diff := cmp.Diff(want, lead.Required()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEveryFieldHasWantsAndExample(t *testing.T) {
	for _, f := range lead.Fields {
		t.Run(f.Name, func(t *testing.T) {
			if f.Label == "" || f.Help == "" || f.Wants == "" || f.Example == "" {
				t.Fatalf("label %q, help %q, wants %q and example %q must all be there", f.Label, f.Help, f.Wants, f.Example)
			}
			if !strings.Contains(f.Wants, f.Example) {
				t.Errorf("wants = %q, without the example %q", f.Wants, f.Example)
			}
			if _, refusal := completeRequest().with(f.Name, lead.Typed(f.Example)).parse(); refusal != nil {
				t.Errorf("its own example is refused: %s", refusal.Message)
			}
		})
	}
}

// TestPersonalFields checks that a field is personal if its value goes into the contact, and only then.
func TestPersonalFields(t *testing.T) {
	other := func() requestValues {
		return completeRequest().with("customer_name", lead.Typed("Sam Sample")).with("customer_phone", lead.Typed("305-555-0199"))
	}
	without, _ := other().parse()
	for _, f := range lead.Fields {
		with, refusal := other().with(f.Name, lead.Typed(f.Example)).parse()
		if refusal != nil {
			t.Fatalf("%s: %s", f.Name, refusal.Message)
		}
		if inContact := with.Contact != without.Contact; f.Personal != inContact {
			t.Errorf("%s: personal = %t, in the contact: %t", f.Name, f.Personal, inContact)
		}
	}
}

func TestFieldNamed(t *testing.T) {
	if got := lead.FieldNamed("zip_code").Name; got != "zip_code" {
		t.Errorf("got %s", got)
	}
	if lead.Known("zip") || !lead.Known("dry_run") {
		t.Error("Known does not follow the table")
	}
	defer func() {
		if recover() == nil {
			t.Error("a name that is not in the table is a bug and must panic")
		}
	}()
	lead.FieldNamed("zip")
}

func TestServicesAndStatuses(t *testing.T) {
	for _, s := range lead.Services {
		if live := s == "plumbing"; s.Live() != live || s.NeedsConsent() == live {
			t.Errorf("%s: live %t, needs consent %t", s, s.Live(), s.NeedsConsent())
		}
	}
	want := []lead.Status{"received", "validated", "forwarded", "collected", "call_to_connect", "rejected", "error"}
	if diff := cmp.Diff(want, lead.Statuses); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPrompt checks which fields the form shows for one service and not for another.
func TestPrompt(t *testing.T) {
	cleaning := []string{"home_type", "bedrooms", "bathrooms", "square_feet"}
	for service, want := range map[lead.Service][]string{
		lead.HouseCleaning:     append(slices.Clone(cleaning), "frequency"),
		lead.DeepCleaning:      cleaning,
		lead.MoveCleaning:      cleaning,
		lead.RecurringCleaning: append(slices.Clone(cleaning), "frequency"),
		lead.PestControl:       {"home_type", "frequency"},
		lead.HVAC:              {"home_type", "square_feet"},
		lead.Handyman:          nil,
		lead.Other:             nil,
	} {
		for i := range lead.Fields {
			f := &lead.Fields[i]
			if got := slices.Contains(f.Prompt, service); got != slices.Contains(want, f.Name) {
				t.Errorf("%s asks for %s: %t", service, f.Name, got)
			}
		}
	}
}

// TestRequiredFieldsAreAlwaysPrompted checks that the form never hides a required field.
func TestRequiredFieldsAreAlwaysPrompted(t *testing.T) {
	for _, name := range lead.Required() {
		if services := lead.FieldNamed(name).Prompt; services != nil {
			t.Errorf("%s is required, but asked for %v only", name, services)
		}
	}
}
