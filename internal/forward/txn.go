package forward

import (
	"time"

	"foyer/internal/buyer"
	"foyer/internal/store"
)

// view is a transaction at one point in time, with a cache of what it has read. Finding the buyers to ask needs no more.
type view struct {
	*store.Tx
	now     time.Time
	persons PersonRules
	healths map[string]*buyer.Health
}

// newView truncates the time to the precision of the store: a message must have the same bytes after a restart.
func newView(tx *store.Tx, persons PersonRules, now time.Time) view {
	return view{Tx: tx, persons: persons, now: now.Truncate(time.Microsecond), healths: make(map[string]*buyer.Health)}
}

// txn is one transaction of the forwarder.
type txn struct {
	view
	f     *Forwarder
	dirty map[string]bool // buyers whose health changed
	slots []string        // slots acquired, to be released if the transaction fails
	asked int             // how many buyers were asked: now is constant in a transaction, and the order of asking must still advance
}

func (f *Forwarder) newTxn(tx *store.Tx) *txn {
	return &txn{view: newView(tx, f.Persons, f.Now()), f: f, dirty: make(map[string]bool)}
}

// health returns the health of a buyer, reading it once.
func (v view) health(id string) (*buyer.Health, error) {
	if h := v.healths[id]; h != nil {
		return h, nil
	}
	h, err := v.Health(id)
	v.healths[id] = &h
	return &h, err
}

// save writes the healths that changed.
func (t *txn) save() error {
	for id := range t.dirty {
		if err := t.PutHealth(id, *t.healths[id]); err != nil {
			return err
		}
	}
	return nil
}
