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

// leadsOfPhone finds what was put on the market of one phone number, each lead but the one that asks.
func (c Contract) leadsOfPhone(t *testing.T) {
	s := c.store(t)
	first, second, old := received(t, s, "lead_1", Noon), received(t, s, "lead_2", Noon.Add(time.Hour)), received(t, s, "lead_3", Noon.Add(-48*time.Hour))
	update(t, s, func(p *store.Tx) error {
		return errors.Join(p.EnterMarket("kaa1", first, Noon), p.EnterMarket("kaa1", first, Noon), p.EnterMarket("kaa2", second, Noon.Add(time.Hour)), p.EnterMarket("kab1", first, Noon),
			p.EnterMarket("kaa1", old, Noon.Add(-48*time.Hour)), p.Change(second, lead.Received, lead.Change{At: Noon, Status: lead.Forwarded, Actor: lead.ByService}))
	})
	for _, x := range []struct {
		what    string
		seq     int64
		want    []lead.OtherLead
		entered bool
	}{
		{"one that is new", 99, []lead.OtherLead{{Fingerprint: "kaa1", At: Noon, Status: lead.Received}, {Fingerprint: "kaa2", At: Noon.Add(time.Hour), Status: lead.Forwarded}}, false},
		{"the first", first, []lead.OtherLead{{Fingerprint: "kaa2", At: Noon.Add(time.Hour), Status: lead.Forwarded}}, true},
	} {
		update(t, s, func(p *store.Tx) error {
			got, entered, err := p.LeadsOfPhone("kaa1", "kaa", "kaag", "unkeyed", x.seq, Noon.Add(-24*time.Hour))
			if diff := cmp.Diff(x.want, got); diff != "" || entered != x.entered {
				t.Errorf("%s: entered %v, want %v; others (-want +got):\n%s", x.what, entered, x.entered, diff)
			}
			return err
		})
	}
}

// rekeyedFingerprints has prints of older versions found all the same, and gives them the form that has a key.
func (c Contract) rekeyedFingerprints(t *testing.T) {
	database := c.NewDatabase(t)
	s := Open(t, database)
	seq := received(t, s, "lead_1", Noon)
	gone := received(t, s, "lead_2", Noon)
	l, err := Find(t, s, "lead_1")
	if err != nil {
		t.Fatal(err)
	}
	unkeyed, keyed := l.Request.UnkeyedFingerprint(), l.Request.Fingerprint([]byte("key"))
	update(t, s, func(p *store.Tx) error {
		return errors.Join(p.EnterMarket(unkeyed, seq, Noon), p.EnterMarket("0123", gone, Noon))
	})
	if err := s.Erase(t.Context(), "lead_2", closing); err != nil {
		t.Fatal(err)
	}
	update(t, s, func(p *store.Tx) error { return p.RecordSale(unkeyed, "buyer_1", Noon) })
	s = Open(t, database) // as after an upgrade
	found := func(what string) {
		t.Helper()
		update(t, s, func(p *store.Tx) error {
			others, _, err := p.LeadsOfPhone(keyed, keyed, keyed+"0", unkeyed, 99, Noon.Add(-time.Hour))
			owners, ownersErr := p.SoldTo(keyed, unkeyed, Noon.Add(-time.Hour))
			if len(others) != 1 || others[0].Fingerprint != keyed || !slices.Equal(owners, []string{"buyer_1"}) {
				t.Errorf("%s: %v, owners %v", what, others, owners)
			}
			return errors.Join(err, ownersErr)
		})
	}
	found("before")
	if err := s.RekeyFingerprints(t.Context(), func(r lead.Request) string { return r.Fingerprint([]byte("key")) }); err != nil {
		t.Fatal(err)
	}
	unkeyed = "" // from here on nobody finds anything by it
	found("with its key")
}

