package intake

import (
	"context"
	"net/netip"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// LookUp returns the status of a request. A client that keeps asking for unknown ids is rate limited.
func (s *Service) LookUp(ctx context.Context, client netip.Addr, id string) (lead.StatusAnswer, error) {
	if err := s.chargeUnknownID(ctx, client, 0); err != nil {
		return lead.StatusAnswer{}, err
	}
	found, err := lead.Lead{}, error(catalog.UnknownLead)
	if lead.MayBeID(id) {
		found, err = s.Store.LeadSummary(ctx, id)
	}
	switch lead.KindOf(err) {
	case lead.NotFound:
		if err := s.chargeUnknownID(ctx, client, 1); err != nil {
			return lead.StatusAnswer{}, err
		}
		return lead.StatusAnswer{}, catalog.UnknownLead
	case lead.Unavailable:
		return lead.StatusAnswer{}, catalog.NotNow(err)
	}
	if err != nil {
		return lead.StatusAnswer{}, err
	}
	return s.Brand.LeadStatus(found), nil
}

// chargeUnknownID counts look-ups of ids that do not exist.
func (s *Service) chargeUnknownID(ctx context.Context, client netip.Addr, n int) error {
	return s.charge(ctx, client, lead.BucketUnknownIDs, n, catalog.TooManyLookUps)
}

// ConsentText finds a consent text by its hash. Look-ups of unknown hashes are limited like look-ups of unknown ids. The
// client is charged before the database query, which may take a while: otherwise many concurrent requests could all pass on
// the same remaining allowance.
func (s *Service) ConsentText(ctx context.Context, client netip.Addr, hash string) (lead.ConsentText, error) {
	if !lead.MayBeConsentHash(hash) {
		return lead.ConsentText{}, catalog.NoConsentText
	}
	if err := s.chargeUnknownID(ctx, client, 1); err != nil {
		return lead.ConsentText{}, err
	}
	text, found, err := s.ConsentLookup(ctx, hash)
	if err == nil && !found {
		return lead.ConsentText{}, catalog.NoConsentText
	}
	if err := s.chargeUnknownID(ctx, client, -1); err != nil {
		return lead.ConsentText{}, err
	}
	if lead.KindOf(err) == lead.Unavailable {
		err = catalog.NoConsentTextNow(err)
	}
	return text, err
}
