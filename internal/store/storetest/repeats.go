package storetest

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
	"foyer/internal/store"
)

// leadsOfPhone finds the other leads of one phone number that were put on the market.
func (c Contract) leadsOfPhone(t *testing.T) {
	s := c.store(t)
	first, second, old := received(t, s, "lead_1", Noon), received(t, s, "lead_2", Noon.Add(time.Hour)), received(t, s, "lead_3", Noon.Add(-48*time.Hour))
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.EnterMarket("kaa1", first, Noon), tx.EnterMarket("kaa1", first, Noon), tx.EnterMarket("kaa2", second, Noon.Add(time.Hour)), tx.EnterMarket("kab1", first, Noon),
			tx.EnterMarket("kaa1", old, Noon.Add(-48*time.Hour)), tx.Change(second, lead.Received, lead.Change{At: Noon, Status: lead.Forwarded, Actor: lead.ByService}))
	})
	for _, tc := range []struct {
		what    string
		seq     int64
		want    []lead.OtherLead
		entered bool
	}{
		{"one that is new", 99, []lead.OtherLead{{Fingerprint: "kaa1", At: Noon, Status: lead.Received}, {Fingerprint: "kaa2", At: Noon.Add(time.Hour), Status: lead.Forwarded}}, false},
		{"the first", first, []lead.OtherLead{{Fingerprint: "kaa2", At: Noon.Add(time.Hour), Status: lead.Forwarded}}, true},
	} {
		update(t, s, func(tx *store.Tx) error {
			got, entered, err := tx.LeadsOfPhone("kaa", "kaag", tc.seq, Noon.Add(-24*time.Hour))
			if diff := cmp.Diff(tc.want, got); diff != "" || entered != tc.entered {
				t.Errorf("%s: entered %v, want %v; others (-want +got):\n%s", tc.what, entered, tc.entered, diff)
			}
			return err
		})
	}
}

// rekeyedFingerprints checks that fingerprints of older versions get a key, and their sales with them, and that nothing under
// the old one is left of an erased lead.
func (c Contract) rekeyedFingerprints(t *testing.T) {
	database := c.NewDatabase(t)
	s := Open(t, database)
	sibling := received(t, s, "lead_0", Noon) // of the same person; erased later
	seq := received(t, s, "lead_1", Noon)
	gone := received(t, s, "lead_2", Noon)
	l, err := Find(t, s, "lead_1")
	if err != nil {
		t.Fatal(err)
	}
	const unkeyed, unkeyedGone = "7c4a8d09ca3762af61e59520943dc264", "0123"
	keyed := l.Request.Fingerprint([]byte("key"))
	Erase(t, s, "lead_0")
	Erase(t, s, "lead_2")
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.EnterMarket(unkeyed, sibling, Noon), tx.EnterMarket(unkeyed, seq, Noon), tx.EnterMarket(unkeyedGone, gone, Noon),
			tx.RecordSale(unkeyed, "buyer_1", Noon), tx.RecordSale(unkeyedGone, "buyer_1", Noon))
	})
	for range 2 { // the second time there is nothing to do
		if err := s.RekeyFingerprints(t.Context(), func(r lead.Request) string { return r.Fingerprint([]byte("key")) }); err != nil {
			t.Fatal(err)
		}
	}
	update(t, s, func(tx *store.Tx) error {
		others, _, err := tx.LeadsOfPhone(keyed, keyed+"0", 99, Noon.Add(-time.Hour))
		soldTo, soldToErr := tx.SoldTo(keyed, Noon.Add(-time.Hour))
		if len(others) != 1 || others[0].Fingerprint != keyed || !slices.Equal(soldTo, []string{"buyer_1"}) {
			t.Errorf("with its key: %v, owners %v", others, soldTo)
		}
		left, _, leftErr := tx.LeadsOfPhone("", "g", 99, time.Time{})
		for _, old := range []string{unkeyed, unkeyedGone} {
			leftSales, leftSalesErr := tx.SoldTo(old, time.Time{})
			if leftErr = errors.Join(leftErr, leftSalesErr); len(left) > 0 || len(leftSales) > 0 {
				t.Errorf("without a key: %v, owners %v", left, leftSales)
			}
		}
		return errors.Join(err, soldToErr, leftErr)
	})
}

