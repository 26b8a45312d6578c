package web

import (
	"net/http"

	"foyer/internal/lead"
)

// ErrorPage tells a person in a browser what went wrong, and leaves them a way out.
func (s *Site) ErrorPage(w http.ResponseWriter, _ *http.Request, status int, e *lead.Error) {
	v := s.view(s.brand.ErrorPage(e.Kind, e.Message)).with(callAfter).unlisted()
	s.once(w, status, s.mustRender(v))
}
