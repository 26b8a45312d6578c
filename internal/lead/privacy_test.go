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

func TestDueAt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind     lead.PrivacyKind
		at, want string
	}{
		{lead.Withdraw, "2026-11-02T09:30:00Z", "2026-11-16T09:30:00Z"}, // Monday: two weekends
		{lead.Withdraw, "2026-11-06T09:30:00Z", "2026-11-20T09:30:00Z"}, // Friday
		{lead.Withdraw, "2026-11-07T09:30:00Z", "2026-11-20T09:30:00Z"}, // Saturday: Monday is the first day
		{lead.Withdraw, "2026-11-08T09:30:00Z", "2026-11-20T09:30:00Z"},
		{lead.EraseAll, "2026-11-07T09:30:00Z", "2026-12-22T09:30:00Z"},
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := (lead.PrivacyRequest{Kind: c.kind, At: at}).DueAt().Format(time.RFC3339); got != c.want {
			t.Errorf("%s on %s: due %s, want %s", c.kind, c.at, got, c.want)
		}
		if got := (lead.PrivacyRequest{Kind: c.kind, At: at, State: lead.PrivacyDone}).DueAt(); !got.IsZero() {
			t.Errorf("%s is settled, and due %s", c.kind, got)
		}
	}
}
