package intake

import (
	"context"
	"net/netip"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// ConsentText finds what people were asked to agree to, by its hash. To look for hashes that do not exist is limited like
// looking for ids that do not. It is charged before the database is asked, which may take a while: many at once must not
// all go by what is left.
func (r *Service) ConsentText(ctx context.Context, client netip.Addr, hash string) (lead.ConsentText, error) {
	if !lead.MayBeConsentHash(hash) {
		return lead.ConsentText{}, catalog.NoConsentText()
	}
	if err := r.guess(ctx, client, 1); err != nil {
		return lead.ConsentText{}, err
	}
	text, found, err := r.Wording(ctx, hash)
	if err == nil && !found {
		return lead.ConsentText{}, catalog.NoConsentText()
	}
	if err := r.guess(ctx, client, -1); err != nil {
		return lead.ConsentText{}, err
	}
	if lead.KindOf(err) == lead.Unavailable {
		err = catalog.NoConsentTextNow(err)
	}
	return text, err
}
