package forward

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/webhook"
)

// ReturnDecided is the type of the message that tells a buyer what became of its return.
const ReturnDecided = "lead.return_decided"

// decidedReturn is the data of such a message.
type decidedReturn struct {
	LeadID   string            `json:"lead_id"`
	OfferID  string            `json:"offer_id"`
	Decision buyer.ReturnState `json:"decision"`
	Code     lead.ReturnCode   `json:"code"`
	Credit   buyer.Cents       `json:"credit_cents"` // 0 if it was denied
	Note     *string           `json:"note"`
}

// ReturnNotifier tells buyers what became of their returns. One process does it at a time; if it dies in between, a buyer may hear
// something twice, with the same id.
type ReturnNotifier struct {
	ToNotify func(ctx context.Context, now time.Time, limit int, but ...string) ([]buyer.Return, error)
	Update   func(ctx context.Context, do func(*store.Tx) error) error // fails if another process took over
	Send     func(context.Context, webhook.Message) webhook.Outcome
	Chance   func() float64
	Now      func() time.Time
	Log      *slog.Logger
}

// notifyBatch is how many returns are read at a time.
const notifyBatch = 100

// Notify sends what is due. After a failure, the other returns of the same buyer wait for the next call, and are not read any more, so that a
// buyer that hangs does not hold up the others for long, however many wait for it.
func (n *ReturnNotifier) Notify(ctx context.Context) error {
	var failing []string
	for more := true; more && ctx.Err() == nil; {
		due, err := n.ToNotify(ctx, n.Now(), notifyBatch, failing...)
		if err != nil {
			return err
		}
		for _, r := range due {
			if slices.Contains(failing, r.Buyer) || ctx.Err() != nil {
				continue
			}
			heard, err := n.notify(ctx, r.Offer)
			if err != nil {
				return err
			}
			if !heard {
				failing = append(failing, r.Buyer)
			}
		}
		more = len(due) == notifyBatch
	}
	return nil
}

// notify sends one message, and records the attempt and when to try again. Both transactions read the return again: since it was listed, or
// sent, it may have been decided once more, or its note erased with the person.
func (n *ReturnNotifier) notify(ctx context.Context, offer string) (heard bool, err error) {
	var r buyer.Return
	var o buyer.Offer
	var msg *webhook.Message
	if err := n.Update(ctx, func(tx *store.Tx) (err error) {
		if r, _, err = tx.Returns().Find(offer); err != nil {
			return err
		}
		if o, msg, err = returnMessage(tx, r); err != nil || msg != nil {
			return err
		}
		r.NotifyAt = time.Time{} // the buyer is gone
		return tx.Returns().Put(r)
	}); err != nil || msg == nil {
		return true, err
	}
	out := n.Send(ctx, *msg)
	heard = out.Status >= 200 && out.Status < 300
	return heard, n.Update(ctx, func(tx *store.Tx) error {
		now := n.Now().Truncate(time.Microsecond)
		current, found, err := tx.Returns().Find(r.Offer)
		if err != nil || !found || current.State != r.State {
			return err // it was decided again meanwhile, and the buyer hears that next
		}
		if err := tx.AddAttempt(returnAttempt(o, msg.URL, out, now)); err != nil {
			return err
		}
		current.Attempts++
		wait, more := buyer.DeliveryRetry(current.Attempts, out.RetryAfter, n.Chance())
		switch {
		case heard:
			current.NotifyAt, current.NotifiedAt = time.Time{}, now
		case more:
			current.NotifyAt = now.Add(wait)
		default:
			current.NotifyAt = time.Time{}
			n.Log.Error("a buyer could not be told what became of a return", "offer", r.Offer, "buyer", r.Buyer)
		}
		return tx.Returns().Put(current)
	})
}

// returnMessage builds the message about a decided return, or nil if its buyer was removed or switched off.
func returnMessage(tx *store.Tx, r buyer.Return) (buyer.Offer, *webhook.Message, error) {
	o, found, err := tx.Offer(r.Offer)
	if err != nil || !found {
		return o, nil, err
	}
	to, err := tx.Buyer(r.Buyer)
	if lead.KindOf(err) == lead.NotFound || err == nil && to.State == buyer.Off {
		return o, nil, nil
	}
	if err != nil {
		return o, nil, err
	}
	l, err := tx.LeadBySeq(o.Lead)
	if err != nil {
		return o, nil, err
	}
	msg := encodeMessage(ReturnDecided, to, messageID("lead.return_"+string(r.State), o.ID), r.DecidedAt, returnFields(l, o, r))
	return o, &msg, nil
}

func returnFields(l lead.Lead, o buyer.Offer, r buyer.Return) decidedReturn {
	data := decidedReturn{LeadID: o.LeadIDOf(l), OfferID: o.ID, Decision: r.State, Code: r.Code, Note: optional(r.Note)}
	if r.State == buyer.ReturnApproved {
		data.Credit = o.Price
	}
	return data
}

// returnAttempt is what is kept of an attempt: not the answer, which means nothing here and may name the person.
func returnAttempt(o buyer.Offer, url string, out webhook.Outcome, now time.Time) buyer.Attempt {
	decision := "failed"
	if out.Status >= 200 && out.Status < 300 {
		decision = "notified"
	}
	return buyer.Attempt{
		Offer: o.ID, Lead: o.Lead, Kind: ReturnDecided, At: now.Add(-out.Took), Took: out.Took, Status: out.Status, Failure: failureText(out), Decision: decision, URL: url,
	}
}
