package forward

import (
	"foyer/internal/buyer"
	"foyer/internal/webhook"
)

// conclude decides what happens to the lead after an answer.
func (t *txn) conclude(tk task, d buyer.Delivery, v buyer.Verdict, r webhook.Outcome) (*task, error) {
	switch {
	case d.Step == buyer.StepOffer:
		return t.afterOffer(tk, d, v, r)
	case tk.offer.OneStep:
		return nil, t.afterOneStep(tk, d, v, r)
	}
	return nil, t.afterDelivery(tk, d, v, r)
}

// afterOffer handles the answer to an offer. The buyer does not have the contact, so the lead cannot be sold twice.
func (t *txn) afterOffer(tk task, d buyer.Delivery, v buyer.Verdict, r webhook.Outcome) (*task, error) {
	switch v.Meaning {
	case buyer.Accepts:
		return t.accepted(tk, d, v)
	case buyer.Declines:
		return nil, t.decline(d, tk.offer, v.Code)
	case buyer.Fails:
		return nil, t.retryOffer(d, tk.offer, r)
	}
	return nil, t.tryNextBuyer(d, tk.offer, buyer.OfferFailed)
}

// afterDelivery handles the answer of a buyer that has accepted: the lead stays with that buyer, or is locked.
func (t *txn) afterDelivery(tk task, d buyer.Delivery, v buyer.Verdict, r webhook.Outcome) error {
	switch v.Meaning {
	case buyer.Accepts:
		return t.forwarded(tk, d, v)
	case buyer.Declines:
		return t.lose(tk.lead, tk.fingerprint, d, tk.offer, v.Code, "the buyer accepted, and then refused the contact")
	case buyer.SwitchOff:
		return t.lose(tk.lead, tk.fingerprint, d, tk.offer, "", goneReason)
	}
	return t.retryDelivery(tk, d, r)
}

const goneReason = "the buyer's address is gone"

// afterOneStep handles the answer of a buyer that got the contact in the first message. A refusal counts as one only for
// the first attempt that can have reached the buyer; later it may just mean that an earlier attempt did.
func (t *txn) afterOneStep(tk task, d buyer.Delivery, v buyer.Verdict, r webhook.Outcome) error {
	switch v.Meaning {
	case buyer.Accepts:
		return t.forwarded(tk, d, v)
	case buyer.Declines:
		if tk.mayHaveHadContact && (!v.Said || v.Code == buyer.CodeDuplicate) {
			return t.lose(tk.lead, tk.fingerprint, d, tk.offer, v.Code, "the buyer may have taken it before it refused to take it again")
		}
		return t.decline(d, tk.offer, v.Code)
	case buyer.Fails:
		if !d.MayHaveContact {
			return t.retryOffer(d, tk.offer, r)
		}
		return t.retryDelivery(tk, d, r)
	}
	switch { // the endpoint rejects our requests, or is gone
	case !tk.mayHaveHadContact:
		return t.tryNextBuyer(d, tk.offer, buyer.OfferFailed) // it certainly did not take the lead
	case v.Meaning == buyer.SwitchOff:
		return t.lose(tk.lead, tk.fingerprint, d, tk.offer, "", goneReason)
	}
	return t.retryDelivery(tk, d, r)
}
