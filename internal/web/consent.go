package web

import (
	"net/http"

	"foyer/internal/edge"
)

// getConsent shows the exact consent text behind a hash. Texts that existed at startup are in memory and stay readable
// even if the disk fails.
func (s *Site) getConsent(w http.ResponseWriter, r *http.Request) error {
	hash := r.PathValue("hash")
	if page, ok := s.consents.Load(hash); ok {
		return page.(*edge.Document).Get(w, r)
	}
	text, err := s.Intake.ConsentText(r.Context(), edge.RequestInfoOf(r.Context()).Client, hash)
	if err != nil {
		return err
	}
	page := s.document(s.mustRender(s.view(s.brand.ConsentPage(text, s.interfaces.Now)).unlisted()), cacheOf("/privacy"))
	s.consents.Store(hash, page)
	return page.Get(w, r)
}
