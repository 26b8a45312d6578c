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
	var heard []string
	f.Send = func(_ context.Context, l webhook.Message) webhook.Outcome {
		heard = append(heard, l.ID)
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
			t.Errorf("it is %s (%v), want %s; the buyer heard %q", l.Status, err, want, heard)
		}
		now, away = now.Add(time.Minute), false
	}
	if len(heard) != 2 || heard[0] == heard[1] {
		t.Errorf("the buyer heard %q, want an offer and a contact", heard)
	}
}
