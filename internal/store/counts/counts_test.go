package counts_test

import (
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/storetest"
)

// The server's clock counts. A client of a process that hung, or whose clock is behind, is not charged for what other processes
// granted.
func TestCountsByServerClock(t *testing.T) {
	t.Parallel()
	counts := storetest.Open(t, storetest.PostgreSQL(t)).Counts()
	charge := []lead.Charge{{Key: "leads 192.0.2.1", Step: time.Hour, Burst: 2}}
	if granted, _, _, err := counts.CountAt(t.Context(), charge, 2, time.Now().Add(-90*time.Minute)); err != nil || !granted {
		t.Fatalf("an hour and a half ago: granted %v, %v", granted, err)
	}
	if granted, _, _, err := counts.Count(t.Context(), charge, 1); err != nil || !granted {
		t.Errorf("now: granted %v, %v", granted, err)
	}
	granted, _, retry, err := counts.Count(t.Context(), charge, 1)
	if err != nil || granted || retry < 20*time.Minute || retry > 40*time.Minute {
		t.Errorf("at once: granted %v, retry after %v, %v; want it refused, and half an hour", granted, retry, err)
	}
}
