package forward

import (
	"time"

	"foyer/internal/buyer"
)

// moment is a transaction at one time, with what it has looked up. To find out who may be asked takes no more than this.
type moment struct {
	Page
	now       time.Time
	people    People
	standings map[string]*buyer.Standing
}

// momentOf cuts the time to what the books can keep: a message must read the same after a restart.
func momentOf(p Page, people People, now time.Time) moment {
	return moment{Page: p, people: people, now: now.Truncate(time.Microsecond), standings: make(map[string]*buyer.Standing)}
}

// turn is one transaction of the forwarder.
type turn struct {
	moment
	f     *Forwarder
	dirty map[string]bool // standings that changed
	held  []string        // slots that were taken
	asked int             // how many were asked: time stands still in a transaction, and turns must not
}

func (f *Forwarder) turn(p Page) *turn {
	return &turn{moment: momentOf(p, f.People, f.Now()), f: f, dirty: make(map[string]bool)}
}

// standing is how things go with a buyer, read once.
func (m moment) standing(id string) (*buyer.Standing, error) {
	if s := m.standings[id]; s != nil {
		return s, nil
	}
	s, err := m.Standing(id)
	m.standings[id] = &s
	return &s, err
}

// save writes the standings down that changed.
func (t *turn) save() error {
	for id := range t.dirty {
		if err := t.PutStanding(id, *t.standings[id]); err != nil {
			return err
		}
	}
	return nil
}
