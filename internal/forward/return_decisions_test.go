package forward_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
)

// soldFixture has leads that buyer a took for 45 dollars each. It approves returns of one code, and denies those of another.
func soldFixture(t *testing.T, leads ...string) *fixture {
	t.Helper()
	fx := newFixture(t)
	fx.add("a")
	fx.change("a", func(t *buyer.Terms) {
		t.Prices = map[lead.Service]buyer.Cents{storetest.Lead("lead_1").Request.Service: 45_00}
		t.Returns = buyer.ReturnTerms{Days: 10, Approve: []lead.ReturnCode{lead.ReturnDuplicate}, Deny: []lead.ReturnCode{lead.ReturnOther}}
		t.Caps.Total = len(leads)
	})
	for i, id := range leads {
		fx.submit(id, zip([]string{"33101", "33102", "33103"}[i]))
	}
	fx.work()
	fx.sent = nil
	return fx
}

// desk is the desk of returns on the store of a fixture.
func (fx *fixture) desk() *forward.ReturnService {
	return &forward.ReturnService{Secrets: fx.st.OfferSecrets, Update: fx.st.Update, MaxAge: 10 * time.Minute, Now: func() time.Time { return fx.now }, Log: slog.New(slog.DiscardHandler)}
}

// offerOf returns the offer of a lead.
func (fx *fixture) offerOf(id string) (o buyer.Offer) {
	fx.t.Helper()
	fx.update(func(tx *store.Tx) error {
		seq, err := tx.LeadOf(id)
		if err != nil {
			return err
		}
		offers, err := tx.Offers(seq)
		if len(offers) != 1 {
			fx.t.Fatalf("%s has %d offers", id, len(offers))
		}
		o = offers[0]
		return err
	})
	return o
}

// What was agreed on for the code decides a return at once, or it waits. An approved one gives back the price and the place under the
// caps, and the lead goes to nobody else.
func TestReturnsAreDecidedByTheirCode(t *testing.T) {
	for code, want := range map[lead.ReturnCode]struct {
		state buyer.ReturnState
		offer buyer.OfferState
		owed  int
		used  int
	}{
		lead.ReturnDuplicate:  {buyer.ReturnApproved, buyer.OfferReturned, 0, 0},
		lead.ReturnOther:      {buyer.ReturnDenied, buyer.OfferDelivered, 45_00, 1},
		lead.ReturnBadContact: {buyer.ReturnWaiting, buyer.OfferDelivered, 45_00, 1},
	} {
		t.Run(string(code), func(t *testing.T) {
			fx := soldFixture(t, "lead_1")
			o := fx.offerOf("lead_1")
			for range 2 { // to say it again changes nothing
				if _, err := fx.desk().Take(t.Context(), lead.Return{Offer: o.ID, Code: code, Reason: "no", Message: "m", Body: []byte("b")}); err != nil {
					t.Fatal(err)
				}
			}
			fx.update(func(tx *store.Tx) error {
				r, found, err := tx.Returns().Find(o.ID)
				if !found || r.State != want.state || r.Code != code || r.NotifyAt.IsZero() != (want.state == buyer.ReturnWaiting) {
					t.Errorf("the return is %+v (%v)", r, found)
				}
				used, usedErr := tx.Used("a", buyer.Period{})
				if used.Leads != want.used || used.Money != buyer.Cents(want.used)*45_00 {
					t.Errorf("used: %+v", used)
				}
				counts, countsErr := tx.Counts("a", buyer.Period{})
				if counts.Delivered != 1 || counts.Returned != 1 || counts.Charged != 45_00 || int(counts.Charged-counts.Credited) != want.owed {
					t.Errorf("counted: %+v", counts)
				}
				owed, owedErr := tx.Ledger().Owed("a")
				if int(owed) != want.owed {
					t.Errorf("it owes %s", owed)
				}
				return errors.Join(err, usedErr, countsErr, owedErr)
			})
			if state := fx.offerOf("lead_1").State; state != want.offer {
				t.Errorf("the offer is %s", state)
			}
			fx.add("b") // somebody else who would take it
			fx.advance(time.Hour)
			fx.work()
			fx.wantLead("lead_1", lead.Forwarded)
			fx.wantRecipients(forward.LeadOffered)
		})
	}
}

