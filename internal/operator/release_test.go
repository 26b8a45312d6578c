package operator_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// lock saves a lead in error, lost on its way to a buyer.
func (o *office) lock(id string, b buyer.Buyer, set func(*lead.Lead, *buyer.Offer)) (seq int64, offer string) {
	o.t.Helper()
	x := buyer.Offer{ID: "offer_of_" + id, Buyer: b.ID, At: o.now, State: buyer.OfferLost, OneStep: b.Terms.OneStep}
	seq = o.save(id, func(l *lead.Lead) { l.Status = lead.Errored; set(l, &x) })
	x.Lead = seq
	o.write(x)
	return seq, x.ID
}

func plainly(*lead.Lead, *buyer.Offer) {}

func TestReleasingALead(t *testing.T) {
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
			o := newOffice(t)
			b := o.add(nothing)
			seq, offer := o.lock("lead_1", b, func(_ *lead.Lead, x *buyer.Offer) { x.Code = c.code })
			if c.paused {
				if _, err := o.Pause(t.Context(), b.ID, ""); err != nil {
					t.Fatal(err)
				}
			}
			o.now = o.now.Add(time.Minute)
			l, err := o.Release(t.Context(), "lead_1")
			if err != nil || l.Status != c.want || o.status("lead_1") != c.want {
				t.Errorf("it is %s, told %s, %v", o.status("lead_1"), l.Status, err)
			}
			e, queued := o.errand(seq)
			if queued != (c.want == lead.Received) || queued && (e.Step != buyer.StepAsk || e.BuyerQueue != "" || !e.Since.Equal(o.now)) {
				t.Errorf("its errand is %+v, %v", e, queued)
			}
			if x := o.offer(offer); x.State != c.offer || x.Code != c.code {
				t.Errorf("its offer is %+v", x)
			}
			if card, _ := o.Show(t.Context(), b.ID); card.Today().Used != 0 {
				t.Errorf("it still counts: %+v", card.Today())
			}
		})
	}
}

// TestReplayingALead sends it to the same buyer, under the same offer and so the same message id.
func TestReplayingALead(t *testing.T) {
	for name, c := range map[string]struct {
		oneStep bool
		offer   buyer.OfferState
	}{
		"it was accepted":         {false, buyer.OfferAccepted},
		"a one-step buyer has it": {true, buyer.OfferOpen},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			b := o.add(func(d *operator.TermsInput) { d.OneStep = &c.oneStep })
			seq, offer := o.lock("lead_1", b, func(_ *lead.Lead, x *buyer.Offer) { x.Ref = "r1" })
			o.now = o.now.Add(time.Minute)
			r, err := o.Replay(t.Context(), "lead_1")
			if want := (operator.Replayed{Lead: "lead_1", Buyer: b.ID, Offer: offer}); err != nil || r != want {
				t.Fatalf("got %+v, %v", r, err)
			}
			e, _ := o.errand(seq)
			want := buyer.Delivery{Lead: seq, BuyerQueue: b.ID, Step: buyer.StepDeliver, DueAt: o.now, Since: o.now, Offer: offer, MayHaveContact: true}
			e.Token = 0 // whatever it begins with
			if diff := cmp.Diff(want, e); diff != "" {
				t.Errorf("its errand (-want +got):\n%s", diff)
			}
			if x := o.offer(offer); x.State != c.offer || x.Ref != "r1" {
				t.Errorf("its offer is %+v", x)
			}
			if o.status("lead_1") != lead.Received {
				t.Errorf("it is %s", o.status("lead_1"))
			}
			if card, _ := o.Show(t.Context(), b.ID); card.Today().Used != 1 || card.Delivering != 1 {
				t.Errorf("the buyer's card is %+v", card)
			}
			_, err = o.Replay(t.Context(), "lead_1")
			says(t, err, "lead_1 is received: only a lead in error")
		})
	}
}

