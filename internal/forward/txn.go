package forward

import (
	"context"
	"errors"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// view is a transaction at one point in time. Finding the buyers to ask needs no more.
type view struct {
	*store.Tx
	now     time.Time
	persons PersonRules
	changed map[string]buyer.Health // by buyer id: written once, at the end of the transaction
}

// newView truncates the time to the precision of the store: a message must have the same bytes after a restart.
func newView(tx *store.Tx, persons PersonRules, now time.Time) view {
	return view{Tx: tx, persons: persons, now: now.Truncate(time.Microsecond)}
}

// txn is one transaction of the forwarder.
type txn struct {
	view
	f     *Forwarder
	slots []string // slots acquired, to be released if the transaction fails
	asked int      // how many buyers were asked: now is constant in a transaction, and the order of asking must still advance
}

// runTx runs do in a transaction of the store.
type runTx func(ctx context.Context, do func(*store.Tx) error) error

// update runs one transaction of the forwarder, and releases the slots that it acquired if it fails. If do needs the current
// buyers and this process does not have them (errStale), update reads them and tries again. If do turns out to write what run has
// not locked, it runs again while no other process forwards.
func (f *Forwarder) update(ctx context.Context, run runTx, do func(*txn) error) error {
	for tries := 0; ; tries++ {
		var acquired []string
		err := run(ctx, func(tx *store.Tx) error {
			f.releaseSlots(acquired) // from an earlier run of this function that was rolled back
			t := &txn{view: newView(tx, f.Persons, f.Now()), f: f}
			t.changed = make(map[string]buyer.Health)
			defer func() { acquired = t.slots }()
			if err := do(t); err != nil {
				return err
			}
			for id, h := range t.changed {
				if err := t.PutHealth(id, h); err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil {
			return nil
		}
		f.releaseSlots(acquired)
		switch {
		case tries == 3:
			return err
		case errors.Is(err, store.ErrNotLocked):
			run = f.Store.Update
		case !errors.Is(err, errStale):
			return err
		default:
			if err := f.Refresh(ctx); err != nil {
				return err
			}
		}
	}
}

// errStale means that the buyers changed since this process read them.
var errStale = errors.New("the buyers changed")

// isTemporary reports whether a transaction failed for a reason that has nothing to do with the rows it read.
func isTemporary(ctx context.Context, err error) bool {
	return ctx.Err() != nil || lead.KindOf(err) == lead.Unavailable || errors.Is(err, errStale) || errors.Is(err, errTakenOver)
}

// current reports whether this process has the current version of the buyers.
func (t *txn) current() (bool, error) {
	version, err := t.BuyersVersion()
	known := t.f.Coverage()
	return known != nil && known.Version == version, err
}

// checkCurrent returns errStale if this process does not have the current version of the buyers.
func (t *txn) checkCurrent() error {
	current, err := t.current()
	if err == nil && !current {
		err = errStale
	}
	return err
}

// health returns the health of a buyer, with the changes of this transaction.
func (v view) health(id string) (buyer.Health, error) {
	if h, changed := v.changed[id]; changed {
		return h, nil
	}
	return v.Health(id)
}

// wakeAt schedules a scan of the leads held for a buyer.
func (t *txn) wakeAt(id string, at time.Time) error {
	h, err := t.health(id)
	if err != nil {
		return err
	}
	t.changed[id] = h.Wake(at)
	return nil
}

// acquireSlot acquires a slot of a buyer. It is released if the transaction fails.
func (t *txn) acquireSlot(id string) bool {
	if !t.f.slots.acquire(id) {
		return false
	}
	t.slots = append(t.slots, id)
	return true
}

func (f *Forwarder) releaseSlots(slots []string) {
	for _, id := range slots {
		f.slots.release(id)
	}
}
