package lead_test

import (
	"testing"
	"time"

	"foyer/internal/lead"
)

// TestHidden checks that a look-up hides the status once a privacy request may have closed the lead. A lead that was final
// before cannot have been closed by it.
func TestHidden(t *testing.T) {
	privacyAt := time.Date(2026, 11, 5, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name    string
		status  lead.Status
		changed time.Duration // relative to the privacy request
		named   bool
		hidden  bool
	}{
		{"no privacy request", lead.Collected, -time.Hour, false, false},
		{"no privacy request, closed", lead.Rejected, time.Hour, false, false},
		{"held", lead.Collected, -time.Hour, true, true},
		{"on its way", lead.Received, -time.Hour, true, true},
		{"closed by the privacy request", lead.Rejected, 0, true, true},
		{"closed by a later privacy request", lead.Rejected, time.Hour, true, true},
		{"passed on after the privacy request", lead.Forwarded, time.Hour, true, true},
		{"in error after the privacy request", lead.Errored, time.Hour, true, true},
		{"passed on before", lead.Forwarded, -time.Second, true, false},
		{"closed before", lead.Rejected, -time.Second, true, false},
		{"in error before", lead.Errored, -time.Second, true, false},
		{"a number to dial", lead.CallToConnect, time.Hour, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := lead.Lead{Status: c.status, UpdatedAt: privacyAt.Add(c.changed)}
			if c.named {
				l.PrivacyAt = privacyAt
			}
			if got := l.Hidden(); got != c.hidden {
				t.Errorf("hidden: %v, want %v", got, c.hidden)
			}
		})
	}
}
