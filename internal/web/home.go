package web

import (
	"net/http"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

func (s *Site) homeView(f *form) view {
	v := s.view(s.brand.HomePage()).with(callFirst)
	v.Form, v.Layout = f, "home"
	v.Scripts = append(v.Scripts, s.brand.URL(s.script.path))
	return v
}

// getHome shows the form to people and the addresses to programs. The address may choose a service, and nothing else.
func (s *Site) getHome(w http.ResponseWriter, r *http.Request) error {
	if edge.Prefers(r, "application/json", "text/html") {
		return s.index.Get(w, r)
	}
	if page := s.chosen[lead.Service(r.URL.Query().Get(serviceField))]; r.URL.RawQuery != "" && page != nil {
		return page.Get(w, r)
	}
	return s.pages["/"].Get(w, r)
}

const serviceField = "service_type"

// writeChosen renders the home page for each service that a person can come here for.
func (s *Site) writeChosen() (map[lead.Service]*edge.Document, error) {
	pages := make(map[lead.Service]*edge.Document)
	for _, service := range lead.Services {
		if service.Live() {
			continue
		}
		raw := lead.IntakeSlip.New()
		raw.Set(serviceField, lead.Typed(string(service)))
		if service == lead.RecurringCleaning { // "once" would contradict it
			raw.Set("frequency", lead.Typed("biweekly"))
		}
		body, err := s.render(s.homeView(s.form(&intake.Order{Raw: raw}, nil)))
		if err != nil {
			return nil, err
		}
		pages[service] = s.document(body, cacheOf("/")).With("Vary", "Accept")
	}
	return pages, nil
}

func indexDocument(b catalog.Brand) *edge.Document {
	body := wire.MarshalIndent(wire.Object{
		{"name", b.Name},
		{"about", catalog.About},
		{"version", catalog.Version},
		{"endpoints", b.Endpoints()},
		{"discovery", addresses(b)},
		{"contact", b.Contact},
	})
	return edge.NewDocument("application/json", cacheOf("/"), body).With("Vary", "Accept")
}
