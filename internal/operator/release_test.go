package operator_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
)

// saveErrored saves a lead in error whose delivery to a buyer was lost.
func (o *testOperator) saveErrored(id string, b buyer.Buyer, set func(*lead.Lead, *buyer.Offer)) (seq int64, offer string) {
	o.t.Helper()
	x := buyer.Offer{ID: "offer_of_" + id, Buyer: b.ID, At: o.now, State: buyer.OfferLost, OneStep: b.Terms.OneStep}
	seq = o.save(id, func(l *lead.Lead) { l.Status = lead.Errored; set(l, &x) })
	x.Lead = seq
	o.addOffer(x)
	return seq, x.ID
}

func noChange(*lead.Lead, *buyer.Offer) {}

func TestReleaseErroredLead(t *testing.T) {
	for name, c := range map[string]struct {
		code   buyer.Code
		paused bool
		want   lead.Status
		offer  buyer.OfferState
	}{
		"somebody covers it":   {want: lead.Received, offer: buyer.OfferFailed},
		"nobody covers it":     {paused: true, want: lead.Collected, offer: buyer.OfferFailed},
		"the buyer refused it": {code: buyer.CodeBadContact, want: lead.Received, offer: buyer.OfferDeclined},
	} {
		t.Run(name, func(t *testing.T) {
			o := newTestOperator(t)
			b := o.add(noTerms)
			seq, offer := o.saveErrored("lead_1", b, func(_ *lead.Lead, offer *buyer.Offer) { offer.Code = c.code })
			if c.paused {
				if _, err := o.Pause(t.Context(), ada, b.ID, ""); err != nil {
					t.Fatal(err)
				}
			}
			o.now = o.now.Add(time.Minute)
			l, err := o.Release(t.Context(), ada, "lead_1")
			if err != nil || l.Status != c.want || o.status("lead_1") != c.want {
				t.Errorf("it is %s, told %s, %v", o.status("lead_1"), l.Status, err)
			}
			d, queued := o.delivery(seq)
			if queued != (c.want == lead.Received) || queued && (d.Step != buyer.StepAsk || d.BuyerQueue != "" || !d.Since.Equal(o.now)) {
				t.Errorf("its delivery is %+v, %v", d, queued)
			}
			if x := o.offer(offer); x.State != c.offer || x.Code != c.code {
				t.Errorf("its offer is %+v", x)
			}
			if summary, _ := o.Show(t.Context(), b.ID); summary.Today().Used.Leads != 0 {
				t.Errorf("it still counts: %+v", summary.Today())
			}
		})
	}
}

// TestReplayLead sends the lead to the same buyer, with the same offer and so the same message id.
func TestReplayLead(t *testing.T) {
	for name, c := range map[string]struct {
		oneStep bool
		offer   buyer.OfferState
	}{
		"it was accepted":         {false, buyer.OfferAccepted},
		"a one-step buyer has it": {true, buyer.OfferOpen},
	} {
		t.Run(name, func(t *testing.T) {
			o := newTestOperator(t)
			b := o.add(func(in *entered.Terms) { in.OneStep = &c.oneStep })
			seq, offer := o.saveErrored("lead_1", b, func(_ *lead.Lead, offer *buyer.Offer) { offer.Ref = "r1" })
			o.now = o.now.Add(time.Minute)
			r, err := o.Replay(t.Context(), ada, "lead_1")
			if want := (operator.Replayed{Lead: "lead_1", Buyer: b.ID, Offer: offer}); err != nil || r != want {
				t.Fatalf("got %+v, %v", r, err)
			}
			d, _ := o.delivery(seq)
			want := buyer.Delivery{Lead: seq, BuyerQueue: b.ID, Step: buyer.StepDeliver, DueAt: o.now, Since: o.now, Offer: offer, MayHaveContact: true}
			d.Token = 0 // any value
			if diff := cmp.Diff(want, d); diff != "" {
				t.Errorf("its delivery (-want +got):\n%s", diff)
			}
			if x := o.offer(offer); x.State != c.offer || x.Ref != "r1" {
				t.Errorf("its offer is %+v", x)
			}
			if o.status("lead_1") != lead.Received {
				t.Errorf("it is %s", o.status("lead_1"))
			}
			if summary, _ := o.Show(t.Context(), b.ID); summary.Today().Used.Leads != 1 || summary.Delivering != 1 {
				t.Errorf("the buyer's card is %+v", summary)
			}
			_, err = o.Replay(t.Context(), ada, "lead_1")
			wantError(t, err, "lead_1 is received: only a lead in error")
		})
	}
}

