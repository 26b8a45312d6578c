package storetest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

func (c Contract) offers(t *testing.T) {
	t.Run("an offer and its outcome come back", c.offerFields)
	t.Run("offers of a lead come oldest first", c.offerOrder)
	t.Run("an offer counts in its hour and in the total", c.capUse)
	t.Run("the hours of a day that is long past become one", c.countsByDay)
	t.Run("a day that is long past is a day of UTC, wherever it begins", c.countsByDayInZone)
	t.Run("the offers of a lead whose delivery ends are closed", c.offersDropped)
	t.Run("every attempt is stored", c.attempts)
	t.Run("the newest attempts of a buyer are found", c.newestAttempts)
	t.Run("a return is recorded once", c.returns)
	t.Run("the note of a return is erased with the person", c.notesErased)
	t.Run("notices of some buyers are left out", c.notices)
	t.Run("a message is identified by its id and its body", c.messages)
	t.Run("the secrets of an offer's buyer are found", c.offerSecrets)
	t.Run("an operator sees which buyers were asked", c.offered)
}

// offerTo makes an offer, to buyer_1 by default, and changes it to a state.
func offerTo(t *testing.T, s *store.Store, o buyer.Offer, state buyer.OfferState) buyer.Offer {
	t.Helper()
	if o.Buyer == "" {
		o.Buyer = "buyer_1"
	}
	o.State = buyer.OfferOpen
	update(t, s, func(tx *store.Tx) error { return tx.AddOffer(o) })
	o.State = state
	update(t, s, func(tx *store.Tx) error { return tx.PutOffer(o, buyer.OfferOpen) })
	return o
}

func (c Contract) offerFields(t *testing.T) {
	s := c.store(t)
	for _, want := range []buyer.Offer{
		{ID: "offer_plain", Lead: 1, Buyer: "buyer_1", At: Noon, State: buyer.OfferOpen},
		{ID: "offer_full", Lead: 2, Buyer: "buyer_2", At: Noon.Add(time.Microsecond), State: buyer.OfferDeclined, Code: buyer.CodeCap, Ref: "their’s #7", OneStep: true},
	} {
		offerTo(t, s, want, want.State)
		update(t, s, func(tx *store.Tx) error {
			got, found, err := tx.Offer(want.ID)
			if !found || got != want {
				t.Errorf("got %+v, %v; want %+v", got, found, want)
			}
			return err
		})
	}
	update(t, s, func(tx *store.Tx) error {
		if _, found, err := tx.Offer("offer_none"); found || err != nil {
			t.Errorf("an offer that was never made: %v, %v", found, err)
		}
		return nil
	})
	if err := s.Update(t.Context(), func(tx *store.Tx) error {
		return tx.AddOffer(buyer.Offer{ID: "offer_full", Lead: 3, Buyer: "buyer_1", At: Noon, State: buyer.OfferOpen})
	}); err == nil {
		t.Error("an id of an offer was used twice")
	}
}

func (c Contract) offerOrder(t *testing.T) {
	s := c.store(t)
	for id, at := range map[string]time.Duration{"offer_c": 2, "offer_a": 3, "offer_b": 1} {
		offerTo(t, s, buyer.Offer{ID: id, Lead: 1, At: Noon.Add(at * time.Second)}, buyer.OfferFailed)
	}
	offerTo(t, s, buyer.Offer{ID: "offer_other", Lead: 2, At: Noon}, buyer.OfferOpen)
	update(t, s, func(tx *store.Tx) error {
		offers, err := tx.Offers(1)
		var ids []string
		for _, o := range offers {
			ids = append(ids, o.ID)
		}
		if want := []string{"offer_b", "offer_c", "offer_a"}; !cmp.Equal(ids, want) {
			t.Errorf("got %v, want %v", ids, want)
		}
		return err
	})
}

