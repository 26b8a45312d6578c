package app

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"foyer/internal/forward"
	"foyer/internal/store"
	"foyer/internal/webhook"
)

// counter has returns come as signed webhooks.
type counter struct{ *forward.Counter }

// Admit checks the signature of a message about an offer.
func (c counter) Admit(ctx context.Context, offer string, h http.Header, body []byte) error {
	return c.Counter.Admit(ctx, offer, func(secrets []string) error { return webhook.Verify(h, body, secrets, c.Now()) })
}

// newCounter builds what takes leads back.
func newCounter(st *store.Store, log *slog.Logger) counter {
	return counter{&forward.Counter{
		Secrets: st.OfferSecrets,
		Turn: func(ctx context.Context, do func(forward.ReturnPage) error) error {
			return st.TurnNow(ctx, func(p *store.Page) error { return do(p) })
		},
		Window: webhook.Window, Now: time.Now, Log: log,
	}}
}
