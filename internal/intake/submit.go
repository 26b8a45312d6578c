package intake

import (
	"context"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// Submit accepts a request. A dry run takes the same path and stops before the save.
func (s *Service) Submit(ctx context.Context, sub *Submission) (lead.Receipt, error) {
	req, refusal := s.validate(sub)
	tooMany := func(a lead.Allowance) *lead.Error { return s.Brand.TooMany(req.Service, a) }
	if err := s.charge(ctx, sub.Client, bucketFor(refusal == nil && !req.DryRun), 1, tooMany); err != nil {
		return s.replayAnswer(ctx, sub, req, err)
	}
	if refusal != nil {
		return lead.Receipt{}, refusal
	}
	now := s.Now()
	decision := lead.Decide(req, s.Covers(req.Service, req.ZIP), now)
	if s.checkForm(sub, now) {
		decision = decision.Automated(s.HoldAutomated)
	}
	receipt := s.Brand.Receipt(s.NewID(idPrefix(req), now), req, decision)
	if req.DryRun {
		return receipt, nil
	}
	if decision.Status == lead.Received {
		receipt.PayoutHint = s.Payout(req.Service, req.ZIP)
		defer s.Queued()
	}
	l := &lead.Lead{
		ID: receipt.LeadID, Status: decision.Status, Request: *req, Marks: decision.Marks,
		Evidence: sub.Evidence, CreatedAt: now, UpdatedAt: now,
	}
	return s.saveAndAnswer(ctx, sub, receipt, l)
}

// idPrefix returns the prefix of the receipt's id. A dry run creates no lead, so its prefix differs.
func idPrefix(req *lead.Request) string {
	if req.DryRun {
		return "dry_"
	}
	return "lead_"
}

// validate parses a submission and checks its idempotency key and the suppression list.
func (s *Service) validate(sub *Submission) (*lead.Request, *lead.Error) {
	req, refusal := lead.Parse(sub.Raw)
	if !validKeys(sub.Keys) {
		refusal = refusal.Also(catalog.BadKey)
	}
	if refusal == nil && s.suppressed(req) {
		refusal = s.Brand.Suppressed()
	}
	return req, refusal
}

// suppressed reports whether this phone number is on the suppression list. A dry run does not say: it saves nothing, and
// would let anyone find out who asked not to be contacted.
func (s *Service) suppressed(req *lead.Request) bool {
	return !req.DryRun && req.Service.NeedsConsent() && s.Store.Suppressed(req.Contact.Phone)
}

// saveAndAnswer saves the lead, and answers only after the commit. A lead that is not saved after all is not charged.
func (s *Service) saveAndAnswer(ctx context.Context, sub *Submission, receipt lead.Receipt, l *lead.Lead) (lead.Receipt, error) {
	idem, err := newIdempotency(sub.idempotencyKey(), &l.Request, receipt)
	if err != nil {
		return lead.Receipt{}, err
	}
	if !l.Request.Consent {
		l.Request.Contact = lead.Contact{} // the answer is only a phone number to call, so no contact is needed
	}
	earlier, err := s.saveWithConsent(ctx, sub, l, idem)
	switch {
	case err == nil && earlier == nil:
		return receipt, nil
	case err == nil:
		return s.replay(ctx, sub, l.Request.Service, *earlier, *idem)
	}
	if err := s.refund(ctx, sub.Client); err != nil {
		return lead.Receipt{}, err
	}
	if lead.KindOf(err) == lead.Unavailable {
		err = s.Brand.NotKept(l.Request.Service, err)
	}
	return lead.Receipt{}, err
}

// saveWithConsent saves the lead with a reference to the consent text. If that text cannot be determined, the lead is not
// saved under another one.
func (s *Service) saveWithConsent(ctx context.Context, sub *Submission, l *lead.Lead, idem *lead.Idempotency) (earlier *lead.Idempotency, err error) {
	if l.Evidence.Consent, err = s.consentRef(ctx, sub, &l.Request); err != nil {
		return nil, err
	}
	return s.Store.SaveLead(ctx, l, idem, l.CreatedAt.Add(-lead.IdempotencyWindow))
}
