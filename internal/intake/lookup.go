package intake

import (
	"context"
	"errors"
	"net/netip"
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// LookUp tells where a request stands. Who keeps asking for ids that do not exist is told to slow down.
func (r *Reception) LookUp(ctx context.Context, client netip.Addr, id string) (lead.Standing, error) {
	if err := r.take(ctx, client, lead.WrongIDs, 0); err != nil {
		return lead.Standing{}, err
	}
	l, err := r.find(ctx, id)
	if told := (*lead.Error)(nil); errors.As(err, &told) && told.Kind == lead.NotFound {
		if err := r.take(ctx, client, lead.WrongIDs, 1); err != nil {
			return lead.Standing{}, err
		}
		return lead.Standing{}, catalog.UnknownLead()
	}
	if err != nil {
		return lead.Standing{}, err
	}
	return r.Brand.Standing(l), nil
}

// find spares the store what cannot be an id of its own.
func (r *Reception) find(ctx context.Context, id string) (lead.Lead, error) {
	if !strings.HasPrefix(id, "lead_") || len(id) > 64 {
		return lead.Lead{}, catalog.UnknownLead()
	}
	return r.Store.Lead(ctx, id)
}
