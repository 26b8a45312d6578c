package forward_test

import (
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
)

func normal(l *lead.Lead) { l.Request.Contact.Phone = normalPhone }

func isHeld(l *lead.Lead) { l.Status = lead.Collected }

func practice(t *buyer.Terms) { t.Practice, t.URL = true, "https://practice.example.com/leads" }

// A practice buyer gets the leads of made-up numbers, new and held ones, after every other buyer that covers them. Of others it gets
// none, and nothing is scheduled or noted for them.
func TestPracticeBuyer(t *testing.T) {
	fx := newFixture(t)
	fx.submit("lead_held", isHeld)
	fx.submit("lead_held_normal", isHeld, normal)
	fx.add("practice")
	fx.change("practice", practice)
	fx.update(func(tx *store.Tx) error { return tx.PutHealth("practice", buyer.Health{WakeAt: fx.now}) })
	fx.advance(time.Minute)
	fx.submit("lead_normal", normal, zip("33101")) // as an earlier version would have queued it
	fx.submit("lead_new", zip("33102"))
	fx.work()
	fx.wantLead("lead_held", lead.Forwarded)
	fx.wantLead("lead_new", lead.Forwarded)
	fx.wantLead("lead_held_normal", lead.Collected)
	fx.wantLead("lead_normal", lead.Collected)
	fx.wantRecipients(forward.LeadDelivered, "practice", "practice")
	fx.update(func(tx *store.Tx) error {
		h, err := tx.Health("practice")
		if !h.WakeAt.IsZero() {
			t.Errorf("it is to be woken at %s", h.WakeAt)
		}
		return err
	})
	raw := storetest.Raw(t, fx.database)
	if n := storetest.QueryInt(t, raw, `SELECT COUNT(*) FROM history WHERE lead_seq = (SELECT seq FROM leads WHERE id = 'lead_held_normal')`); n != 0 {
		t.Errorf("%d changes of a lead that it must not get", n)
	}

	fx.add("usual")
	fx.submit("lead_next", zip("33103"))
	fx.work()
	fx.wantRecipients(forward.LeadDelivered, "practice", "practice", "usual")
}

// An offer of an earlier version, which knows no practice, is not sent again by this one.
func TestPracticeOfferOfAnEarlierVersion(t *testing.T) {
	fx := newFixture(t)
	fx.add("practice")
	fx.answer = func(webhook.Message) webhook.Outcome { return webhook.Outcome{Failure: "dns"} }
	fx.submit("lead_1", normal)
	fx.work()
	fx.wantLead("lead_1", lead.Received) // the second attempt is due in two seconds
	fx.change("practice", practice)
	sent := len(fx.sent)
	fx.answer = accepting
	fx.advance(10 * time.Second)
	fx.work()
	fx.wantLead("lead_1", lead.Collected)
	if len(fx.sent) != sent {
		t.Errorf("%d more messages", len(fx.sent)-sent)
	}
}
