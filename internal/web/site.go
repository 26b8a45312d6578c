package web

import (
	"html/template"
	"maps"
	"net/http"
	"slices"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/intake"
	"foyer/internal/lead"
)

// Site is the public pages of one brand.
type Site struct {
	Intake       *intake.Service // where requests are looked up and wishes are left
	FormTokenKey []byte          // makes the tokens of the form; without it the form has none

	brand     catalog.Brand
	templates *template.Template
	policy    string // Content-Security-Policy of every page
	style     asset
	script    asset
	theme     theme // what the operator's look adds
	sitemap   []byte
	index     *edge.Document
	doors     Doors
	llms      edge.LiveDocument
	llmsFull  edge.LiveDocument
	more      string                       // what llms-full.txt holds behind llms.txt
	pages     map[string]*edge.Document    // by address, with the query that matters
	home      map[lead.Service]*edge.Timed // the page with the form: blank, and with a service chosen
	version   string                       // of that page
	markdown  map[string]*edge.Document    // by address
	now       func() time.Time
	consents  *consentPages
}

// New writes all pages. holdDays is how long a request that nobody covers is held, as the privacy page tells it.
func New(brand catalog.Brand, holdDays int, doors Doors) (*Site, error) {
	s := &Site{brand: brand, doors: doors, style: newAsset("foyer", "css", styleSheet), script: newAsset("foyer", "js", script), now: time.Now, consents: newConsentPages()}
	var err error
	if s.theme, err = newTheme(brand); err != nil {
		return nil, err
	}
	if s.policy, err = contentPolicy(brand.BaseURL); err != nil {
		return nil, err
	}
	if s.templates, err = template.New("pages").Funcs(template.FuncMap{"words": words, "part": s.part}).ParseFS(files, "templates/*.html"); err != nil {
		return nil, err
	}
	s.index = indexDocument(brand)
	if s.pages, err = s.write(holdDays); err != nil {
		return nil, err
	}
	if s.home, err = s.writeHome(); err != nil {
		return nil, err
	}
	s.Tell()
	return s, nil
}

// write renders every page that does not depend on who asks.
func (s *Site) write(holdDays int) (map[string]*edge.Document, error) {
	docs, err := s.docsView(s.doors)
	if err != nil {
		return nil, err
	}
	views := map[string]view{
		"/":                 s.homeView(s.form(&intake.Submission{}, nil)), // its document changes: see home.go
		"/plumbing":         s.view(s.brand.PlumbingPage()).with(callLarge),
		"/thanks":           s.view(s.brand.ThanksPage()).with(callAfter).unlisted(),
		catalog.PageStatus:  s.lookUpView(s.brand.LookUpPage()),
		catalog.PageChecked: s.view(s.brand.DryThanksPage()).unlisted(),
		"/privacy":          s.privacyView(holdDays),
		"/docs":             docs,
		catalog.PageBuyers:  s.buyersView(),
	}
	maps.Copy(views, s.guideViews(holdDays))
	if s.sitemap, err = sitemap(s.brand, views); err != nil {
		return nil, err
	}
	pages := make(map[string]*edge.Document, len(views))
	for address, v := range views {
		if address == "/" {
			continue
		}
		body, err := s.render(v)
		if err != nil {
			return nil, err
		}
		pages[address] = s.document(body, cacheOf(address))
	}
	s.translate(views, pages)
	return pages, nil
}

// Routes lists the addresses of the pages.
func (s *Site) Routes() []edge.Resource {
	return append(s.translated(slices.Concat(s.privacyRoutes(), s.guideRoutes(), s.seoRoutes(), s.theme.routes(), []edge.Resource{
		{Path: "/{$}", Get: s.getHome, Page: true},
		{Path: "/plumbing", Doc: s.pages["/plumbing"], Page: true},
		{Path: "/thanks", Get: s.getThanks, Page: true},
		{Path: "/status", Get: s.findStatus, Page: true},
		{Path: "/status/{lead_id}", Get: s.getStatus, Page: true},
		{Path: "/docs", Doc: s.pages["/docs"], Page: true},
		{Path: catalog.PageBuyers, Doc: s.pages[catalog.PageBuyers], Page: true},
		{Path: docsStyleAsset.path, Doc: docsStyleAsset.document("text/css; charset=utf-8")},
		{Path: docsScriptAsset.path, Doc: docsScriptAsset.document("text/javascript; charset=utf-8")},
		{Path: s.style.path, Doc: s.style.document("text/css; charset=utf-8")},
		{Path: s.script.path, Doc: s.script.document("text/javascript; charset=utf-8")},
	})), s.machineRoutes()...)
}

// Missing answers every address that is on no menu.
func (s *Site) Missing() edge.Resource {
	nothing := func(http.ResponseWriter, *http.Request) error { return s.brand.NoPage() }
	return edge.Resource{Path: "/", Any: nothing, Page: true}
}
