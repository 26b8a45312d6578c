package web

import (
	"net/http"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/lead"
)

// reference is what the thanks page and the status page know a request by.
type reference struct {
	ID      string
	Address string // of its status page
}

func (s *Site) referTo(id string) reference {
	return reference{id, s.brand.URL(catalog.PageStatus + "/" + id)}
}

// getThanks shows that a request was taken in, or only checked. Of the address it shows the reference, where it is one of
// ours, with what is true of that request.
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
	} // whoever just sent a request gets its reference, even where it cannot be looked up now
	v := s.view(page).with(callLast).unlisted().showing("reference", s.referTo(id))
	s.once(w, http.StatusOK, s.mustRender(v))
	return nil
}
