package intake

import (
	"context"
	"net/netip"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// charge counts what a client does, and refuses it in these words where it is too much.
func (r *Service) charge(ctx context.Context, client netip.Addr, b lead.Bucket, n int, tooMany func(lead.Allowance) *lead.Error) error {
	allowance, err := r.Limiter.Take(ctx, client, b, n)
	if err == nil && !allowance.Granted {
		return tooMany(allowance)
	}
	return err
}

// bucket is what a message is counted against: the leads where it is to be kept, the tries where it is checked or refused.
func bucket(kept bool) lead.Bucket {
	if kept {
		return lead.BucketLeads
	}
	return lead.BucketAttempts
}

// giveBack takes back the charge for what was not kept after all.
func (r *Service) giveBack(ctx context.Context, client netip.Addr) error {
	_, err := r.Limiter.Take(ctx, client, lead.BucketLeads, -1)
	return err
}

// ChargeReturn counts a message by which a buyer gives a lead back, before it is known who sent it.
func (r *Service) ChargeReturn(ctx context.Context, client netip.Addr) error {
	return r.charge(ctx, client, lead.BucketAttempts, 1, catalog.TooManyReturns)
}
