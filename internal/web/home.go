package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"sync"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

func (s *Site) homeView(f *form) view {
	v := s.view(s.brand.HomePage()).withCall(callFirst).withPart("form", f)
	v.Layout = "home"
	v.Scripts = append(v.Scripts, s.brand.URL(mainScript.Path))
	return v
}

// getHome serves the form to browsers and the index to programs. The query can select a service and say where the visitor came from, and
// nothing else.
func (s *Site) getHome(w http.ResponseWriter, r *http.Request) error {
	if edge.Prefers(r, "application/json", "text/html") {
		return s.index.Get(w, r)
	}
	query := r.URL.Query()
	service := lead.Service(query.Get(serviceField))
	if s.home[service] == nil {
		service = noService
	}
	if from := lead.ReadAttribution(query.Get); from != (lead.Attribution{}) {
		s.writeHome(w, service, from)
		return nil
	}
	return s.withFormToken(s.home[service]).Get(w, r)
}

// writeHome writes the home page for a visitor whose address says where they came from. The form carries that along, without a script and
// without a cookie.
func (s *Site) writeHome(w http.ResponseWriter, service lead.Service, from lead.Attribution) {
	sub := submissionFor(service)
	sub.Attribution = from
	f := s.form(sub, noError)
	f.Token = s.formToken(f.ConsentHash, s.Now())
	w.Header().Add("Vary", "Accept")
	w.Header().Add("Link", linkHeader(s.brand))
	s.writePage(w, http.StatusOK, s.homeView(f))
}

const serviceField = "service_type"

// noService selects the home page without a service chosen.
const noService lead.Service = ""

// homePage is the page with the form. Its token says when it was served.
type homePage struct {
	rendered []byte // with tokenPlaceholder where the token goes

	mu       sync.Mutex
	document *edge.Document // with a token
	tokenAt  time.Time
}

// renderHome renders the home page blank, and once for each service that the form offers.
func (s *Site) renderHome() (map[lead.Service]*homePage, error) {
	pages := make(map[lead.Service]*homePage)
	for _, service := range append([]lead.Service{noService}, lead.Services...) {
		if service.Live() {
			continue
		}
		page, err := s.render(s.homeView(s.form(submissionFor(service), noError)))
		if err != nil {
			return nil, err
		}
		if service == noService {
			sum := sha256.Sum256(page)
			s.version = hex.EncodeToString(sum[:8])
		}
		pages[service] = &homePage{rendered: page}
	}
	return pages, nil
}

// submissionFor is a submission with only the service filled in.
func submissionFor(service lead.Service) *intake.Submission {
	raw := lead.IntakeInput.New()
	if service != noService {
		raw.Set(serviceField, lead.Typed(string(service)))
	}
	if service == lead.RecurringCleaning { // the default, "once", would contradict the service
		raw.Set("frequency", lead.Typed("biweekly"))
	}
	return &intake.Submission{Raw: raw}
}

// tokenLifetime is how long a page is served with the same token. A new token means compressing the page again.
const tokenLifetime = time.Minute

// withFormToken returns the page with a token that is not too old, nor from the future: the clock may have been set back.
func (s *Site) withFormToken(p *homePage) *edge.Document {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := s.Now()
	if age := now.Sub(p.tokenAt); p.document == nil || age < 0 || age >= tokenLifetime {
		body := bytes.Replace(p.rendered, []byte(tokenPlaceholder), []byte(s.formToken(s.brand.ConsentShown().Ref().Hash, now)), 1)
		p.document, p.tokenAt = s.document(body, cacheOf("/")).With("Vary", "Accept").With("Link", linkHeader(s.brand)), now
	}
	return p.document
}

// tokenPlaceholder marks where the token goes. It is not a valid token, so a form that sends it proves nothing.
const tokenPlaceholder = "served-form-token"

// formToken is the token of a form that was served with a consent text at the given time.
func (s *Site) formToken(consentHash string, at time.Time) string {
	return lead.NewFormToken(s.FormTokenKey, consentHash, s.version, at)
}

// indexDocument is the home page for programs.
func indexDocument(b catalog.Brand) *edge.Document {
	body := wire.MarshalIndent(wire.Object{
		{"name", b.Name},
		{"about", catalog.About},
		{"version", catalog.Version},
		{"endpoints", b.Endpoints()},
		{"discovery", wire.Object{
			{"server_card", b.URL("/mcp/server-card")},
			{"ai_catalog", b.URL("/.well-known/ai-catalog.json")},
			{"api_catalog", b.URL("/.well-known/api-catalog")},
			{"llms_full", b.URL("/llms-full.txt")},
			{"docs_for_buyers", b.URL(catalog.PageBuyers)},
			{"security", b.URL("/.well-known/security.txt")},
			{"health", b.URL("/health")},
		}},
		{"contact", b.Contact},
	})
	return edge.NewDocument("application/json", cacheOf("/"), body).With("Vary", "Accept")
}
