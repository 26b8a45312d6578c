package counts_test

import (
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/counts"
	"foyer/internal/store/storetest"
)

// A process that hung sends an old time. Its clients are not charged for what other processes granted since.
func TestCountAfterHang(t *testing.T) {
	t.Parallel()
	database := storetest.PostgreSQL(t)
	awake := storetest.Open(t, database)
	e, err := store.EngineFor(database)
	if err != nil {
		t.Fatal(err)
	}
	charge := lead.Charge{Key: "leads 192.0.2.1", Step: time.Millisecond, Burst: 1000}
	const long = 6 * time.Second
	if granted, _, _, err := awake.Counts().Count(t.Context(), []lead.Charge{charge}, 1, storetest.Noon.Add(long)); err != nil || !granted {
		t.Fatalf("granted %v, %v", granted, err)
	}
	if granted, err := counts.CountLate(t.Context(), e, charge, storetest.Noon, long); err != nil || !granted {
		t.Errorf("after a hang: granted %v, %v", granted, err)
	}
}
