package storetest

import (
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

func (c Contract) wishes(t *testing.T) {
	t.Run("a wish is kept, and once however often it is sent", c.wishKept)
	t.Run("a settled wish forgets the phone number", c.wishSettled)
	t.Run("the request of a wish is closed where nobody has the contact", c.wishCloses)
	t.Run("who waits at a door leaves a queue that does not move", c.wishLeaves)
}

func wish(id string) lead.Wish {
	return lead.Wish{ID: id, At: Noon, Kind: lead.Withdraw, Phone: somePhone, LeadID: "lead_1", State: lead.WishOpen}
}

var withdrawn = lead.Change{At: Noon.Add(time.Hour), Status: lead.Rejected, Actor: lead.ByService, Reason: "consent withdrawn"}

func keepWish(t *testing.T, s *store.Store, w lead.Wish) {
	t.Helper()
	if err := s.KeepWish(t.Context(), w, withdrawn); err != nil {
		t.Fatal(err)
	}
}

func wantWishes(t *testing.T, r *store.Reader, all bool, want ...lead.Wish) {
	t.Helper()
	got, err := r.Wishes(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the list differs (-want +got):\n%s", diff)
	}
}

// wishLeaves has a turn stand still. The wish behind it is refused meanwhile, and is not kept behind its sender's back.
func (c Contract) wishLeaves(t *testing.T) {
	database := c.NewDatabase(t)
	s, r := Open(t, database), OpenReader(t, database)
	began, end := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		if err := s.Turn(t.Context(), func(*store.Page) error { close(began); <-end; return nil }); err != nil {
			t.Error(err)
		}
	})
	<-began
	if err := s.KeepWish(t.Context(), wish("wish_1"), withdrawn); KindOf(err) != lead.Unavailable {
		t.Errorf("got %v, want kind %s", err, lead.Unavailable)
	}
	close(end)
	all.Wait()
	keepWish(t, s, wish("wish_2"))
	wantWishes(t, r, true, wish("wish_2"))
}

func (c Contract) wishKept(t *testing.T) {
	database := c.NewDatabase(t)
	s, r := Open(t, database), OpenReader(t, database)
	first, erase, other, unnamed := wish("wish_1"), wish("wish_2"), wish("wish_3"), wish("wish_4")
	erase.Kind, other.Phone, unnamed.LeadID = lead.EraseAll, "+13055550124", ""
	for _, w := range []lead.Wish{first, erase, other, unnamed} {
		keepWish(t, s, w)
		w.ID, w.At = w.ID+"again", Noon.Add(time.Minute)
		keepWish(t, s, w)
	}
	wantWishes(t, r, false, first, erase, other, unnamed)
	if got, err := r.Wish(t.Context(), "wish_3"); err != nil || got != other {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := r.Wish(t.Context(), "wish_9"); KindOf(err) != lead.NotFound {
		t.Errorf("got %v, want kind %s", err, lead.NotFound)
	}
}

func (c Contract) wishSettled(t *testing.T) {
	database := c.NewDatabase(t)
	s, r := Open(t, database), OpenReader(t, database)
	keepWish(t, s, wish("wish_1"))
	for id, want := range map[string]lead.Kind{"wish_1": "", "wish_9": lead.NotFound} {
		if err := s.SettleWish(t.Context(), id, "suppressed"); KindOf(err) != want || want == "" && err != nil {
			t.Errorf("%s: got %v, want kind %q", id, err, want)
		}
	}
	if err := s.SettleWish(t.Context(), "wish_1", "again"); KindOf(err) != lead.Refused {
		t.Errorf("settled twice: %v", err)
	}
	done := wish("wish_1")
	done.State, done.Phone, done.Note = lead.WishDone, "", "suppressed"
	wantWishes(t, r, false)
	wantWishes(t, r, true, done)
	keepWish(t, s, wish("wish_2")) // the same wish after it was settled is a new one
	wantWishes(t, r, false, wish("wish_2"))
}

func (c Contract) wishCloses(t *testing.T) {
	onItsWay := func(step buyer.Step, unsure bool) func(*testing.T, *store.Store) {
		return func(t *testing.T, s *store.Store) { offerLead(t, s, step, unsure) }
	}
	for name, x := range map[string]struct {
		status lead.Status
		phone  string
		before func(*testing.T, *store.Store)
		want   lead.Status
	}{
		"held":                           {lead.Collected, somePhone, nil, lead.Rejected},
		"looking for a buyer":            {lead.Received, somePhone, nil, lead.Rejected},
		"a buyer is being asked":         {lead.Received, somePhone, onItsWay(buyer.Propose, false), lead.Rejected},
		"accepted, and nothing sent yet": {lead.Received, somePhone, onItsWay(buyer.Deliver, false), lead.Rejected},
		"the contact is on its way":      {lead.Received, somePhone, onItsWay(buyer.Deliver, true), lead.Received},
		"passed on":                      {lead.Forwarded, somePhone, nil, lead.Forwarded},
		"another's":                      {lead.Collected, "+13055550199", nil, lead.Collected},
		"nobody's":                       {lead.CallToConnect, "", nil, lead.CallToConnect},
	} {
		t.Run(name, func(t *testing.T) {
			s := c.store(t)
			l := Lead("lead_1")
			l.Status, l.Request.Contact.Phone = x.status, x.phone
			Save(t, s, l)
			if x.before != nil {
				x.before(t, s)
			}
			keepWish(t, s, wish("wish_1"))
			if got, err := s.Glance(t.Context(), l.ID); err != nil || got.Status != x.want {
				t.Errorf("it is %s (%v), want %s", got.Status, err, x.want)
			}
			if x.want == lead.Rejected {
				wantOffItsWay(t, s)
			}
		})
	}
}

// offerLead has a buyer asked about lead_1, or given its contact; unsure is whether it may have it by now.
func offerLead(t *testing.T, s *store.Store, step buyer.Step, unsure bool) {
	t.Helper()
	turn(t, s, func(p *store.Page) error {
		seq, err := p.SeqOf("lead_1")
		if err != nil {
			return err
		}
		e, _, err := p.Errand(seq)
		if err != nil {
			return err
		}
		e.Lane, e.Step, e.Offer, e.Owner, e.MayHaveContact = "buyer_1", step, "offer_1", "proc_1", unsure
		if err := p.AddOffer(buyer.Offer{ID: "offer_1", Lead: seq, Buyer: "buyer_1", At: Noon, State: buyer.Open}); err != nil {
			return err
		}
		return p.PutErrand(e)
	})
}

// wantOffItsWay wants lead_1 to stand before nobody, and to count towards nobody's caps.
func wantOffItsWay(t *testing.T, s *store.Store) {
	t.Helper()
	turn(t, s, func(p *store.Page) error {
		seq, err := p.SeqOf("lead_1")
		if err != nil {
			return err
		}
		if _, found, err := p.Errand(seq); err != nil || found {
			t.Errorf("it is still on its way (%v)", err)
		}
		if used, err := p.Used("buyer_1", buyer.Period{}); err != nil || used != 0 {
			t.Errorf("it counts %d times (%v)", used, err)
		}
		return nil
	})
}
