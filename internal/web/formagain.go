package web

import (
	"net/http"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/intake"
	"foyer/internal/lead"
)

// FormAgain answers a refused form post with the form: what was typed is still there, and each problem stands beside its
// field. An order whose body could not be read gives a blank form.
func (s *Site) FormAgain(w http.ResponseWriter, _ *http.Request, o *intake.Submission, e *lead.Error) {
	f := s.form(o, e)
	f.Token = s.formToken(s.now())
	v := s.homeView(f).unlisted()
	v.Path, v.Title = "", catalog.ProblemTitle+v.Title
	edge.SetErrorHeaders(w.Header(), e)
	w.Header().Add("Vary", "Accept")
	s.once(w, edge.Status(e), s.mustRender(v))
}
