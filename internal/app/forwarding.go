package app

import (
	"context"
	"log/slog"
	"net/http"

	"foyer/internal/buyer"
	"foyer/internal/catalog"
	"foyer/internal/forward"
	"foyer/internal/store"
	"foyer/internal/webhook"
)

func newSender(private bool) *webhook.Sender { return webhook.New("Foyer/"+catalog.Version, private) }

// sendNow returns a function that sends messages as webhooks, signed at the time of sending. What is addressed to a practice buyer is
// answered here.
func sendNow(sender *webhook.Sender) func(context.Context, webhook.Message) webhook.Outcome {
	return func(ctx context.Context, m webhook.Message) webhook.Outcome {
		if m.URL == buyer.PracticeURL {
			return practiceAnswer()
		}
		return sender.Send(ctx, m, clock())
	}
}

// practiceAnswer is how a practice buyer answers every message: an offer is accepted, and all others are acknowledged by the same words
// (docs/buyers.md).
func practiceAnswer() webhook.Outcome {
	return webhook.Outcome{Status: http.StatusOK, Answer: []byte(`{"decision":"accept","buyer_ref":"practice"}`), Sent: true}
}

// warnBuyerURLs logs what the operator should know about where leads are sent.
func (a *App) warnBuyerURLs(private bool) {
	if private {
		a.log.Warn("allow-private-buyers is on: buyers may be reached at private addresses and without TLS")
	}
	for _, b := range a.forward.Coverage().All() {
		if err := webhook.CheckURL(b.Terms.URL, private); err != nil {
			a.log.Warn("a buyer's address is refused: nothing reaches it", "buyer", b.ID, "why", err)
		}
	}
}

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
		MaxAge:  webhook.MaxAge, Now: clock, Log: log,
	}}
}
