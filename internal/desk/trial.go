package desk

import (
	"context"

	"foyer/internal/buyer"
	"foyer/internal/forward"
)

// Trial is what came of a test offer.
type Trial struct {
	Buyer   buyer.Buyer
	Kind    string // the type of the message
	Letter  forward.Letter
	Reply   forward.Reply
	Verdict buyer.Verdict
}

// Usable says whether the buyer decided, one way or the other.
func (t Trial) Usable() bool {
	return t.Verdict.Meaning == buyer.Accepts || t.Verdict.Meaning == buyer.Declines
}

// Try sends a buyer a message about a lead that there is not, and reads the answer as it would be read. Nothing of it is
// written down, and a buyer that is paused is tried like any other: that is when it is wanted.
func (d *Desk) Try(ctx context.Context, id string) (t Trial, err error) {
	err = d.look(ctx, func(p Page) error {
		var err error
		t.Buyer, err = p.Buyer(id)
		return err
	})
	if err != nil {
		return t, err
	}
	t.Kind, t.Letter = forward.Sample(t.Buyer, d.NewID("lead_"), d.NewID("offer_"), d.now())
	t.Reply = d.Send(ctx, t.Letter)
	t.Verdict = buyer.Read(t.Reply.Answer, t.Buyer.Terms.OneStep && t.Buyer.Terms.PlainAccept)
	return t, nil
}