func TestReturnDays(t *testing.T) {
	fx := soldFixture(t, "lead_1")
	o := fx.offerOf("lead_1")
	fx.advance(10*24*time.Hour + time.Minute)
	if _, err := fx.desk().Take(t.Context(), lead.Return{Offer: o.ID, Code: lead.ReturnDuplicate, Reason: "no"}); lead.KindOf(err) != lead.Refused {
		t.Errorf("after ten days: %v", err)
	}
	fx.advance(-2 * time.Minute)
	if _, err := fx.desk().Take(t.Context(), lead.Return{Offer: o.ID, Code: lead.ReturnDuplicate, Reason: "no"}); err != nil {
		t.Errorf("on the tenth day: %v", err)
	}
}

// The place that a return leaves free is taken by a lead that was held for it.
func TestReturnFreesAPlace(t *testing.T) {
	fx := soldFixture(t, "lead_1")
	fx.submit("lead_2", zip("33102"))
	fx.work()
	fx.wantLead("lead_2", lead.Collected)
	if _, err := fx.desk().Take(t.Context(), lead.Return{Offer: fx.offerOf("lead_1").ID, Code: lead.ReturnDuplicate, Reason: "no"}); err != nil {
		t.Fatal(err)
	}
	fx.work()
	fx.wantLead("lead_2", lead.Forwarded)
}

// notifier tells buyers about returns, with answers by the fixture.
func (fx *fixture) notifier() *forward.ReturnNotifier {
	return &forward.ReturnNotifier{
		ToNotify: fx.st.ReturnsToNotify, Update: fx.st.Update, Chance: func() float64 { return 0.5 }, Now: func() time.Time { return fx.now }, Log: slog.New(slog.NewTextHandler(&fx.log, nil)),
		Send: func(_ context.Context, msg webhook.Message) webhook.Outcome {
			fx.sent = append(fx.sent, msg)
			return fx.answer(msg)
		},
	}
}

func (fx *fixture) notify() {
	fx.t.Helper()
	if err := fx.notifier().Notify(fx.t.Context()); err != nil {
		fx.t.Fatal(err)
	}
}

// A buyer is told what became of its return, again and again until it has heard it.
func TestBuyerHearsOfItsReturn(t *testing.T) {
	fx := soldFixture(t, "lead_1")
	o := fx.offerOf("lead_1")
	fx.notify()
	if _, err := fx.desk().Take(t.Context(), lead.Return{Offer: o.ID, Code: lead.ReturnDuplicate, Reason: "we know Pat"}); err != nil {
		t.Fatal(err)
	}
	decided := fx.now
	fx.answer = func(webhook.Message) webhook.Outcome { return answered(503, "Pat Example") }
	fx.notify()
	fx.notify() // not due yet
	fx.advance(10 * time.Second)
	fx.answer = func(webhook.Message) webhook.Outcome { return answered(204, "") }
	fx.notify()
	fx.advance(time.Hour)
	fx.notify()
	if len(fx.sent) != 2 {
		t.Fatalf("sent: %d messages", len(fx.sent))
	}
	var body struct {
		Type      string
		Timestamp time.Time
		Data      map[string]any
	}
	if err := json.Unmarshal(fx.sent[0].Body, &body); err != nil {
		t.Fatal(err)
	}
	if body.Type != forward.ReturnDecided || !body.Timestamp.Equal(decided) || body.Data["offer_id"] != o.ID || body.Data["decision"] != "approved" || body.Data["credit_cents"] != 4500.0 || body.Data["code"] != "duplicate" || len(body.Data) != 6 {
		t.Errorf("sent: %s", fx.sent[0].Body)
	}
	if again := fx.sent[1]; again.ID != fx.sent[0].ID || string(again.Body) != string(fx.sent[0].Body) {
		t.Errorf("first %s, then %s", fx.sent[0].Body, again.Body)
	}
	var kinds []string
	fx.update(func(tx *store.Tx) error {
		attempts, err := tx.Timeline().Attempts("lead_1")
		for _, a := range attempts {
			if kinds = append(kinds, a.Kind+" "+a.Decision); a.Kind == forward.ReturnDecided && a.Answer != "" {
				t.Errorf("the answer %q is kept", a.Answer)
			}
		}
		return err
	})
	if want := []string{"lead.return_decided failed", "lead.return_decided notified"}; !slices.Equal(kinds[len(kinds)-2:], want) {
		t.Errorf("noted: %v", kinds)
	}
}

