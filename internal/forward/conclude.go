package forward

import "foyer/internal/buyer"

// conclude says what becomes of the lead.
func (t *txn) conclude(x task, e buyer.Delivery, v buyer.Verdict, r Reply) (*task, error) {
	switch {
	case e.Step == buyer.StepOffer:
		return t.afterOffer(x, e, v, r)
	case x.offer.OneStep:
		return nil, t.afterOneStep(x, e, v, r)
	}
	return nil, t.afterDelivery(x, e, v, r)
}

// afterOffer goes by the answer of a buyer that was told nothing of the person: whatever it says, nothing can be sold twice.
func (t *txn) afterOffer(x task, e buyer.Delivery, v buyer.Verdict, r Reply) (*task, error) {
	switch v.Meaning {
	case buyer.Accepts:
		return t.accepted(x, e, v)
	case buyer.Declines:
		return nil, t.decline(e, x.offer, v.Code)
	case buyer.Fails:
		return nil, t.retryOffer(e, x.offer, r)
	}
	return nil, t.tryNextBuyer(e, x.offer, buyer.OfferFailed)
}

// afterDelivery goes by the answer of a buyer that has accepted: the lead stays with it, or is locked.
func (t *txn) afterDelivery(x task, e buyer.Delivery, v buyer.Verdict, r Reply) error {
	switch v.Meaning {
	case buyer.Accepts:
		return t.forwarded(x, e, v)
	case buyer.Declines:
		return t.lose(x.lead, x.fingerprint, e, x.offer, v.Code, "the buyer accepted, and then refused the contact")
	case buyer.SwitchOff:
		return t.lose(x.lead, x.fingerprint, e, x.offer, "", gone)
	}
	return t.retryDelivery(x, e, r)
}

const gone = "the buyer's address is gone"

// afterOneStep goes by the answer of a buyer that was sent the contact at once. A refusal is believed where it was the first
// attempt that can have reached the buyer; later it may only mean that an earlier one did.
func (t *txn) afterOneStep(x task, e buyer.Delivery, v buyer.Verdict, r Reply) error {
	switch v.Meaning {
	case buyer.Accepts:
		return t.forwarded(x, e, v)
	case buyer.Declines:
		if x.mayHaveHad && (!v.Said || v.Code == buyer.CodeDuplicate) {
			return t.lose(x.lead, x.fingerprint, e, x.offer, v.Code, "the buyer may have taken it before it refused to take it again")
		}
		return t.decline(e, x.offer, v.Code)
	case buyer.Fails:
		if !e.MayHaveContact {
			return t.retryOffer(e, x.offer, r)
		}
		return t.retryDelivery(x, e, r)
	}
	switch { // the address refuses us, or is gone
	case !x.mayHaveHad:
		return t.tryNextBuyer(e, x.offer, buyer.OfferFailed) // a plain refusal: it was not taken
	case v.Meaning == buyer.SwitchOff:
		return t.lose(x.lead, x.fingerprint, e, x.offer, "", gone)
	}
	return t.retryDelivery(x, e, r)
}
