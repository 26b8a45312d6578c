package forward_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// returnDesk is a ReturnDesk on a real store, with a manual clock.
type returnDesk struct {
	*forward.ReturnService
	database string
	store    *store.Store
	clock    time.Time
	log      bytes.Buffer
}

// newReturnDesk has one lead, offered to one buyer at noon, with an offer in each state: offer_open, ….
func newReturnDesk(t *testing.T) *returnDesk {
	t.Helper()
	d := &returnDesk{database: storetest.Database(t), clock: storetest.Noon.Add(time.Hour)}
	d.store = storetest.Open(t, d.database)
	d.ReturnService = &forward.ReturnService{
		Secrets: d.store.OfferSecrets,
		Update: func(ctx context.Context, do func(*store.Tx) error) error {
			return d.store.Update(ctx, do)
		},
		MaxAge: 10 * time.Minute,
		Now:    func() time.Time { return d.clock },
		Log:    slog.New(slog.NewTextHandler(&d.log, nil)),
	}
	storetest.Save(t, d.store, storetest.FullLead("lead_1"))
	err := d.store.Update(t.Context(), func(tx *store.Tx) error {
		seq, err := tx.LeadOf("lead_1")
		if err != nil {
			return err
		}
		err = tx.PutBuyer(buyer.Buyer{ID: "buyer_1", State: buyer.Paused, Secrets: []string{"new", "old"}, CreatedAt: storetest.Noon, UpdatedAt: storetest.Noon})
		for _, state := range []buyer.OfferState{buyer.OfferOpen, buyer.OfferAccepted, buyer.OfferDelivered, buyer.OfferDeclined, buyer.OfferFailed, buyer.OfferLost} {
			o := buyer.Offer{ID: "offer_" + string(state), Lead: seq, Buyer: "buyer_1", At: storetest.Noon, State: buyer.OfferOpen}
			err = errors.Join(err, tx.AddOffer(o))
			o.State = state
			err = errors.Join(err, tx.PutOffer(o, buyer.OfferOpen))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// returnLead returns the lead of an offer, with a separate message for each reason.
func (d *returnDesk) returnLead(t *testing.T, offer, reason string) (time.Time, error) {
	t.Helper()
	return d.Take(t.Context(), lead.Return{Offer: offer, Reason: reason, Message: "msg " + reason, Body: []byte(reason)})
}

// Only the buyer that got the offer can return the lead, as proven by its secrets; an unknown offer gets the same error.
func TestReturnAuthentication(t *testing.T) {
	d := newReturnDesk(t)
	knows := func(word string) func([]string) error {
		return func(secrets []string) error {
			for _, s := range secrets {
				if s == word {
					return nil
				}
			}
			return errors.New("no match")
		}
	}
	for _, c := range []struct {
		offer, secret string
		admitted      bool
	}{
		{"offer_delivered", "new", true},
		{"offer_delivered", "old", true}, // during a rotation
		{"offer_open", "new", true},      // authenticated; whether this offer can be returned is checked later
		{"offer_delivered", "guess", false},
		{"offer_unknown", "new", false},
		{"lead_1", "new", false},
		{"", "new", false},
		{"offer_" + strings.Repeat("x", 100), "new", false},
	} {
		err := d.Admit(t.Context(), c.offer, knows(c.secret))
		if c.admitted != (err == nil) || !c.admitted && lead.KindOf(err) != lead.Unauthorized {
			t.Errorf("%s with the secret %s: %v", c.offer, c.secret, err)
		}
	}
	if err := d.store.Update(t.Context(), func(tx *store.Tx) error { return tx.RemoveBuyer("buyer_1", storetest.Noon) }); err != nil {
		t.Fatal(err)
	}
	if err := d.Admit(t.Context(), "offer_delivered", func([]string) error { return nil }); lead.KindOf(err) != lead.Unauthorized {
		t.Errorf("a buyer that was removed: %v", err)
	}
}

func TestOnlyDeliveredLeadsCanBeReturned(t *testing.T) {
	d := newReturnDesk(t)
	for _, state := range []buyer.OfferState{buyer.OfferOpen, buyer.OfferAccepted, buyer.OfferDelivered, buyer.OfferDeclined, buyer.OfferFailed, buyer.OfferLost} {
		_, err := d.returnLead(t, "offer_"+string(state), "wrong number")
		if taken := state == buyer.OfferDelivered; taken != (err == nil) || !taken && lead.KindOf(err) != lead.Refused {
			t.Errorf("%s: %v", state, err)
		}
	}
	if _, err := d.returnLead(t, "offer_unknown", "wrong number"); lead.KindOf(err) != lead.Refused {
		t.Errorf("an unknown offer: %v", err)
	}
	if l, err := d.store.LeadSummary(t.Context(), "lead_1"); err != nil || l.Status != lead.Received || !l.UpdatedAt.Equal(storetest.FullLead("").UpdatedAt) {
		t.Errorf("the lead changed: %s at %v, %v", l.Status, l.UpdatedAt, err)
	}
}

// The seven days count from the delivery, which may be hours after the offer.
func TestReturnWindow(t *testing.T) {
	for name, c := range map[string]struct {
		delivered, now time.Duration // after the offer
		taken          bool
	}{
		"at once":                        {0, 0, true},
		"on the last day":                {0, 7 * 24 * time.Hour, true},
		"too late":                       {0, 7*24*time.Hour + time.Microsecond, false},
		"delivered late, on time":        {10 * time.Hour, 7*24*time.Hour + 10*time.Hour, true},
		"delivered late, a moment later": {10 * time.Hour, 7*24*time.Hour + 10*time.Hour + time.Microsecond, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := newReturnDesk(t)
			err := d.store.Update(t.Context(), func(tx *store.Tx) error {
				seq, err := tx.LeadOf("lead_1")
				return errors.Join(err, tx.AddAttempt(buyer.Attempt{
					Offer: "offer_delivered", Lead: seq, Kind: forward.LeadDelivered, At: storetest.Noon.Add(c.delivered - time.Second), Took: time.Second, Status: 200,
				}), tx.AddAttempt(buyer.Attempt{ // of another offer: it does not extend the window
					Offer: "offer_declined", Lead: seq, Kind: forward.LeadOffered, At: storetest.Noon.Add(90 * 24 * time.Hour), Status: 200,
				}))
			})
			if err != nil {
				t.Fatal(err)
			}
			d.clock = storetest.Noon.Add(c.now)
			if _, err := d.returnLead(t, "offer_delivered", "wrong number"); c.taken != (err == nil) || !c.taken && lead.KindOf(err) != lead.Refused {
				t.Errorf("got %v", err)
			}
		})
	}
}

// Repeating a return changes nothing, however late and whatever the reason.
func TestRepeatedReturn(t *testing.T) {
	d := newReturnDesk(t)
	first, err := d.returnLead(t, "offer_delivered", "wrong number, says Pat Example")
	if err != nil || !first.Equal(d.clock) {
		t.Fatalf("got %v, %v", first, err)
	}
	d.clock = d.clock.Add(30 * 24 * time.Hour)
	if again, err := d.returnLead(t, "offer_delivered", "another reason"); err != nil || !again.Equal(first) {
		t.Errorf("returned again: %v, %v; want %v", again, err, first)
	}
	if lines := strings.Count(d.log.String(), "\n"); lines != 1 || !strings.Contains(d.log.String(), "lead=lead_1 offer=offer_delivered buyer=buyer_1") {
		t.Errorf("the log has %d lines: %s", lines, d.log.String())
	}
	if strings.Contains(d.log.String(), "Pat") || strings.Contains(d.log.String(), "wrong number") {
		t.Errorf("the log has the reason of the buyer: %s", d.log.String())
	}
}

// A message id belongs to one body for as long as the message could be sent again.
func TestReturnMessageID(t *testing.T) {
	say := func(offer, message, body string) lead.Return {
		return lead.Return{Offer: offer, Reason: body, Message: message, Body: []byte(body)}
	}
	d := newReturnDesk(t)
	if _, err := d.Take(t.Context(), say("offer_open", "msg_1", "too early")); lead.KindOf(err) != lead.Refused {
		t.Fatalf("what was not delivered: %v", err)
	}
	first, err := d.Take(t.Context(), say("offer_delivered", "msg_1", "wrong number"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		after time.Duration
		word  lead.Return
		want  lead.Kind
	}{
		{"the same message again", time.Minute, say("offer_delivered", "msg_1", "wrong number"), ""},
		{"another body", time.Minute, say("offer_delivered", "msg_1", "no answer"), lead.KeyReused},
		{"another message", time.Minute, say("offer_delivered", "msg_2", "no answer"), ""},
		{"another body for that one", time.Minute, say("offer_delivered", "msg_2", "wrong number"), lead.KeyReused},
		{"what was refused is not remembered", time.Minute, say("offer_open", "msg_1", "again"), lead.Refused},
		{"another body, later", 12 * time.Minute, say("offer_delivered", "msg_1", "no answer"), ""},
	} {
		d.clock = first.Add(c.after)
		at, err := d.Take(t.Context(), c.word)
		if lead.KindOf(err) != c.want || c.want == "" && (err != nil || !at.Equal(first)) {
			t.Errorf("%s: %v, %v; want %q", c.name, at, err, c.want)
		}
	}
}
