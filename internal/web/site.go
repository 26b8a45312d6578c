package web

import (
	"html/template"
	"net/http"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/intake"
	"foyer/internal/lead"
)

// Site is the public pages of one brand.
type Site struct {
	brand     catalog.Brand
	templates *template.Template
	policy    string // Content-Security-Policy of every page
	style     asset
	index     *edge.Document
	llms      edge.Board
	pages     map[string]*edge.Document // by address, with the query that matters
}

// New writes all pages. holdDays is how long a request that nobody covers is held, as the privacy page tells it.
func New(brand catalog.Brand, holdDays int) (*Site, error) {
	s := &Site{brand: brand, style: newAsset("foyer", "css", styleSheet)}
	var err error
	if s.policy, err = contentPolicy(brand.BaseURL); err != nil {
		return nil, err
	}
	if s.templates, err = template.New("pages").Funcs(template.FuncMap{"words": words}).ParseFS(files, "templates/*.html"); err != nil {
		return nil, err
	}
	s.index = indexDocument(brand)
	s.Tell()
	s.pages, err = s.write(holdDays)
	return s, err
}

// write renders every page that does not depend on who asks.
func (s *Site) write(holdDays int) (map[string]*edge.Document, error) {
	statusOf := func(k lead.Kind) int { return edge.Status(&lead.Error{Kind: k}) }
	views := map[string]view{
		"/":                 s.homeView(s.form(intake.Order{}, nil)),
		"/plumbing":         s.view(s.brand.PlumbingPage()).with(callLarge),
		"/thanks":           s.view(s.brand.ThanksPage()).with(callAfter).unlisted(),
		catalog.PageChecked: s.view(s.brand.DryThanksPage()).unlisted(),
		"/privacy":          s.view(s.brand.PrivacyPage(holdDays)),
		"/docs":             s.view(s.brand.DocsPage(statusOf)),
	}
	pages := make(map[string]*edge.Document, len(views))
	for address, v := range views {
		body, err := s.render(v)
		if err != nil {
			return nil, err
		}
		pages[address] = s.document(body, cacheOf(address))
	}
	pages["/"].With("Vary", "Accept")
	return pages, nil
}

// Tell writes anew what depends on which services somebody covers somewhere. Pages for people say what holds either way.
func (s *Site) Tell(sold ...lead.Service) { s.llms.Put(llmsDocument(s.brand, sold)) }

// Menu lists the addresses of the pages.
func (s *Site) Menu() []edge.Resource {
	return []edge.Resource{
		{Path: "/{$}", Get: s.getHome, Page: true},
		{Path: "/plumbing", Doc: s.pages["/plumbing"], Page: true},
		{Path: "/thanks", Get: s.getThanks, Page: true},
		{Path: "/privacy", Doc: s.pages["/privacy"], Page: true},
		{Path: "/docs", Doc: s.pages["/docs"], Page: true},
		{Path: "/llms.txt", Doc: &s.llms},
		{Path: "/favicon.ico", Doc: iconDocument("image/x-icon", iconICO)},
		{Path: "/favicon.svg", Doc: iconDocument("image/svg+xml", iconSVG)},
		{Path: s.style.path, Doc: s.style.document("text/css; charset=utf-8")},
	}
}

// Missing answers every address that is on no menu.
func (s *Site) Missing() edge.Resource {
	nothing := func(http.ResponseWriter, *http.Request) error { return s.brand.NoPage() }
	return edge.Resource{Path: "/", Any: nothing, Page: true}
}

// getThanks shows one of two pages. The query only chooses between them; nothing of it is shown.
func (s *Site) getThanks(w http.ResponseWriter, r *http.Request) error {
	if r.URL.Query().Has(lead.DryRun) {
		return s.pages[catalog.PageChecked].Get(w, r)
	}
	return s.pages["/thanks"].Get(w, r)
}
