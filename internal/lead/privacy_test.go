package lead_test

import (
	"testing"
	"time"

	"foyer/internal/lead"
)

// A look-up tells no more from when a wish may have closed a lead. What was over before cannot have been closed by it.
func TestHidden(t *testing.T) {
	wish := time.Date(2026, 11, 5, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name    string
		status  lead.Status
		changed time.Duration // before or after the wish
		named   bool
		hidden  bool
	}{
		{"no wish", lead.Collected, -time.Hour, false, false},
		{"no wish, closed", lead.Rejected, time.Hour, false, false},
		{"held", lead.Collected, -time.Hour, true, true},
		{"on its way", lead.Received, -time.Hour, true, true},
		{"closed by the wish", lead.Rejected, 0, true, true},
		{"closed by a later wish", lead.Rejected, time.Hour, true, true},
		{"passed on after the wish", lead.Forwarded, time.Hour, true, true},
		{"in error after the wish", lead.Errored, time.Hour, true, true},
		{"passed on before", lead.Forwarded, -time.Second, true, false},
		{"closed before", lead.Rejected, -time.Second, true, false},
		{"in error before", lead.Errored, -time.Second, true, false},
		{"a number to dial", lead.CallToConnect, time.Hour, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := lead.Lead{Status: c.status, UpdatedAt: wish.Add(c.changed)}
			if c.named {
				l.PrivacyAt = wish
			}
			if got := l.Hidden(); got != c.hidden {
				t.Errorf("hidden: %v, want %v", got, c.hidden)
			}
		})
	}
}
