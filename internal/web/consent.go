package web

import (
	"net/http"
	"sync"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/edge"
)

// consentPages caches the pages that show consent texts. Each page is rendered once. There are only as many pages as
// consent texts in the database, which is a few; unknown hashes are not cached.
type consentPages struct {
	rendered sync.Map   // *edge.Document by hash
	gate     *edge.Gate // limits requests for hashes that are not cached: each may wait for the database
}

// newConsentPages gives the pages their own gate, so that a client that makes up hashes cannot use up the slots of
// people who send requests.
func newConsentPages() *consentPages {
	const maxConcurrent = 64
	return &consentPages{gate: &edge.Gate{MaxConcurrent: maxConcurrent, MinConcurrent: maxConcurrent, Patience: 40 * time.Millisecond}}
}

// getConsent shows the exact consent text behind a hash. Texts that existed at startup are in memory and stay readable
// even if the disk fails.
func (s *Site) getConsent(w http.ResponseWriter, r *http.Request) error {
	hash := r.PathValue("hash")
	if page, ok := s.consents.rendered.Load(hash); ok {
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
	s.consents.rendered.Store(hash, page)
	return page.Get(w, r)
}
