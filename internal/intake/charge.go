package intake

import (
	"context"
	"net/netip"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// charge takes n from the client's bucket. If the bucket is exhausted, charge returns the error that tooMany builds.
func (s *Service) charge(ctx context.Context, client netip.Addr, b lead.Bucket, n int, tooMany func(lead.Allowance) *lead.Error) error {
	allowance, err := s.Limiter.Take(ctx, client, b, n)
	if err == nil && !allowance.Granted {
		return tooMany(allowance)
	}
	return err
}

// bucketFor returns the bucket a submission is charged to: leads if it will be saved, attempts if it is only checked or
// refused.
func bucketFor(kept bool) lead.Bucket {
	if kept {
		return lead.BucketLeads
	}
	return lead.BucketAttempts
}

// refund returns the charge for a lead that was not saved after all.
func (s *Service) refund(ctx context.Context, client netip.Addr) error {
	_, err := s.Limiter.Take(ctx, client, lead.BucketLeads, -1)
	return err
}

// ChargeReturn counts a return message from a buyer, before its sender is known.
func (s *Service) ChargeReturn(ctx context.Context, client netip.Addr) error {
	return s.charge(ctx, client, lead.BucketAttempts, 1, catalog.TooManyReturns)
}
