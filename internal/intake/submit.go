package intake

import (
	"context"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// Submit takes a request in. A dry run walks the same way and stops before the save.
func (r *Service) Submit(ctx context.Context, o *Submission) (lead.Receipt, error) {
	req, refusal := r.examine(o)
	tooMany := func(a lead.Allowance) *lead.Error { return r.Brand.TooMany(req.Service, a) }
	if err := r.charge(ctx, o.Client, bucket(refusal == nil && !req.DryRun), 1, tooMany); err != nil {
		return r.replayAnswer(ctx, o, req, err)
	}
	if refusal != nil {
		return lead.Receipt{}, refusal
	}
	now := r.Now()
	decision := lead.Decide(req, r.Covers(req.Service, req.ZIP), now)
	if r.inspect(o, now) {
		decision = decision.Automated(r.HoldAutomated)
	}
	receipt := r.Brand.Receipt(r.NewID(prefix(req), now), req, decision)
	if req.DryRun {
		return receipt, nil
	}
	if decision.Status == lead.Received {
		receipt.PayoutHint = r.Payout(req.Service, req.ZIP)
		defer r.Queued()
	}
	l := &lead.Lead{
		ID: receipt.LeadID, Status: decision.Status, Request: *req, Marks: decision.Marks,
		Evidence: o.Evidence, CreatedAt: now, UpdatedAt: now,
	}
	return r.keep(ctx, o, receipt, l)
}

// prefix begins the id of an answer: of a dry run there is no lead.
func prefix(req *lead.Request) string {
	if req.DryRun {
		return "dry_"
	}
	return "lead_"
}

// examine says whether a request can be taken at all.
func (r *Service) examine(o *Submission) (*lead.Request, *lead.Error) {
	req, refusal := lead.Parse(o.Raw)
	if !usable(o.Keys) {
		refusal = refusal.Also(catalog.BadKey())
	}
	if refusal == nil && r.suppressed(req) {
		refusal = r.Brand.Suppressed()
	}
	return req, refusal
}

// suppressed says that nothing may be kept for this number. A dry run does not tell: it keeps nothing, and would let anybody
// find out who asked to be left alone.
func (r *Service) suppressed(req *lead.Request) bool {
	return !req.DryRun && req.Service.NeedsConsent() && r.Store.Suppressed(req.Contact.Phone)
}

// keep saves the lead, and answers only after the commit. What is not kept after all is not charged as a lead.
func (r *Service) keep(ctx context.Context, o *Submission, receipt lead.Receipt, l *lead.Lead) (lead.Receipt, error) {
	ticket, err := newIdempotency(o.key(), &l.Request, receipt)
	if err != nil {
		return lead.Receipt{}, err
	}
	if !l.Request.Consent {
		l.Request.Contact = lead.Contact{} // the number is handed out, and nobody needs to know who asked
	}
	earlier, err := r.save(ctx, o, l, ticket)
	switch {
	case err == nil && earlier == nil:
		return receipt, nil
	case err == nil:
		return r.replay(ctx, o, l.Request.Service, *earlier, *ticket)
	}
	if err := r.giveBack(ctx, o.Client); err != nil {
		return lead.Receipt{}, err
	}
	if lead.KindOf(err) == lead.Unavailable {
		err = r.Brand.NotKept(l.Request.Service, err)
	}
	return lead.Receipt{}, err
}

// save keeps the lead with the words that were agreed to. Where these cannot be known, it is not kept under others.
func (r *Service) save(ctx context.Context, o *Submission, l *lead.Lead, ticket *lead.Idempotency) (earlier *lead.Idempotency, err error) {
	if l.Evidence.Consent, err = r.consentTo(ctx, o, &l.Request); err != nil {
		return nil, err
	}
	return r.Store.SaveLead(ctx, l, ticket, l.CreatedAt.Add(-lead.IdempotencyWindow))
}
