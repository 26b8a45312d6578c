package web

import (
	"net/http"

	"foyer/internal/catalog"
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

// getThanks shows that a request was taken in, or only checked. Of the address it shows the reference, where it is one.
func (s *Site) getThanks(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	if query.Has(lead.DryRun) {
		return s.pages[catalog.PageChecked].Get(w, r)
	}
	id := query.Get(catalog.RefField)
	if !lead.MayBeID(id) {
		return s.pages[catalog.PageThanks].Get(w, r)
	}
	v := s.view(s.brand.ThanksPage()).with(callLast).unlisted().showing("reference", s.referTo(id))
	s.once(w, http.StatusOK, s.mustRender(v))
	return nil
}
