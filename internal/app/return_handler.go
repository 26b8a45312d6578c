package app

import (
	"context"
	"log/slog"
	"net/http"

	"foyer/internal/forward"
	"foyer/internal/store"
	"foyer/internal/webhook"
)

// returnHandler accepts returned leads as signed webhooks.
type returnHandler struct{ *forward.ReturnService }

// Admit checks the signature of a message about an offer.
func (h returnHandler) Admit(ctx context.Context, offer string, header http.Header, body []byte) error {
	return h.ReturnService.Admit(ctx, offer, func(secrets []string) error { return webhook.Verify(header, body, secrets, h.Now()) })
}

func newReturnHandler(st *store.Store, log *slog.Logger) returnHandler {
	return returnHandler{&forward.ReturnService{
		Secrets: st.OfferSecrets,
		Update:  st.UpdateUrgent,
		Window:  webhook.Window, Now: clock, Log: log,
	}}
}
