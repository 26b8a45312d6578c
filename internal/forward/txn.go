package forward

import (
	"time"

	"foyer/internal/buyer"
)

// view is a transaction at one time, with what it has looked up. To find out who may be asked takes no more than this.
type view struct {
	Tx
	now     time.Time
	people  PersonRules
	healths map[string]*buyer.Health
}

// newView cuts the time to what the books can keep: a message must read the same after a restart.
func newView(p Tx, people PersonRules, now time.Time) view {
	return view{Tx: p, people: people, now: now.Truncate(time.Microsecond), healths: make(map[string]*buyer.Health)}
}

// txn is one transaction of the forwarder.
type txn struct {
	view
	f     *Forwarder
	dirty map[string]bool // standings that changed
	held  []string        // slots that were taken
	asked int             // how many were asked: time stands still in a transaction, and turns must not
}

func (f *Forwarder) newTxn(p Tx) *txn {
	return &txn{view: newView(p, f.Persons, f.Now()), f: f, dirty: make(map[string]bool)}
}

// health is how things go with a buyer, read once.
func (m view) health(id string) (*buyer.Health, error) {
	if s := m.healths[id]; s != nil {
		return s, nil
	}
	s, err := m.Health(id)
	m.healths[id] = &s
	return &s, err
}

// save writes the standings down that changed.
func (t *txn) save() error {
	for id := range t.dirty {
		if err := t.PutHealth(id, *t.healths[id]); err != nil {
			return err
		}
	}
	return nil
}
