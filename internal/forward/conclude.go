package forward

import "foyer/internal/buyer"

// conclude says what becomes of the lead.
func (t *turn) conclude(x task, e buyer.Errand, v buyer.Verdict, r Reply) (*task, error) {
	switch {
	case e.Step == buyer.Propose:
		return t.afterOffer(x, e, v, r)
	case x.offer.OneStep:
		return nil, t.afterOneStep(x, e, v, r)
	}
	return nil, t.afterDelivery(x, e, v, r)
}

// afterOffer goes by the answer of a buyer that was told nothing of the person: whatever it says, nothing can be sold twice.
func (t *turn) afterOffer(x task, e buyer.Errand, v buyer.Verdict, r Reply) (*task, error) {
	switch v.Meaning {
	case buyer.Accepts:
		return t.accepted(x, e, v)
	case buyer.Declines:
		return nil, t.decline(e, x.offer, v.Code)
	case buyer.Fails:
		return nil, t.retryOffer(e, x.offer, r)
	}
	return nil, t.askNext(e, x.offer, buyer.Dropped)
}

// afterDelivery goes by the answer of a buyer that has accepted: the lead stays with it, or is locked.
func (t *turn) afterDelivery(x task, e buyer.Errand, v buyer.Verdict, r Reply) error {
	switch v.Meaning {
	case buyer.Accepts:
		return t.forwarded(x, e, v)
	case buyer.Declines:
		return t.lose(x.lead, x.print, e, x.offer, v.Code, "the buyer accepted, and then refused the contact")
	case buyer.SwitchOff:
		return t.lose(x.lead, x.print, e, x.offer, "", gone)
	}
	return t.retryDelivery(x, e, r)
}

const gone = "the buyer's address is gone"

// afterOneStep goes by the answer of a buyer that was sent the contact at once. A refusal is believed where it was the first
// attempt that can have reached the buyer; later it may only mean that an earlier one did.
func (t *turn) afterOneStep(x task, e buyer.Errand, v buyer.Verdict, r Reply) error {
	switch v.Meaning {
	case buyer.Accepts:
		return t.forwarded(x, e, v)
	case buyer.Declines:
		if x.mayHaveHad && (!v.Said || v.Code == buyer.CodeDuplicate) {
			return t.lose(x.lead, x.print, e, x.offer, v.Code, "the buyer may have taken it before it refused to take it again")
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
		return t.askNext(e, x.offer, buyer.Dropped) // a plain refusal: it was not taken
	case v.Meaning == buyer.SwitchOff:
		return t.lose(x.lead, x.print, e, x.offer, "", gone)
	}
	return t.retryDelivery(x, e, r)
}
