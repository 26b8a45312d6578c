package report

import (
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/operator/query"
)

// TestWhy wants a list of buyers to say why one gets no leads, whichever rule it is.
func TestWhy(t *testing.T) {
	until := time.Date(2026, 11, 19, 13, 0, 0, 0, time.UTC)
	stopped := query.Summary{NoRoom: buyer.Exclusion{Rule: buyer.RuleHours, Reason: "it is closed", Until: until}}
	stopped.Why = "by the operator"
	for want, sum := range map[string]query.Summary{
		"":                                     {},
		"closed until 2026-11-19 13:00:00 UTC": {NoRoom: buyer.Exclusion{Rule: buyer.RuleHours, Reason: "it is closed", Until: until}},
		"its balance is used up":               {NoRoom: buyer.Exclusion{Rule: buyer.RuleBalance, Reason: "its balance is used up"}},
		"by the operator":                      stopped,
		"does not answer; asked again after 2026-11-19 13:00:00 UTC": {Health: buyer.Health{Failures: 5, OpenUntil: until}},
	} {
		if got := Why(sum); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
