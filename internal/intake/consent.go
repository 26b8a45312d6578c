package intake

import (
	"context"
	"net/netip"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// ConsentText finds a consent text by its hash. Look-ups of unknown hashes are limited like look-ups of unknown ids. The
// client is charged before the database query, which may take a while: otherwise many concurrent requests could all pass on
// the same remaining allowance.
func (s *Service) ConsentText(ctx context.Context, client netip.Addr, hash string) (lead.ConsentText, error) {
	if !lead.MayBeConsentHash(hash) {
		return lead.ConsentText{}, catalog.NoConsentText()
	}
	if err := s.chargeUnknownID(ctx, client, 1); err != nil {
		return lead.ConsentText{}, err
	}
	text, found, err := s.Wording(ctx, hash)
	if err == nil && !found {
		return lead.ConsentText{}, catalog.NoConsentText()
	}
	if err := s.chargeUnknownID(ctx, client, -1); err != nil {
		return lead.ConsentText{}, err
	}
	if lead.KindOf(err) == lead.Unavailable {
		err = catalog.NoConsentTextNow(err)
	}
	return text, err
}