// offersDropped ends the delivery of a lead: an open offer no longer counts, unless the buyer may have the contact, and closed
// offers do not change.
func (c Contract) offersDropped(t *testing.T) {
	for _, tc := range []struct {
		mayHaveContact bool
		want           buyer.OfferState
		used           int
	}{{false, buyer.OfferFailed, 0}, {true, buyer.OfferLost, 1}} {
		s := c.store(t)
		seq, other := received(t, s, "lead_1", Noon), received(t, s, "lead_2", Noon)
		offerTo(t, s, buyer.Offer{ID: "offer_before", Lead: seq, Buyer: "buyer_2", At: Noon}, buyer.OfferDeclined)
		offerTo(t, s, buyer.Offer{ID: "offer_other", Lead: other, Buyer: "buyer_3", At: Noon}, buyer.OfferOpen)
		offerLead(t, s, buyer.StepDeliver, tc.mayHaveContact)
		Erase(t, s, "lead_1")
		update(t, s, func(tx *store.Tx) error {
			for id, want := range map[string]buyer.OfferState{"offer_1": tc.want, "offer_before": buyer.OfferDeclined, "offer_other": buyer.OfferOpen} {
				if o, _, err := tx.Offer(id); err != nil || o.State != want {
					t.Errorf("contact may be out %v: %s is %s (%v), want %s", tc.mayHaveContact, id, o.State, err, want)
				}
			}
			if used, err := tx.Used("buyer_1", buyer.Period{}); err != nil || used.Leads != tc.used {
				t.Errorf("contact may be out %v: it counts %d times (%v), want %d", tc.mayHaveContact, used, err, tc.used)
			}
			for id, woken := range map[string]bool{"buyer_1": true, "buyer_2": false, "buyer_3": false} {
				if s, err := tx.Health(id); err != nil || s.WakeAt.IsZero() == woken {
					t.Errorf("contact may be out %v: what is held for %s is looked at: %v (%v)", tc.mayHaveContact, id, s.WakeAt, err)
				}
			}
			return nil
		})
	}
}

func (c Contract) attempts(t *testing.T) {
	database := c.NewDatabase(t)
	s, r := Open(t, database), OpenReader(t, database)
	seq, other := received(t, s, "lead_1", Noon), received(t, s, "lead_2", Noon)
	want := []buyer.Attempt{
		{Offer: "offer_1", Lead: seq, Kind: "lead.offered", At: Noon, Took: 15 * time.Second, Failure: "timeout: no answer", Decision: "failed"},
		{Offer: "offer_1", Lead: seq, Kind: "lead.offered", At: Noon.Add(2 * time.Second), Took: 1234 * time.Microsecond, Status: 200, Answer: "{\"decision\":\"é\"}\n\t'", Decision: "accept"},
	}
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.AddAttempt(want[1]), tx.AddAttempt(want[0]), tx.AddAttempt(buyer.Attempt{Offer: "offer_2", Lead: other, At: Noon}))
	})
	if got, err := r.Attempts(t.Context(), "lead_1"); err != nil || !cmp.Equal(got, want) {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, got))
	}
	if got, err := r.Attempts(t.Context(), "lead_none"); err != nil || len(got) != 0 {
		t.Errorf("attempts of a lead that does not exist: %v, %v", got, err)
	}
}