// soldTo lists the buyers that accepted a lead for the same work, each once, within a time.
func (c Contract) soldTo(t *testing.T) {
	s := c.store(t)
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.RecordSale("a", "buyer_1", Noon), tx.RecordSale("a", "buyer_1", Noon.Add(time.Hour)), tx.RecordSale("a", "buyer_2", Noon), tx.RecordSale("b", "buyer_3", Noon))
	})
	for since, want := range map[time.Duration][]string{-time.Second: {"buyer_1", "buyer_2"}, 0: {"buyer_1"}, time.Hour: nil} {
		update(t, s, func(tx *store.Tx) error {
			got, err := tx.SoldTo("a", Noon.Add(since))
			if slices.Sort(got); !cmp.Equal(got, want) {
				t.Errorf("since %v: %v, want %v", since, got, want)
			}
			return err
		})
	}
}

// withheldLeads checks that repeats are found, newest first, when the lead they repeat leaves the market, and that a lead is no
// longer withheld when it is no longer held.
func (c Contract) withheldLeads(t *testing.T) {
	s := c.store(t)
	hold := lead.Change{At: Noon, Status: lead.Collected, Actor: lead.ByService, Reason: "held"}
	var seqs []int64
	for i, id := range []string{"lead_1", "lead_2", "lead_3", "lead_4"} {
		at := Noon.Add(time.Duration(i) * time.Minute)
		seq := received(t, s, id, at)
		seqs = append(seqs, seq)
		reason := []lead.Mark{lead.Duplicate, lead.Duplicate, lead.ManyRequests, lead.Duplicate}[i]
		fingerprint := []string{"ka", "ka", "ka", "kb"}[i]
		update(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.EndDelivery(seq), tx.Change(seq, lead.Received, hold), tx.Withhold(seq, reason, fingerprint, at))
		})
	}
	wantRepeats := func(want ...int64) {
		t.Helper()
		got, err := s.RepeatsToCheck(t.Context(), Noon.Add(time.Hour), 10)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("repeats to check: %v (%v), want %v", got, err, want)
		}
	}
	wantRepeats()
	update(t, s, func(tx *store.Tx) error { return tx.LeaveMarket("ka", Noon.Add(time.Hour)) })
	wantRepeats(seqs[1], seqs[0])
	update(t, s, func(tx *store.Tx) error { return tx.Withhold(seqs[1], lead.ManyRequests, "ka", Noon) })
	wantRepeats(seqs[0])
	update(t, s, func(tx *store.Tx) error {
		if mark, err := tx.Withheld(seqs[1]); mark != lead.ManyRequests || err != nil {
			t.Errorf("withheld for %q, %v", mark, err)
		}
		return tx.Change(seqs[0], lead.Collected, lead.Change{At: Noon, Status: lead.Received, Actor: lead.ByService})
	})
	wantRepeats()
	update(t, s, func(tx *store.Tx) error {
		if mark, err := tx.Withheld(seqs[0]); mark != "" || err != nil {
			t.Errorf("released, and withheld for %q, %v", mark, err)
		}
		return nil
	})
}

// setAside postpones a lead until a time, new or not.
func (c Contract) setAside(t *testing.T) {
	s := c.store(t)
	isNew, seen := received(t, s, "lead_1", Noon), received(t, s, "lead_2", Noon)
	update(t, s, func(tx *store.Tx) error {
		d, _, err := tx.Delivery(seen)
		return errors.Join(err, tx.PutDelivery(d))
	})
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.SetAside(isNew, Noon.Add(time.Hour)), tx.SetAside(seen, Noon.Add(time.Hour)))
	})
	for at, want := range map[time.Duration]int{time.Minute: 0, time.Hour: 2} {
		update(t, s, func(tx *store.Tx) error {
			due, err := tx.Due("", Noon.Add(at), 10)
			if len(due) != want {
				t.Errorf("after %v: %d due, want %d", at, len(due), want)
			}
			return err
		})
	}
}
