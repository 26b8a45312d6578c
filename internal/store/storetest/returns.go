package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// notesErased checks that the note of a decided return is erased with the person, and no other.
func (c Contract) notesErased(t *testing.T) {
	s := c.store(t)
	want := make(map[string]buyer.Return)
	for _, id := range []string{"1", "2"} {
		o := offerTo(t, s, buyer.Offer{ID: "offer_" + id, Lead: received(t, s, "lead_"+id, Noon), At: Noon}, buyer.OfferDelivered)
		r := buyer.Return{Offer: o.ID, Buyer: o.Buyer, At: Noon, Code: lead.ReturnOther, State: buyer.ReturnDenied, DecidedAt: Noon, DecidedBy: "cli:ada", Note: "Pat Example answered", NotifyAt: Noon}
		update(t, s, func(tx *store.Tx) error { return errors.Join(tx.Return(o, "no", Noon), tx.Returns().Put(r)) })
		want[o.ID] = r
	}
	Erase(t, s, "lead_1")
	erased := want["offer_1"]
	erased.Note = ""
	want["offer_1"] = erased
	for id, r := range want {
		update(t, s, func(tx *store.Tx) error {
			got, _, err := tx.Returns().Find(id)
			if !cmp.Equal(got, r) {
				t.Errorf("the return of %s (-want +got):\n%s", id, cmp.Diff(r, got))
			}
			return err
		})
	}
}

// notices checks that the longest due come first, and those of some buyers not at all.
func (c Contract) notices(t *testing.T) {
	s := c.store(t)
	for i, id := range []string{"buyer_2", "buyer_1", "buyer_1", "buyer_3"} {
		r := buyer.Return{Offer: fmt.Sprint("offer_", i), Buyer: id, At: Noon, Code: lead.ReturnOther, State: buyer.ReturnDenied, DecidedAt: Noon, NotifyAt: Noon.Add(-time.Duration(i) * time.Minute)}
		update(t, s, func(tx *store.Tx) error { return tx.Returns().Put(r) })
	}
	for _, w := range []struct {
		now   time.Time
		limit int
		but   []string
		want  []string
	}{
		{Noon, 9, nil, []string{"offer_3", "offer_2", "offer_1", "offer_0"}},
		{Noon.Add(-time.Minute), 2, nil, []string{"offer_3", "offer_2"}},
		{Noon, 2, []string{"buyer_1"}, []string{"offer_3", "offer_0"}},
		{Noon, 9, []string{"buyer_1", "buyer_3"}, []string{"offer_0"}},
	} {
		due, err := s.ReturnsToNotify(t.Context(), w.now, w.limit, w.but...)
		var got []string
		for _, r := range due {
			got = append(got, r.Offer)
		}
		if err != nil || !cmp.Equal(got, w.want) {
			t.Errorf("at %v, %d but for %v: %v, %v; want %v", w.now, w.limit, w.but, got, err, w.want)
		}
	}
}
