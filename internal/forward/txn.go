package forward

import (
	"time"

	"foyer/internal/buyer"
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
	slots []string        // slots acquired, to be released if the transaction fails
	asked int             // how many buyers were asked: now is constant in a transaction, and the order of asking must still advance
}

// health returns the health of a buyer, with the changes of this transaction.
func (v view) health(id string) (buyer.Health, error) {
	if h, changed := v.changed[id]; changed {
		return h, nil
	}
	return v.Health(id)
}

func (t *txn) saveHealths() error {
	for id, h := range t.changed {
		if err := t.PutHealth(id, h); err != nil {
			return err
		}
	}
	return nil
}
