package query_test

import (
	"strconv"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// testStore is a store to ask.
type testStore struct {
	t     *testing.T
	store *store.Store
	now   time.Time
	ids   int // how many ids the test made up
}

// nextID makes up an id.
func (o *testStore) nextID() string {
	o.ids++
	return strconv.Itoa(o.ids)
}

func newTestStore(t *testing.T) *testStore {
	t.Helper()
	return openTestStore(t, storetest.Database(t))
}

func openTestStore(t *testing.T, database string) *testStore {
	t.Helper()
	return &testStore{t: t, store: storetest.Open(t, database), now: storetest.Noon}
}

// update runs do in a transaction.
func (o *testStore) update(do func(*store.Tx) error) {
	o.t.Helper()
	if err := o.store.Update(o.t.Context(), do); err != nil {
		o.t.Fatal(err)
	}
}

// addBuyer stores a buyer of HVAC leads everywhere.
func (o *testStore) addBuyer(id, name string) buyer.Buyer {
	o.t.Helper()
	b := buyer.Buyer{ID: id, State: buyer.Active, CreatedAt: o.now, UpdatedAt: o.now, Terms: buyer.Terms{
		Name: name, URL: "https://buyer.example.com/leads", Services: []lead.Service{lead.HVAC}, Priority: buyer.DefaultPriority,
	}}
	o.update(func(tx *store.Tx) error { return tx.PutBuyer(b) })
	return b
}

// save stores an HVAC lead in Miami Beach.
func (o *testStore) save(id string, set func(*lead.Lead)) {
	o.t.Helper()
	l := storetest.Lead(id)
	l.Request.Service, l.CreatedAt, l.UpdatedAt = lead.HVAC, o.now, o.now
	set(&l)
	storetest.Save(o.t, o.store, l)
}

// addOffer stores an offer in the state it has.
func (o *testStore) addOffer(offer buyer.Offer) {
	o.t.Helper()
	o.update(func(tx *store.Tx) error {
		if err := tx.AddOffer(offer); err != nil {
			return err
		}
		return tx.PutOffer(offer, offer.State)
	})
}