// newestAttempts wants the attempts of one buyer behind many of another, whether the search index has them or not.
func (c Contract) newestAttempts(t *testing.T) {
	s := c.store(t)
	first, busy, last := received(t, s, "lead_1", Noon), received(t, s, "lead_2", Noon), received(t, s, "lead_3", Noon)
	offerTo(t, s, buyer.Offer{ID: "offer_1", Lead: first, At: Noon}, buyer.OfferDeclined)
	offerTo(t, s, buyer.Offer{ID: "offer_2", Lead: busy, Buyer: "buyer_2", At: Noon}, buyer.OfferFailed)
	offerTo(t, s, buyer.Offer{ID: "offer_3", Lead: last, At: Noon}, buyer.OfferDeclined)
	oldest := buyer.Attempt{Offer: "offer_1", Lead: first, Kind: "lead.offered", At: Noon, Decision: "failed"}
	again := buyer.Attempt{Offer: "offer_1", Lead: first, Kind: "lead.offered", At: Noon.Add(time.Second), Decision: "decline other"}
	newest := buyer.Attempt{Offer: "offer_3", Lead: last, Kind: "lead.offered", At: Noon.Add(time.Minute), Answer: "{}", Decision: "decline other"}
	update(t, s, func(tx *store.Tx) error {
		errs := []error{tx.AddAttempt(oldest), tx.AddAttempt(again)}
		for range 2_100 {
			errs = append(errs, tx.AddAttempt(buyer.Attempt{Offer: "offer_2", Lead: busy, Kind: "lead.offered", At: Noon, Decision: "failed"}))
		}
		return errors.Join(append(errs, tx.AddAttempt(newest))...)
	})
	for _, indexed := range []bool{false, true} {
		if indexed {
			Index(t, s, SearchKey)
		}
		for limit, want := range map[int][]buyer.Attempt{1: {newest}, 2: {newest, again}, 20: {newest, again, oldest}} {
			var got []buyer.Attempt
			update(t, s, func(tx *store.Tx) (err error) {
				got, err = tx.Timeline().NewestAttempts("buyer_1", SearchKey, limit)
				return err
			})
			if !cmp.Equal(got, want) {
				t.Errorf("indexed %v, the newest %d (-want +got):\n%s", indexed, limit, cmp.Diff(want, got))
			}
		}
	}
	update(t, s, func(tx *store.Tx) error {
		got, err := tx.Timeline().NewestAttempts("buyer_3", SearchKey, 20)
		if len(got) != 0 {
			t.Errorf("a buyer that was never asked: %v", got)
		}
		return err
	})
}

func (c Contract) returns(t *testing.T) {
	database := c.NewDatabase(t)
	s, r := Open(t, database), OpenReader(t, database)
	seq := received(t, s, "lead_1", Noon)
	o := offerTo(t, s, buyer.Offer{ID: "offer_1", Lead: seq, At: Noon}, buyer.OfferDelivered)
	at := func() (returned, answered time.Time) {
		update(t, s, func(tx *store.Tx) error {
			var err, answeredErr error
			returned, err = tx.Returns().At("offer_1")
			answered, answeredErr = tx.Returns().LastAnsweredAt(o)
			return errors.Join(err, answeredErr)
		})
		return returned, answered
	}
	if returned, answered := at(); !returned.IsZero() || !answered.Equal(Noon) {
		t.Errorf("before anything: returned at %v, handed over at %v", returned, answered)
	}
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(
			tx.AddAttempt(buyer.Attempt{Offer: "offer_1", Lead: seq, At: Noon.Add(time.Minute), Took: 3 * time.Second}),
			tx.AddAttempt(buyer.Attempt{Offer: "offer_2", Lead: seq, At: Noon.Add(time.Hour)}),
			tx.Return(o, "the first reason", Noon.Add(2*time.Hour)),
			tx.Return(o, "a second one", Noon.Add(3*time.Hour)),
			tx.Return(buyer.Offer{ID: "offer_none", Buyer: "buyer_2", At: Noon}, "nothing", Noon),
		)
	})
	if returned, answered := at(); !returned.Equal(Noon.Add(2*time.Hour)) || !answered.Equal(Noon.Add(time.Minute+3*time.Second)) {
		t.Errorf("returned at %v, handed over at %v", returned, answered)
	}
	if got, err := r.Offered(t.Context(), "lead_1"); err != nil || len(got) != 1 || got[0].Reason != "the first reason" || !got[0].ReturnedAt.Equal(Noon.Add(2*time.Hour)) {
		t.Errorf("the operator sees %+v, %v", got, err)
	}
}