// TestReplayRefused covers leads in error that cannot be sent to the same buyer again.
func TestReplayRefused(t *testing.T) {
	o := newTestOperator(t)
	storetest.Suppress(t, o.store, "+13055550100")
	b, gone := o.add(noTerms), buyer.Buyer{ID: "buyer_gone"}
	good := func(id string) { o.saveErrored(id, b, noChange) }
	good("lead_1")
	o.saveErrored("lead_removed", gone, noChange)
	o.saveErrored("lead_suppressed", b, func(l *lead.Lead, _ *buyer.Offer) { l.Request.Contact.Phone = "+13055550100" })
	o.saveErrored("lead_erased", b, func(l *lead.Lead, _ *buyer.Offer) { l.Request.Contact = lead.Contact{} })
	o.saveErrored("lead_unwanted", b, func(_ *lead.Lead, offer *buyer.Offer) { offer.State = buyer.OfferDeclined })
	for id, words := range map[string]string{
		"lead_removed": "its buyer was removed", "lead_suppressed": "its number is suppressed",
		"lead_erased": "no longer holds a contact", "lead_unwanted": "no buyer accepted it",
	} {
		_, err := o.Replay(t.Context(), ada, id)
		wantError(t, err, words)
		if o.status(id) != lead.Errored {
			t.Errorf("%s is %s", id, o.status(id))
		}
	}
	_, err := o.Release(t.Context(), ada, "lead_erased")
	wantError(t, err, "there is nothing to pass on")
	if _, err := o.Replay(t.Context(), ada, "lead_none"); lead.KindOf(err) != lead.NotFound {
		t.Errorf("of no lead: %v", err)
	}

	all, err := o.ReplayAll(t.Context(), ada, o.now, o.now.Add(time.Second), false)
	left := 0
	for _, r := range all {
		if r.Left != "" {
			left++
		}
	}
	if err != nil || len(all) != 5 || left != 4 || o.status("lead_1") != lead.Received {
		t.Errorf("all together: %+v, %v", all, err)
	}
}

// TestReplayAll replays the leads received from the start up to the end of a range; a dry run only lists them.
func TestReplayAll(t *testing.T) {
	o := newTestOperator(t)
	b, begin := o.add(noTerms), o.now
	for i := range 120 { // more than one batch
		o.now = begin.Add(time.Duration(i) * time.Minute)
		o.saveErrored(fmt.Sprint("lead_", i), b, noChange)
	}
	from, to := begin.Add(10*time.Minute), begin.Add(115*time.Minute)
	count := func(status lead.Status) (n int) {
		for i := range 120 {
			if o.status(fmt.Sprint("lead_", i)) == status {
				n++
			}
		}
		return n
	}
	all, err := o.ReplayAll(t.Context(), ada, from, to, true)
	if err != nil || len(all) != 105 || all[0].Lead != "lead_10" || all[0].Left != "" || count(lead.Errored) != 120 {
		t.Fatalf("a dry run: %d, %v; in error are %d", len(all), err, count(lead.Errored))
	}
	all, err = o.ReplayAll(t.Context(), ada, from, to, false)
	if err != nil || len(all) != 105 || count(lead.Received) != 105 || o.status("lead_9") != lead.Errored || o.status("lead_115") != lead.Errored {
		t.Errorf("got %d, %v; received are %d", len(all), err, count(lead.Received))
	}
	if again, err := o.ReplayAll(t.Context(), ada, from, to, false); err != nil || len(again) != 0 {
		t.Errorf("again: %v, %v", again, err)
	}
}

// TestReplayIsForwarded runs the forwarder after a replay: the buyer gets the same message again, with the same id, and
// then has the lead.
func TestReplayIsForwarded(t *testing.T) {
	for name, oneStep := range map[string]bool{"two steps": false, "one step": true} {
		t.Run(name, func(t *testing.T) {
			o := newTestOperator(t)
			b := o.add(func(in *entered.Terms) { in.OneStep = &oneStep })
			_, offer := o.saveErrored("lead_1", b, noChange)
			if _, err := o.Replay(t.Context(), ada, "lead_1"); err != nil {
				t.Fatal(err)
			}
			o.reply = webhook.Outcome{Status: http.StatusOK, Answer: []byte(`{"decision":"accept"}`), Sent: true}
			o.forwardUntil("lead_1", lead.Forwarded)
			if len(o.messages) != 1 || !strings.Contains(o.messages[0].ID, strings.TrimPrefix(offer, "offer_")) || !strings.Contains(string(o.messages[0].Body), "Pat Example") {
				t.Errorf("sent were %+v", o.messages)
			}
			if x := o.offer(offer); x.State != buyer.OfferDelivered {
				t.Errorf("its offer is %+v", x)
			}
		})
	}
}

// TestReleaseHeldLead puts a held lead on the market, whatever kept it off.
func TestReleaseHeldLead(t *testing.T) {
	o := newTestOperator(t)
	seq := o.save("lead_1", func(l *lead.Lead) { l.Status = lead.Collected })
	o.update(func(tx *store.Tx) error { return tx.Withhold(seq, lead.ManyRequests, "print", o.now) })
	_, err := o.Release(t.Context(), ada, "lead_1")
	wantError(t, err, "nobody covers")
	o.add(noTerms)
	l, err := o.Release(t.Context(), ada, "lead_1")
	if err != nil || l.Status != lead.Received {
		t.Fatalf("%+v, %v", l, err)
	}
	o.update(func(tx *store.Tx) error {
		if mark, err := tx.Withheld(seq); err != nil || mark != "" {
			t.Errorf("it is withheld for %q, %v", mark, err)
		}
		_, entered, err := tx.LeadsOfPhone("", "z", seq, o.now.Add(-time.Hour))
		if !entered {
			t.Error("it is not on the market")
		}
		return err
	})
	o.reply = webhook.Outcome{Status: http.StatusOK, Answer: []byte(`{"decision":"accept"}`), Sent: true}
	o.forwardUntil("lead_1", lead.Forwarded)
}
