package forward_test

import (
	"context"
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
)

// No contact is sent without the consent text: while the text cannot be read, the lead stays with the buyer that accepted it,
// and is sent after its lease has ended.
func TestNoContactWithoutConsentText(t *testing.T) {
	st := storetest.Open(t, storetest.Database(t))
	waitInQueue(t, st, "buyer_1")
	f, now, away := newForwarder(st), storetest.Noon.Add(time.Minute), true
	f.Now = func() time.Time { return now }
	stop := func() {}
	f.Consent = func(context.Context, string) (string, error) {
		if away {
			stop()
			return "", &lead.Error{Kind: lead.Unavailable}
		}
		return "You may call me.", nil
	}
	var sent []string
	f.Send = func(_ context.Context, msg webhook.Message) webhook.Outcome {
		sent = append(sent, msg.ID)
		return webhook.Outcome{Status: 200, Answer: []byte(`{"decision":"accept"}`), Sent: true}
	}
	for range 2 { // the second time is after the lease
		if err := f.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		stop = cancel
		go func() {
			for l := (lead.Lead{}); l.Status != lead.Forwarded && ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
				l, _ = st.LeadSummary(ctx, "lead_1")
			}
			cancel()
		}()
		f.MarkWaiting("buyer_1")
		f.Notify()
		f.Run(ctx)
		cancel()
		l, err := st.LeadSummary(t.Context(), "lead_1")
		if want := map[bool]lead.Status{true: lead.Received, false: lead.Forwarded}[away]; err != nil || l.Status != want {
			t.Errorf("it is %s (%v), want %s; the buyer got %q", l.Status, err, want, sent)
		}
		now, away = now.Add(time.Minute), false
	}
	if len(sent) != 2 || sent[0] == sent[1] {
		t.Errorf("the buyer got %q, want an offer and a contact", sent)
	}
}
