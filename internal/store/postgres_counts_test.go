package store_test

import (
	"testing"
	"time"

	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// A process that hung asks with a time that is over. Its clients have not used up what others were granted meanwhile.
func TestCountAfterHang(t *testing.T) {
	t.Parallel()
	database := storetest.PostgreSQL(t)
	awake, hung := storetest.Open(t, database), storetest.Open(t, database)
	pace := store.Pace{Step: time.Millisecond, Burst: 1000}
	const long = 6 * time.Second
	if granted, _, _, err := awake.Count(t.Context(), []store.Charge{{Key: "leads 192.0.2.1", Pace: pace}}, 1, storetest.Noon.Add(long)); err != nil || !granted {
		t.Fatalf("granted %v, %v", granted, err)
	}
	if granted, err := hung.CountLate("leads 192.0.2.1", pace, storetest.Noon, long); err != nil || !granted {
		t.Errorf("after a hang: granted %v, %v", granted, err)
	}
}
