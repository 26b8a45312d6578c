package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"time"

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
	if r.URL.RawQuery != "" {
		if page := s.home[lead.Service(r.URL.Query().Get(serviceField))]; page != nil {
			return page.Get(w, r)
		}
	}
	return s.home[blank].Get(w, r)
}

const serviceField = "service_type"

// blank is the home page without a service chosen.
const blank lead.Service = ""

// writeHome renders the home page blank, and for each service that a person can come here for.
func (s *Site) writeHome() (map[lead.Service]*edge.Timed, error) {
	pages := make(map[lead.Service]*edge.Timed)
	for _, service := range append([]lead.Service{blank}, lead.Services...) {
		if service.Live() {
			continue
		}
		page, err := s.render(s.homeView(s.form(choosing(service), nil)))
		if err != nil {
			return nil, err
		}
		if service == blank {
			s.version = versionOf(page)
		}
		pages[service] = s.served(page)
	}
	return pages, nil
}

// choosing is a form in which nothing is filled in but the service.
func choosing(service lead.Service) *intake.Submission {
	raw := lead.IntakeInput.New()
	if service != blank {
		raw.Set(serviceField, lead.Typed(string(service)))
	}
	if service == lead.RecurringCleaning { // "once" would contradict it
		raw.Set("frequency", lead.Typed("biweekly"))
	}
	return &intake.Submission{Raw: raw}
}

// tokenLife is how long a page is served with the same token. A new one costs a compression of the page.
const tokenLife = time.Minute

// served shows a page with a token in it that says when it was served.
func (s *Site) served(page []byte) *edge.Timed {
	before, after, _ := bytes.Cut(page, []byte(tokenPlace))
	return edge.NewTimed(tokenLife, s.clock, func(at time.Time) *edge.Document {
		body := slices.Concat(before, []byte(s.formToken(at)), after)
		return s.document(body, cacheOf("/")).With("Vary", "Accept").With("Link", pointers(s.brand))
	})
}

// tokenPlace stands in a page for the token. It is no token, so a form that carries it proves nothing.
const tokenPlace = "served-form-token"

// formToken is the token of a form that is served at a time.
func (s *Site) formToken(at time.Time) string {
	return lead.NewFormToken(s.FormTokenKey, s.brand.ConsentShown().Ref().Hash, s.version, at)
}

func (s *Site) clock() time.Time { return s.now() }

// versionOf names the bytes of a page, its token aside. Its style and its script are in it by their addresses, which name
// their content.
func versionOf(page []byte) string {
	sum := sha256.Sum256(page)
	return hex.EncodeToString(sum[:8])
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
