package web

import (
	"net/http"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/wire"
)

func (s *Site) homeView(f *form) view {
	v := s.view(s.brand.HomePage()).with(callFirst)
	v.Form = f
	return v
}

// getHome shows the form to people and the addresses to programs.
func (s *Site) getHome(w http.ResponseWriter, r *http.Request) error {
	if edge.Prefers(r, "application/json", "text/html") {
		return s.index.Get(w, r)
	}
	return s.pages["/"].Get(w, r)
}

func indexDocument(b catalog.Brand) *edge.Document {
	body := wire.MarshalIndent(wire.Object{
		{"name", b.Name},
		{"about", catalog.About},
		{"version", catalog.Version},
		{"endpoints", b.Endpoints()},
		{"contact", b.Contact},
	})
	return edge.NewDocument("application/json", cacheOf("/"), body).With("Vary", "Accept")
}
