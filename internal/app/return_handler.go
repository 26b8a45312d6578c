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

// returnHandler has returns come as signed webhooks.
type returnHandler struct{ *forward.ReturnDesk }

// Admit checks the signature of a message about an offer.
func (c returnHandler) Admit(ctx context.Context, offer string, h http.Header, body []byte) error {
	return c.ReturnDesk.Admit(ctx, offer, func(secrets []string) error { return webhook.Verify(h, body, secrets, c.Now()) })
}

// newReturnHandler builds what takes leads back.
func newReturnHandler(st *store.Store, log *slog.Logger) returnHandler {
	return returnHandler{&forward.ReturnDesk{
		Secrets: st.OfferSecrets,
		Update: func(ctx context.Context, do func(forward.ReturnTx) error) error {
			return st.UpdateUrgent(ctx, func(p *store.Tx) error { return do(p) })
		},
		Window: webhook.Window, Now: time.Now, Log: log,
	}}
}
