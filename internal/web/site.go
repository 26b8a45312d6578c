// Package web serves the public pages: the form, the plumbing number, thanks, privacy, docs and llms.txt.
//
// It holds structure and style; catalog holds every text, and lead's field table defines every input. Pages are
// rendered once and served as bytes. The package stores nothing itself (the form posts to the intake, and privacy
// requests are passed to it), sets no cookies, loads nothing from other hosts, and works without scripts. What a person
// typed appears only in their own form.
package web

import (
	"embed"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/look"
)

// Site serves the public pages of one brand.
type Site struct {
	Intake       *intake.Service // looks up requests and takes privacy requests
	FormTokenKey []byte          // signs the form's tokens; without it the form has none
	Now          func() time.Time

	brand      catalog.Brand
	templates  *template.Template
	policy     string // Content-Security-Policy of every page
	theme      theme  // the operator's branding
	sitemap    []byte
	index      *edge.Document
	interfaces Interfaces
	llms       edge.LiveDocument
	llmsFull   edge.LiveDocument
	llmsPages  string                     // the pages that llms-full.txt appends to llms.txt
	pages      map[string]*edge.Document  // by address, with a query if it selects another page
	home       map[lead.Service]*homePage // by selected service
	version    string                     // hash of the home page without its token, but with the addresses of style and script
	markdown   map[string]*edge.Document  // by address
	consents   sync.Map                   // the pages that show consent texts, *edge.Document by hash; there are only a few, and unknown hashes are not kept
}

// New renders all pages. holdDays is how long a request that no buyer takes is held; the privacy page states it.
func New(brand catalog.Brand, holdDays int, doors Interfaces) (*Site, error) {
	if brand.Origin() == "" {
		return nil, fmt.Errorf("base URL %q has no host", brand.BaseURL)
	}
	s := &Site{brand: brand, interfaces: doors, policy: contentPolicy(brand.Origin()), theme: newTheme(brand), Now: time.Now}
	var err error
	if s.templates, err = template.New("pages").Funcs(template.FuncMap{"words": templateText, "part": s.part}).ParseFS(files, "templates/*.html"); err != nil {
		return nil, err
	}
	s.index = indexDocument(brand)
	if s.pages, err = s.renderPages(holdDays); err != nil {
		return nil, err
	}
	if s.home, err = s.renderHome(); err != nil {
		return nil, err
	}
	s.SetCoverage()
	return s, nil
}

// renderPages renders every page that is the same for all visitors.
func (s *Site) renderPages(holdDays int) (map[string]*edge.Document, error) {
	docs, err := s.docsView(s.interfaces)
	if err != nil {
		return nil, err
	}
	views := map[string]view{
		"/":                 s.homeView(s.form(submissionFor(noService), noError)), // for its Markdown only: home.go serves the page
		"/plumbing":         s.view(s.brand.PlumbingPage()).withCall(callLarge),
		"/thanks":           s.view(s.brand.ThanksPage()).withCall(callAfter).unlisted(),
		catalog.PageStatus:  s.lookupView(s.brand.LookUpPage()),
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
	s.writeMarkdown(views, pages)
	return pages, nil
}

// Routes lists the routes of the pages.
func (s *Site) Routes() []edge.Resource {
	return append(s.withMarkdown(slices.Concat(s.guideRoutes(), s.seoRoutes(), s.theme.routes, []edge.Resource{
		{Path: "/{$}", Get: s.getHome, Page: true},
		{Path: "/plumbing", Get: s.pages["/plumbing"].Get, Page: true},
		{Path: "/thanks", Get: s.getThanks, Page: true},
		{Path: "/status", Get: s.findStatus, Page: true},
		{Path: "/status/{lead_id}", Get: s.getStatus, Page: true},
		{Path: "/privacy", Get: s.pages["/privacy"].Get, Post: s.postPrivacyRequest, Page: true},
		{Path: "/consent/{hash}", Get: s.getConsent, Page: true},
		{Path: "/docs", Get: s.pages["/docs"].Get, Page: true},
		{Path: catalog.PageBuyers, Get: s.pages[catalog.PageBuyers].Get, Page: true},
		mainStyle.Route(), mainScript.Route(), guideStyle.Route(), docsStyle.Route(), docsScript.Route(),
	})), s.machineRoutes()...)
}

// Missing answers every address that has no route.
func (s *Site) Missing() edge.Resource {
	notFound := func(http.ResponseWriter, *http.Request) error { return s.brand.NoPage() }
	return edge.Resource{Path: "/", Any: notFound, Page: true}
}

//go:embed static
var static embed.FS

// staticFile returns one of our own files.
func staticFile(name string) []byte {
	body, err := static.ReadFile("static/" + name)
	if err != nil {
		panic(err) // every name is a constant
	}
	return body
}

// The files that pages load. Explanations and docs have their own, so that the home page does not load them.
var (
	mainStyle  = look.NewAsset("foyer.css", look.WithTokens(staticFile("foyer.css")))
	mainScript = look.NewAsset("foyer.js", staticFile("foyer.js"))
	guideStyle = look.NewAsset("guide.css", staticFile("guide.css"))
	docsStyle  = look.NewAsset("docs.css", staticFile("docs.css"))
	docsScript = look.NewAsset("docs.js", staticFile("docs.js"))
)

// withGuideStyle adds the style of the explanatory pages.
func (s *Site) withGuideStyle(v view) view {
	v.Styles = append(v.Styles, s.brand.URL(guideStyle.Path))
	return v
}

// guideViews are the explanatory pages: how a request is handled, and one page for each group of services.
func (s *Site) guideViews(holdDays int) map[string]view {
	views := map[string]view{catalog.PageGuide: s.withGuideStyle(s.view(s.brand.GuidePage(holdDays)))}
	for _, g := range catalog.Groups {
		v := s.withGuideStyle(s.view(s.brand.GroupPage(g)))
		v.Layout = "broad"
		views[g.Path()] = v
	}
	return views
}

func (s *Site) guideRoutes() []edge.Resource {
	routes := []edge.Resource{{Path: catalog.PageGuide, Get: s.pages[catalog.PageGuide].Get, Page: true}}
	for _, g := range catalog.Groups {
		routes = append(routes, edge.Resource{Path: g.Path(), Get: s.pages[g.Path()].Get, Page: true})
	}
	return routes
}
