package intake

import (
	"context"
	"net/netip"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// LookUp tells where a request stands. A client that keeps asking for ids that do not exist is told to
// slow down.
func (r *Service) LookUp(ctx context.Context, client netip.Addr, id string) (lead.StatusAnswer, error) {
	if err := r.guess(ctx, client, 0); err != nil {
		return lead.StatusAnswer{}, err
	}
	l, err := r.find(ctx, id)
	switch lead.KindOf(err) {
	case lead.NotFound:
		if err := r.guess(ctx, client, 1); err != nil {
			return lead.StatusAnswer{}, err
		}
		return lead.StatusAnswer{}, catalog.UnknownLead()
	case lead.Unavailable:
		return lead.StatusAnswer{}, catalog.NotNow(err)
	}
	if err != nil {
		return lead.StatusAnswer{}, err
	}
	return r.Brand.Standing(l), nil
}

// find spares the store what cannot be an id of its own.
func (r *Service) find(ctx context.Context, id string) (lead.Lead, error) {
	if !lead.MayBeID(id) {
		return lead.Lead{}, catalog.UnknownLead()
	}
	return r.Store.LeadSummary(ctx, id)
}

// guess counts look-ups of what does not exist.
func (r *Service) guess(ctx context.Context, client netip.Addr, n int) error {
	return r.charge(ctx, client, lead.BucketUnknownIDs, n, catalog.TooManyLookUps)
}