// A buyer that does not answer delays no other, is tried for as long as for a delivery, and then left alone. One that is gone hears
// nothing.
func TestBuyerThatDoesNotHear(t *testing.T) {
	fx := soldFixture(t, "lead_1", "lead_2")
	for _, id := range []string{"lead_1", "lead_2"} {
		if _, err := fx.desk().Take(t.Context(), lead.Return{Offer: fx.offerOf(id).ID, Code: lead.ReturnDuplicate, Reason: "no"}); err != nil {
			t.Fatal(err)
		}
	}
	fx.answer = func(webhook.Message) webhook.Outcome { return answered(500, "") }
	fx.notify()
	if len(fx.sent) != 1 {
		t.Errorf("in one round, %d messages to a buyer that fails", len(fx.sent))
	}
	for range 40 {
		fx.advance(10 * time.Hour)
		fx.notify()
	}
	if len(fx.sent) != 20 {
		t.Errorf("%d messages, want 10 about each return", len(fx.sent))
	}
	fx.submit("lead_3", zip("33103"))
	fx.answer = accepting
	fx.work()
	fx.sent = nil
	if _, err := fx.desk().Take(t.Context(), lead.Return{Offer: fx.offerOf("lead_3").ID, Code: lead.ReturnDuplicate, Reason: "no"}); err != nil {
		t.Fatal(err)
	}
	fx.update(func(tx *store.Tx) error { return tx.RemoveBuyer("a", fx.now) })
	fx.notify()
	if due, err := fx.st.ReturnsToNotify(t.Context(), fx.now, 10); err != nil || len(due) != 0 || len(fx.sent) != 0 {
		t.Errorf("to tell: %v (%v), sent: %d", due, err, len(fx.sent))
	}
}

// decide has a return of a delivered lead decided, of which its buyer is to be told.
func (fx *fixture) decide(offer, buyerID string, at time.Time) {
	fx.t.Helper()
	fx.update(func(tx *store.Tx) error {
		o := buyer.Offer{ID: offer, Lead: 1, Buyer: buyerID, At: at, State: buyer.OfferDelivered}
		r := buyer.Return{Offer: offer, Buyer: buyerID, At: at, Code: lead.ReturnOther, State: buyer.ReturnDenied, DecidedAt: at, DecidedBy: string(ada), Note: "Pat Example answered", NotifyAt: at}
		return errors.Join(tx.AddOffer(o), tx.Return(o, "no", at), tx.Returns().Put(r))
	})
}

// However many notices a buyer leaves waiting, the others hear theirs in the same turn.
func TestBuyerThatDoesNotHearHoldsUpNoOther(t *testing.T) {
	fx := newFixture(t)
	fx.add("a", "b", "c")
	fx.submit("lead_1")
	for i := range 150 {
		fx.decide(fmt.Sprint("offer_a", i), "a", fx.now.Add(time.Duration(i)*time.Millisecond))
	}
	fx.advance(time.Second)
	fx.decide("offer_b", "b", fx.now)
	for i := range 120 { // more than one batch
		fx.decide(fmt.Sprint("offer_c", i), "c", fx.now.Add(time.Duration(i)*time.Millisecond))
	}
	fx.advance(time.Second)
	fx.answer = func(msg webhook.Message) webhook.Outcome {
		if strings.Contains(msg.URL, "//a.") {
			return answered(503, "")
		}
		return answered(204, "")
	}
	fx.notify()
	sent := make(map[string]int)
	for _, msg := range fx.sent {
		sent[msg.URL]++
	}
	if want := map[string]int{"https://a.example.com/leads": 1, "https://b.example.com/leads": 1, "https://c.example.com/leads": 120}; !maps.Equal(sent, want) {
		t.Errorf("sent in one turn: %v, want %v", sent, want)
	}
}

