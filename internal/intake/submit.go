package intake

import (
	"context"
	"errors"
	"net/netip"
	"unicode/utf8"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// Submit takes a request in. A dry run walks the same way and stops before the save.
func (r *Reception) Submit(ctx context.Context, o Order) (lead.Receipt, error) {
	req, refusal := r.examine(o)
	if err := r.charge(ctx, o, req, refusal); err != nil {
		return lead.Receipt{}, err
	}
	if refusal != nil {
		return lead.Receipt{}, refusal
	}
	now := r.Now()
	decision := lead.Decide(req, r.Covers(req.Service, req.ZIP), now)
	if req.DryRun {
		return r.Brand.Receipt(r.NewID("dry_"), req, decision), nil
	}
	receipt := r.Brand.Receipt(r.NewID("lead_"), req, decision)
	o.Evidence.Consent = r.consentTo(o, req)
	return r.keep(ctx, o.key(), receipt, lead.Lead{
		ID: receipt.LeadID, Status: decision.Status, Request: req, Marks: decision.Marks,
		Evidence: o.Evidence, CreatedAt: now, UpdatedAt: now,
	})
}

// examine says whether a request can be taken at all.
func (r *Reception) examine(o Order) (lead.Request, *lead.Error) {
	req, refusal := lead.Parse(o.Raw)
	switch {
	case refusal != nil:
		return req, refusal
	case len(o.Keys) > 1 || utf8.RuneCountInString(o.key()) > maxKey:
		return req, catalog.BadKey()
	case req.Service.NeedsConsent() && r.Store.Suppressed(req.Contact.Phone):
		return req, r.Brand.Suppressed()
	}
	return req, nil
}

// charge counts the request: what is to be kept against the leads, what is checked or refused against the tries.
func (r *Reception) charge(ctx context.Context, o Order, req lead.Request, refusal *lead.Error) error {
	bucket := lead.KeptLeads
	if refusal != nil || req.DryRun {
		bucket = lead.Tries
	}
	return r.take(ctx, o.Client, bucket, 1)
}

// take uses up n of a client's allowance, or refuses the client.
func (r *Reception) take(ctx context.Context, client netip.Addr, bucket lead.Bucket, n int) error {
	allowance, err := r.Limiter.Take(ctx, client, bucket, n)
	if err == nil && !allowance.Granted {
		return catalog.TooMany(allowance.Retry, allowance.Quota)
	}
	return err
}

// keep saves the lead, and answers only after the commit. A repeated idempotency key gets the first answer again.
func (r *Reception) keep(ctx context.Context, key string, receipt lead.Receipt, l lead.Lead) (lead.Receipt, error) {
	ticket, err := newTicket(key, l.Request, receipt)
	if err != nil {
		return lead.Receipt{}, err
	}
	earlier, err := r.Store.SaveLead(ctx, l, ticket, l.CreatedAt.Add(-KeyLife))
	if told := (*lead.Error)(nil); errors.As(err, &told) && told.Kind == lead.Unavailable {
		return lead.Receipt{}, r.Brand.NotKept(l.Request.Service, told)
	}
	if err != nil {
		return lead.Receipt{}, err
	}
	if earlier != nil {
		return redeem(*earlier, *ticket)
	}
	return receipt, nil
}

// consentTo names the exact words that were agreed to: those our own form showed, or else those a sender states.
func (r *Reception) consentTo(o Order, req lead.Request) lead.ConsentRef {
	if !req.Consent {
		return lead.ConsentRef{}
	}
	if shown, known := r.Consents[o.ConsentHash]; known && o.Evidence.Door == lead.DoorForm {
		return shown.Ref()
	}
	return r.Brand.ConsentStated().Ref()
}
