package web

import (
	"net/http"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/lead"
)

// reference identifies a request on the thanks and status pages.
type reference struct {
	ID      string
	Address string // of the status page
}

func (s *Site) newReference(id string) reference {
	return reference{id, s.brand.URL(catalog.PageStatus + "/" + id)}
}

// getThanks confirms that a request was accepted, or only validated. From the address it shows only the reference, and
// only if it is one of ours, with the status of that request.
func (s *Site) getThanks(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	if query.Has(lead.DryRun) {
		return s.pages[catalog.PageChecked].Get(w, r)
	}
	id := query.Get(catalog.RefField)
	if !lead.MayBeID(id) {
		return s.pages[catalog.PageThanks].Get(w, r)
	}
	page := s.brand.ThanksPage()
	found, err := s.Intake.LookUp(r.Context(), edge.RequestInfoOf(r.Context()).Client, id)
	switch {
	case lead.KindOf(err) == lead.NotFound:
		return s.pages[catalog.PageThanks].Get(w, r)
	case err == nil:
		page = s.brand.ThanksPageFor(found)
	} // a person who just sent a request gets the reference even if the lookup fails now
	v := s.view(page).withCall(callLast).unlisted().withPart("reference", s.newReference(id))
	s.writePage(w, http.StatusOK, s.mustRender(v))
	return nil
}
