package web

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
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
)

// Site serves the public pages of one brand.
type Site struct {
	Intake       *intake.Service // looks up requests and takes privacy requests
	FormTokenKey []byte          // signs the form's tokens; without it the form has none

	brand      catalog.Brand
	templates  *template.Template
	policy     string // Content-Security-Policy of every page
	style      asset
	script     asset
	theme      theme // the operator's branding
	sitemap    []byte
	index      *edge.Document
	interfaces Interfaces
	llms       edge.LiveDocument
	llmsFull   edge.LiveDocument
	llmsPages  string                     // the pages that llms-full.txt appends to llms.txt
	pages      map[string]*edge.Document  // by address, with a query if it selects another page
	home       map[lead.Service]*homePage // by selected service
	version    string                     // hash of the home page
	markdown   map[string]*edge.Document  // by address
	now        func() time.Time
	consents   sync.Map // the pages that show consent texts, *edge.Document by hash; there are only a few, and unknown hashes are not kept
}

// New renders all pages. holdDays is how long a request that no buyer covers is held; the privacy page states it.
func New(brand catalog.Brand, holdDays int, doors Interfaces) (*Site, error) {
	s := &Site{brand: brand, interfaces: doors, style: newAsset("foyer", "css", styleSheet), script: newAsset("foyer", "js", script), now: time.Now}
	var err error
	if s.theme, err = newTheme(brand); err != nil {
		return nil, err
	}
	if s.policy, err = contentPolicy(brand.BaseURL); err != nil {
		return nil, err
	}
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
		"/":                 s.homeView(s.form(&intake.Submission{}, nil)), // for its Markdown only: home.go serves the page
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
	return append(s.withMarkdown(slices.Concat(s.privacyRoutes(), s.guideRoutes(), s.seoRoutes(), s.theme.routes(), []edge.Resource{
		{Path: "/{$}", Get: s.getHome, Page: true},
		{Path: "/plumbing", Get: s.pages["/plumbing"].Get, Page: true},
		{Path: "/thanks", Get: s.getThanks, Page: true},
		{Path: "/status", Get: s.findStatus, Page: true},
		{Path: "/status/{lead_id}", Get: s.getStatus, Page: true},
		{Path: "/docs", Get: s.pages["/docs"].Get, Page: true},
		{Path: catalog.PageBuyers, Get: s.pages[catalog.PageBuyers].Get, Page: true},
		{Path: docsStyleAsset.path, Get: docsStyleAsset.document("text/css; charset=utf-8").Get},
		{Path: docsScriptAsset.path, Get: docsScriptAsset.document("text/javascript; charset=utf-8").Get},
		{Path: s.style.path, Get: s.style.document("text/css; charset=utf-8").Get},
		{Path: s.script.path, Get: s.script.document("text/javascript; charset=utf-8").Get},
	})), s.machineRoutes()...)
}

// Missing answers every address that has no route.
func (s *Site) Missing() edge.Resource {
	notFound := func(http.ResponseWriter, *http.Request) error { return s.brand.NoPage() }
	return edge.Resource{Path: "/", Any: notFound, Page: true}
}

var (
	//go:embed static/foyer.css
	styleSheet []byte
	//go:embed static/foyer.js
	script []byte
)

// asset is a file with a hash of its content in its address, so that it can be cached forever.
type asset struct {
	path string
	body []byte
}

func newAsset(name, ext string, body []byte) asset {
	sum := sha256.Sum256(body)
	return asset{path: "/assets/" + name + "-" + hex.EncodeToString(sum[:6]) + "." + ext, body: body}
}

func (a asset) document(contentType string) *edge.Document {
	return edge.NewDocument(contentType, "public, max-age=31536000, immutable", a.body)
}

//go:embed static/guide.css
var guideCSS []byte

// guideStyle is for pages that most people never open, so that the home page does not load it.
var guideStyle = newAsset("guide", "css", guideCSS)

// withGuideStyle adds the style of the explanatory pages.
func (s *Site) withGuideStyle(v view) view {
	v.Styles = append(v.Styles, s.brand.URL(guideStyle.path))
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
	routes := []edge.Resource{
		{Path: catalog.PageGuide, Get: s.pages[catalog.PageGuide].Get, Page: true},
		{Path: guideStyle.path, Get: guideStyle.document("text/css; charset=utf-8").Get},
	}
	for _, g := range catalog.Groups {
		routes = append(routes, edge.Resource{Path: g.Path(), Get: s.pages[g.Path()].Get, Page: true})
	}
	return routes
}