// soldTo lists who accepted a lead for the same work, each once, as long as it matters.
func (c Contract) soldTo(t *testing.T) {
	s := c.store(t)
	update(t, s, func(p *store.Tx) error {
		return errors.Join(p.RecordSale("a", "buyer_1", Noon), p.RecordSale("a", "buyer_1", Noon.Add(time.Hour)), p.RecordSale("a", "buyer_2", Noon), p.RecordSale("b", "buyer_3", Noon))
	})
	for since, want := range map[time.Duration][]string{-time.Second: {"buyer_1", "buyer_2"}, 0: {"buyer_1"}, time.Hour: nil} {
		update(t, s, func(p *store.Tx) error {
			got, err := p.SoldTo("a", "", Noon.Add(since))
			if slices.Sort(got); !cmp.Equal(got, want) {
				t.Errorf("since %v: %v, want %v", since, got, want)
			}
			return err
		})
	}
}

// withheldLeads are found when what they repeat has left the market, the newest first, and are withheld no longer once they are not held.
func (c Contract) withheldLeads(t *testing.T) {
	s := c.store(t)
	hold := lead.Change{At: Noon, Status: lead.Collected, Actor: lead.ByService, Reason: "held"}
	var seqs []int64
	for i, id := range []string{"lead_1", "lead_2", "lead_3", "lead_4"} {
		at := Noon.Add(time.Duration(i) * time.Minute)
		seq := received(t, s, id, at)
		seqs = append(seqs, seq)
		reason := []lead.Mark{lead.Duplicate, lead.Duplicate, lead.ManyRequests, lead.Duplicate}[i]
		print := []string{"ka", "ka", "ka", "kb"}[i]
		update(t, s, func(p *store.Tx) error {
			return errors.Join(p.EndDelivery(seq), p.Hold(seq, hold, nil), p.Withhold(seq, reason, print, at))
		})
	}
	follow := func(want ...int64) {
		t.Helper()
		got, err := s.RepeatsToCheck(t.Context(), Noon.Add(time.Hour), 10)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("to follow: %v (%v), want %v", got, err, want)
		}
	}
	follow()
	update(t, s, func(p *store.Tx) error { return p.LeaveMarket("ka", Noon.Add(time.Hour)) })
	follow(seqs[1], seqs[0])
	update(t, s, func(p *store.Tx) error { return p.Withhold(seqs[1], lead.ManyRequests, "ka", Noon) })
	follow(seqs[0])
	update(t, s, func(p *store.Tx) error {
		if mark, err := p.Withheld(seqs[1]); mark != lead.ManyRequests || err != nil {
			t.Errorf("withheld for %q, %v", mark, err)
		}
		return p.Change(seqs[0], lead.Collected, lead.Change{At: Noon, Status: lead.Received, Actor: lead.ByService})
	})
	follow()
	update(t, s, func(p *store.Tx) error {
		if mark, err := p.Withheld(seqs[0]); mark != "" || err != nil {
			t.Errorf("released, and withheld for %q, %v", mark, err)
		}
		return nil
	})
}

// setAside leaves a lead alone until a time, fresh or not.
func (c Contract) setAside(t *testing.T) {
	s := c.store(t)
	fresh, seen := received(t, s, "lead_1", Noon), received(t, s, "lead_2", Noon)
	update(t, s, func(p *store.Tx) error {
		e, _, err := p.Delivery(seen)
		return errors.Join(err, p.PutDelivery(e))
	})
	update(t, s, func(p *store.Tx) error {
		return errors.Join(p.SetAside(fresh, Noon.Add(time.Hour)), p.SetAside(seen, Noon.Add(time.Hour)))
	})
	for at, want := range map[time.Duration]int{time.Minute: 0, time.Hour: 2} {
		update(t, s, func(p *store.Tx) error {
			due, err := p.Due("", Noon.Add(at), 10)
			if len(due) != want {
				t.Errorf("after %v: %d due, want %d", at, len(due), want)
			}
			return err
		})
	}
}
