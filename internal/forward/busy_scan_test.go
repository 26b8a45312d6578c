package forward_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// countingStore counts the transactions until the last lead is released, and may say that clients keep the writer busy.
type countingStore struct {
	testStore
	busy     bool
	releases *int
}

func (b countingStore) Busy() bool { return b.busy }

func (b countingStore) Update(ctx context.Context, do func(*store.Tx) error) error {
	return b.testStore.Update(ctx, func(tx *store.Tx) error {
		last, err := tx.Lead("lead_29")
		if err != nil {
			return err
		}
		if last.Status == lead.Collected { // the scan goes on
			*b.releases++
		}
		return do(tx)
	})
}

// A scan releases all held leads, in smaller transactions while clients keep the writer busy: each of them waits for one.
func TestScanWhileBusy(t *testing.T) {
	for name, busy := range map[string]bool{"idle": false, "busy": true} {
		t.Run(name, func(t *testing.T) {
			fx, releases := newFixture(t), 0
			fx.add("a")
			fx.advance(time.Minute)
			fx.work() // a scan after a change is repeated once every process knows of it
			for i := range 30 {
				fx.submit(fmt.Sprintf("lead_%02d", i), func(l *lead.Lead) {
					l.Status, l.Request.Contact.Phone = lead.Collected, fmt.Sprintf("+130555501%02d", i)
				})
			}
			fx.update(func(tx *store.Tx) error { return tx.PutHealth("a", buyer.Health{WakeAt: fx.now}) })
			fx.f.Store = countingStore{testStore{fx.st, func() error { return nil }}, busy, &releases}
			fx.work()
			if n := len(fx.recipients(forward.LeadDelivered)); n != 30 {
				t.Errorf("%d leads were delivered", n)
			}
			want := 1 + 2 // the beginning of the scan; 25 and 5 leads
			if busy {
				want = 1 + 3 // 10 leads each
			}
			if releases != want {
				t.Errorf("%d transactions until the last is released, want %d", releases, want)
			}
		})
	}
}