// An attempt counts once, also if the transaction that records it is run again.
func TestNoticeIsCountedOnce(t *testing.T) {
	fx := newFixture(t)
	fx.add("a")
	fx.submit("lead_1")
	fx.decide("offer_1", "a", fx.now)
	fx.answer = func(webhook.Message) webhook.Outcome { return answered(503, "") }
	n, again := fx.notifier(), errors.New("another request of the group failed")
	n.Update = func(ctx context.Context, do func(*store.Tx) error) error {
		if err := fx.st.Update(ctx, func(tx *store.Tx) error { return errors.Join(do(tx), again) }); !errors.Is(err, again) {
			t.Error(err)
		}
		return fx.st.Update(ctx, do)
	}
	if err := n.Notify(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := fx.returnOf("offer_1"); r.Attempts != 1 || len(fx.sent) != 1 {
		t.Errorf("%d messages, and the return is %+v", len(fx.sent), r)
	}
}

// returnOf reads the return of an offer.
func (fx *fixture) returnOf(offer string) (r buyer.Return) {
	fx.t.Helper()
	fx.update(func(tx *store.Tx) (err error) { r, _, err = tx.Returns().Find(offer); return err })
	return r
}

// What becomes of returns while buyers are told of them stays, and is what they are told.
func TestReturnsThatChangeWhileBuyersAreTold(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*fixture) // while the message about the first return is sent
		says   string         // in the message about the second one
		notes  [2]string      // of both, afterwards
		states [2]buyer.ReturnState
	}{
		"nothing": {
			func(*fixture) {}, `"decision":"denied","code":"other","credit_cents":0,"note":"Pat Example answered"`,
			[2]string{"Pat Example answered", "Pat Example answered"},
			[2]buyer.ReturnState{buyer.ReturnDenied, buyer.ReturnDenied},
		},
		"the person is erased": {
			func(fx *fixture) { storetest.Erase(fx.t, fx.st, "lead_1") }, `"decision":"denied","code":"other","credit_cents":0,"note":null`,
			[2]string{},
			[2]buyer.ReturnState{buyer.ReturnDenied, buyer.ReturnDenied},
		},
		"the second is approved": {
			func(fx *fixture) {
				r := fx.returnOf("offer_2")
				fx.update(func(tx *store.Tx) error {
					_, err := forward.DecideReturn(tx, r, buyer.ReturnApproved, ada, netip.Addr{}, "after all", fx.now)
					return err
				})
			}, `"decision":"approved","code":"other","credit_cents":0,"note":"after all"`,
			[2]string{"Pat Example answered", "after all"},
			[2]buyer.ReturnState{buyer.ReturnDenied, buyer.ReturnApproved},
		},
	} {
		t.Run(name, func(t *testing.T) {
			fx := newFixture(t)
			fx.add("a")
			fx.submit("lead_1")
			fx.decide("offer_1", "a", fx.now)
			fx.decide("offer_2", "a", fx.now.Add(time.Millisecond))
			fx.advance(time.Second)
			fx.answer = func(webhook.Message) webhook.Outcome {
				if len(fx.sent) == 1 {
					c.change(fx)
				}
				return answered(204, "")
			}
			fx.notify()
			if len(fx.sent) != 2 || !strings.Contains(string(fx.sent[1].Body), c.says) {
				t.Errorf("%d messages, the last one is %s", len(fx.sent), fx.sent[len(fx.sent)-1].Body)
			}
			for i, r := range []buyer.Return{fx.returnOf("offer_1"), fx.returnOf("offer_2")} {
				if r.Note != c.notes[i] || r.State != c.states[i] || r.NotifiedAt.IsZero() || r.Attempts != 1 {
					t.Errorf("the return is %+v; want it to be %s, with the note %q", r, c.states[i], c.notes[i])
				}
			}
		})
	}
}
