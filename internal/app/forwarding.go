package app

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/catalog"
	"foyer/internal/forward"
	"foyer/internal/store"
	"foyer/internal/webhook"
)

// forwardStore lets the forwarder write in the store.
type forwardStore struct {
	*store.Store
	coalescer *coalescer
}

func (b forwardStore) Update(ctx context.Context, do func(forward.Tx) error) error {
	b.coalescer.wait()
	return b.Store.Update(ctx, func(p *store.Tx) error { return do(p) })
}

func newSender(private bool) *webhook.Sender { return webhook.New("Foyer/"+catalog.Version, private) }

// webhookSender sends letters as signed webhooks.
func webhookSender(sender *webhook.Sender) func(context.Context, forward.Message) forward.Reply {
	return func(ctx context.Context, l forward.Message) forward.Reply {
		o := sender.Send(ctx, webhook.Message{ID: l.ID, URL: l.URL, Secrets: l.Secrets, Body: l.Body}, time.Now())
		return forward.Reply{
			Answer:     buyer.Answer{Status: o.Status, Body: o.Answer, Failure: string(o.Failure), Sent: o.Sent},
			RetryAfter: o.RetryAfter, Detail: o.Detail, Took: o.Took,
		}
	}
}

// newForwarder builds what takes leads to buyers.
func newForwarder(st *store.Store, words *consentTexts, sender *webhook.Sender, people forward.PersonRules, leadIDs []byte, log *slog.Logger) *forward.Forwarder {
	return &forward.Forwarder{
		Store: forwardStore{st, &coalescer{interval: 2 * time.Millisecond}}, Send: webhookSender(sender), Suppressed: st.Suppressed,
		Consent: words.text, Persons: people, LeadIDKey: leadIDs,
		Now: time.Now, NewID: newLeadID, Chance: rand.Float64, Busy: st.Busy, Owner: newID("proc_"), Log: log,
	}
}

// startForwarding takes leads to buyers until the context ends. The channel closes when what is under way has ended.
func (a *App) startForwarding(ctx context.Context) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer a.sender.Close()
		a.forward.Run(ctx)
	}()
	return done
}

// warnBuyerURLs tells what the operator should know about where leads go.
func (a *App) warnBuyerURLs(private bool) {
	if private {
		a.log.Warn("allow-private-buyers is on: buyers may be reached at private addresses and without TLS")
	}
	for _, to := range a.forward.Coverage().All() {
		if err := webhook.CheckURL(to.Terms.URL, private); err != nil {
			a.log.Warn("a buyer's address is refused: nothing reaches it", "buyer", to.ID, "why", err)
		}
	}
}
