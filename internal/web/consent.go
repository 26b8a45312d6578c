package web

import (
	"net/http"
	"sync"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/edge"
)

// consentPages are the pages of words of consent. Each is drawn once: there are as many as there are wordings in the
// database, a handful, and what clients make up is not remembered.
type consentPages struct {
	drawn sync.Map   // *edge.Document by hash
	gate  *edge.Gate // for hashes whose page is not drawn: each may wait for the database
}

// newConsentPages has a gate of its own, because whoever makes up hashes must not take the places of people who send
// requests.
func newConsentPages() *consentPages {
	const most = 64
	return &consentPages{gate: &edge.Gate{MaxConcurrent: most, MinConcurrent: most, Patience: 40 * time.Millisecond}}
}

// getConsent shows the exact words behind a hash. Those that were there at the start are in memory: whatever becomes of the
// disk, they can be read.
func (s *Site) getConsent(w http.ResponseWriter, r *http.Request) error {
	hash := r.PathValue("hash")
	if page, drawn := s.consents.drawn.Load(hash); drawn {
		return page.(*edge.Document).Get(w, r)
	}
	if !s.consents.gate.Enter(r.Context()) {
		return catalog.Busy()
	}
	defer s.consents.gate.Leave()
	text, err := s.Intake.ConsentText(r.Context(), edge.RequestInfoOf(r.Context()).Client, hash)
	if err != nil {
		return err
	}
	page := s.document(s.mustRender(s.view(s.brand.ConsentPage(text, s.doors.Now)).unlisted()), cacheOf("/privacy"))
	s.consents.drawn.Store(hash, page)
	return page.Get(w, r)
}
