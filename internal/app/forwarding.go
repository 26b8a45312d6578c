package app

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/webhook"
)

// books lets the forwarder write in the store.
type books struct {
	*store.Store
	tram *tram
}

func (b books) Turn(ctx context.Context, do func(forward.Page) error) error {
	b.tram.wait()
	return b.Store.Turn(ctx, func(p *store.Page) error { return do(p) })
}

// post sends letters as signed webhooks.
func post(sender *webhook.Sender) func(context.Context, forward.Letter) forward.Reply {
	return func(ctx context.Context, l forward.Letter) forward.Reply {
		o := sender.Send(ctx, webhook.Message{ID: l.ID, URL: l.URL, Secrets: l.Secrets, Body: l.Body}, time.Now())
		return forward.Reply{
			Answer:     buyer.Answer{Status: o.Status, Body: o.Answer, Failure: string(o.Failure), Sent: o.Sent},
			RetryAfter: o.RetryAfter, Detail: o.Detail, Took: o.Took,
		}
	}
}

// newForwarder builds what takes leads to buyers.
func newForwarder(st *store.Store, consents map[string]lead.ConsentText, sender *webhook.Sender, log *slog.Logger) *forward.Forwarder {
	return &forward.Forwarder{
		Books: books{st, &tram{every: 2 * time.Millisecond}}, Send: post(sender), Suppressed: st.Suppressed,
		Consent: func(hash string) string { return consents[hash].Text },
		Now:     time.Now, NewID: newLeadID, Chance: rand.Float64, Busy: st.Busy, Owner: newID("proc_"), Log: log,
	}
}

// startForwarding takes leads to buyers until the context ends. The channel closes when what is under way has ended.
func (a *App) startForwarding(ctx context.Context) <-chan struct{} {
	if a.store.Alone() { // what a process before this one had taken is nobody's now
		if err := a.store.TakeBack(ctx, time.Now()); err != nil {
			a.log.Warn("what was under way is taken up again when its leases end", "cause", err)
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer a.sender.Close()
		a.forward.Run(ctx)
	}()
	return done
}