// messages checks that a buyer's messages are remembered for the requested time.
func (c Contract) messages(t *testing.T) {
	s := c.store(t)
	message := func(offer, id, body string) lead.Return {
		return lead.Return{Offer: offer, Message: id, Body: []byte(body)}
	}
	record := func(at time.Duration, r lead.Return) {
		update(t, s, func(tx *store.Tx) error { return tx.Returns().RecordMessage(r, Noon.Add(at)) })
	}
	want := func(at time.Duration, r lead.Return, another bool) {
		t.Helper()
		update(t, s, func(tx *store.Tx) error {
			got, err := tx.Returns().MessageSeen(r, Noon.Add(at-10*time.Minute))
			if got != another {
				t.Errorf("after %v, %s of %s with %s: another %v, want %v", at, r.Message, r.Offer, r.Body, got, another)
			}
			return err
		})
	}
	long := strings.Repeat("long/", 1000)
	want(0, message("offer_1", "msg", "a"), false)
	record(0, message("offer_1", "msg", "a"))
	record(0, message("offer_1", long, "a"))
	want(0, message("offer_1", "msg", "a"), false)
	want(0, message("offer_1", "msg", "b"), true)
	want(0, message("offer_1", long, "b"), true)
	want(0, message("offer_1", "ms", "b"), false)
	want(0, message("offer_2", "msg", "b"), false)
	record(5*time.Minute, message("offer_1", "msg", "a")) // sent again: it may be repeated while the later signature is valid
	want(15*time.Minute, message("offer_1", "msg", "b"), true)
	want(15*time.Minute, message("offer_1", long, "b"), false)
	if err := Job(t, s).DeleteOld(t.Context(), store.WebhookIDs, Noon.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := s.Update(t.Context(), func(tx *store.Tx) error { // an old message is deleted, not only ignored
		another, err := tx.Returns().MessageSeen(message("offer_1", "msg", "b"), time.UnixMicro(0))
		if another {
			t.Error("an old message is still there")
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

func (c Contract) offerSecrets(t *testing.T) {
	s := c.store(t)
	offerTo(t, s, buyer.Offer{ID: "offer_1", At: Noon}, buyer.OfferDelivered)
	want := func(when, offer string, secrets ...string) {
		t.Helper()
		if got, err := s.OfferSecrets(t.Context(), offer); err != nil || !cmp.Equal(got, secrets) {
			t.Errorf("%s: %q, %v; want %q", when, got, err, secrets)
		}
	}
	want("no buyer", "offer_1")
	update(t, s, func(tx *store.Tx) error {
		return tx.PutBuyer(buyer.Buyer{ID: "buyer_1", Secrets: []string{"new", "old"}, CreatedAt: Noon, UpdatedAt: Noon})
	})
	want("its buyer", "offer_1", "new", "old")
	want("no such offer", "offer_2")
	update(t, s, func(tx *store.Tx) error {
		return tx.PutBuyer(buyer.Buyer{ID: "buyer_1", Secrets: []string{"new"}, State: "removed", CreatedAt: Noon, UpdatedAt: Noon})
	})
	want("its row stayed when the buyer was removed", "offer_1")
	update(t, s, func(tx *store.Tx) error { return tx.RemoveBuyer("buyer_1", Noon) })
	want("the buyer was removed", "offer_1")
}

func (c Contract) offered(t *testing.T) {
	database := c.NewDatabase(t)
	s, r := Open(t, database), OpenReader(t, database)
	seq := received(t, s, "lead_1", Noon)
	update(t, s, func(tx *store.Tx) error {
		return tx.PutBuyer(buyer.Buyer{ID: "buyer_1", Terms: buyer.Terms{Name: "Cool Air"}, CreatedAt: Noon, UpdatedAt: Noon})
	})
	later := offerTo(t, s, buyer.Offer{ID: "offer_a", Lead: seq, At: Noon.Add(time.Second), Ref: "7", OneStep: true}, buyer.OfferDelivered)
	earlier := offerTo(t, s, buyer.Offer{ID: "offer_b", Lead: seq, Buyer: "buyer_gone", At: Noon, Code: buyer.CodeOther}, buyer.OfferDeclined)
	got, err := r.Offered(t.Context(), "lead_1")
	if want := []store.Offered{{Offer: earlier}, {Offer: later, BuyerName: "Cool Air"}}; err != nil || !cmp.Equal(got, want) {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, got))
	}
	if id, err := r.LeadOf(t.Context(), "offer_b"); err != nil || id != "lead_1" {
		t.Errorf("the offer was made of %q, %v", id, err)
	}
	if _, err := r.LeadOf(t.Context(), "offer_none"); KindOf(err) != lead.NotFound {
		t.Errorf("an offer that was never made: %v", err)
	}
}
