package web

import (
	"net/http"

	"foyer/internal/lead"
)

// ErrorPage tells a person in a browser what went wrong, and leaves them ways out: the number, the form, and where a
// request can be looked up.
func (s *Site) ErrorPage(w http.ResponseWriter, _ *http.Request, status int, e *lead.Error) {
	v := s.view(s.brand.ErrorPage(e.Kind, e.Message)).with(callAfter).unlisted()
	if e.Kind == lead.NotFound {
		v = v.showing("error", s.lookUp())
	}
	s.once(w, status, s.mustRender(v))
}