// TestLeadsThatStayAsTheyAre are in error, and cannot be sent to the same buyer again.
func TestLeadsThatStayAsTheyAre(t *testing.T) {
	o := newOffice(t)
	if err := o.store.Suppress(t.Context(), store.Suppression{Phone: "+13055550100", CreatedAt: storetest.Noon}); err != nil {
		t.Fatal(err)
	}
	b, gone := o.add(nothing), buyer.Buyer{ID: "buyer_gone"}
	good := func(id string) { o.lock(id, b, plainly) }
	good("lead_1")
	o.lock("lead_removed", gone, plainly)
	o.lock("lead_suppressed", b, func(l *lead.Lead, _ *buyer.Offer) { l.Request.Contact.Phone = "+13055550100" })
	o.lock("lead_erased", b, func(l *lead.Lead, _ *buyer.Offer) { l.Request.Contact = lead.Contact{} })
	o.lock("lead_unwanted", b, func(_ *lead.Lead, x *buyer.Offer) { x.State = buyer.OfferDeclined })
	for id, words := range map[string]string{
		"lead_removed": "its buyer was removed", "lead_suppressed": "its number is suppressed",
		"lead_erased": "no longer holds a contact", "lead_unwanted": "no buyer accepted it",
	} {
		_, err := o.Replay(t.Context(), id)
		says(t, err, words)
		if o.status(id) != lead.Errored {
			t.Errorf("%s is %s", id, o.status(id))
		}
	}
	_, err := o.Release(t.Context(), "lead_erased")
	says(t, err, "there is nothing to pass on")
	if _, err := o.Replay(t.Context(), "lead_none"); lead.KindOf(err) != lead.NotFound {
		t.Errorf("of no lead: %v", err)
	}

	all, err := o.ReplayAll(t.Context(), o.now, o.now.Add(time.Second), false)
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

// TestReplayingARangeOfTime takes what came in from its beginning up to its end, and in a dry run only tells of it.
func TestReplayingARangeOfTime(t *testing.T) {
	o := newOffice(t)
	b, begin := o.add(nothing), o.now
	for i := range 120 { // more than one transaction takes
		o.now = begin.Add(time.Duration(i) * time.Minute)
		o.lock(fmt.Sprint("lead_", i), b, plainly)
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
	all, err := o.ReplayAll(t.Context(), from, to, true)
	if err != nil || len(all) != 105 || all[0].Lead != "lead_10" || all[0].Left != "" || count(lead.Errored) != 120 {
		t.Fatalf("a dry run: %d, %v; in error are %d", len(all), err, count(lead.Errored))
	}
	all, err = o.ReplayAll(t.Context(), from, to, false)
	if err != nil || len(all) != 105 || count(lead.Received) != 105 || o.status("lead_9") != lead.Errored || o.status("lead_115") != lead.Errored {
		t.Errorf("got %d, %v; received are %d", len(all), err, count(lead.Received))
	}
	if again, err := o.ReplayAll(t.Context(), from, to, false); err != nil || len(again) != 0 {
		t.Errorf("again: %v, %v", again, err)
	}
}

// TestAReplayGoesTheWholeWay lets the forwarder carry on from what the desk wrote down: the buyer hears the same message
// again, under the same id, and has the lead.
func TestAReplayGoesTheWholeWay(t *testing.T) {
	for name, oneStep := range map[string]bool{"two steps": false, "one step": true} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			b := o.add(func(d *operator.TermsInput) { d.OneStep = &oneStep })
			_, offer := o.lock("lead_1", b, plainly)
			if _, err := o.Replay(t.Context(), "lead_1"); err != nil {
				t.Fatal(err)
			}
			o.reply = forward.Reply{Answer: buyer.Answer{Status: http.StatusOK, Body: []byte(`{"decision":"accept"}`), Sent: true}}
			o.forward("lead_1", lead.Forwarded)
			if len(o.letters) != 1 || !strings.Contains(o.letters[0].ID, strings.TrimPrefix(offer, "offer_")) || !strings.Contains(string(o.letters[0].Body), "Pat Example") {
				t.Errorf("sent were %+v", o.letters)
			}
			if x := o.offer(offer); x.State != buyer.OfferDelivered {
				t.Errorf("its offer is %+v", x)
			}
		})
	}
}

// TestReleasingAHeldLead puts a lead on the market, whatever kept it off.
func TestReleasingAHeldLead(t *testing.T) {
	o := newOffice(t)
	seq := o.save("lead_1", func(l *lead.Lead) { l.Status = lead.Collected })
	o.turn(func(p operator.Tx) error { return p.Withhold(seq, lead.ManyRequests, "print", o.now) })
	_, err := o.Release(t.Context(), "lead_1")
	says(t, err, "nobody covers")
	o.add(nothing)
	l, err := o.Release(t.Context(), "lead_1")
	if err != nil || l.Status != lead.Received {
		t.Fatalf("%+v, %v", l, err)
	}
	o.turn(func(p operator.Tx) error {
		if mark, err := p.Withheld(seq); err != nil || mark != "" {
			t.Errorf("it is withheld for %q, %v", mark, err)
		}
		_, entered, err := p.LeadsOfPhone("", "", "z", "", seq, o.now.Add(-time.Hour))
		if !entered {
			t.Error("it is not on the market")
		}
		return err
	})
	o.reply = forward.Reply{Answer: buyer.Answer{Status: http.StatusOK, Body: []byte(`{"decision":"accept"}`), Sent: true}}
	o.forward("lead_1", lead.Forwarded)
}
