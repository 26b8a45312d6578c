package lead_test

import (
	"slices"
	"testing"

	"foyer/internal/lead"
)

// TestAskedFor is what a person sees of the form for one service and not for another.
func TestAskedFor(t *testing.T) {
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
			if got := slices.Contains(f.Prompt(), service); got != slices.Contains(want, f.Name) {
				t.Errorf("%s asks for %s: %t", service, f.Name, got)
			}
		}
	}
}

// TestEveryServiceAsksWhatIsRequired keeps the form from hiding what a request cannot do without.
func TestEveryServiceAsksWhatIsRequired(t *testing.T) {
	for _, name := range lead.Required() {
		if services := lead.FieldNamed(name).Prompt(); services != nil {
			t.Errorf("%s is required, but asked for %v only", name, services)
		}
	}
}
