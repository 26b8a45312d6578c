package web

import (
	"bytes"
	"embed"
	"fmt"
	"html"
	"html/template"
	"net/http"
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/lead"
)

//go:embed templates/*.html
var files embed.FS

// view is the data that a page is rendered from.
type view struct {
	catalog.Page
	Brand    catalog.Brand
	Styles   []string          // addresses of style sheets; the last one wins
	Scripts  []string          // addresses of scripts; every page works without them
	Tel      template.HTMLAttr // the href of the plumbing number
	Call     call
	Layout   string // a CSS class: broad, home
	Unlisted bool   // search engines must not index the page
	Part     string // the template for what only this page has
	PartData any    // the data of Part or After
	After    string // a template rendered after the sections
	Theme    theme  // the operator's branding
}

// call says where a page shows the plumbing number.
type call string

const (
	callFirst call = "first" // before everything else
	callLarge call = "large" // large: the number is the page's purpose
	callAfter call = "after" // after the opening
	callLast  call = "last"  // after the part that only this page has
)

func (s *Site) view(p catalog.Page) view {
	return view{
		Page: p, Brand: s.brand, Styles: []string{s.brand.URL(mainStyle.Path)}, Theme: s.theme,
		// html/template does not trust tel: and would write the + as an entity
		Tel: template.HTMLAttr(`href="` + html.EscapeString(s.brand.TelLink()) + `"`),
	}
}

// withPart adds a template after the opening.
func (v view) withPart(part string, data any) view {
	v.Part, v.PartData = part, data
	return v
}

func (v view) withCall(c call) view {
	v.Call = c
	return v
}

func (v view) unlisted() view {
	v.Unlisted = true
	return v
}

// templateText looks up a text for the templates. An unknown name fails at startup.
func templateText(name string) (string, error) {
	if text := catalog.PageWords[name]; text != "" {
		return text, nil
	}
	return "", fmt.Errorf("no words for %q", name)
}

// part renders a template whose name is a variable, which templates cannot do themselves.
func (s *Site) part(name string, data any) (template.HTML, error) {
	var out bytes.Buffer
	err := s.templates.ExecuteTemplate(&out, name, data)
	return template.HTML(out.String()), err
}

func (s *Site) render(v view) ([]byte, error) {
	var page bytes.Buffer
	if err := s.templates.ExecuteTemplate(&page, "base.html", v); err != nil {
		return nil, fmt.Errorf("page %s: %w", v.Heading, err)
	}
	return page.Bytes(), nil
}

// mustRender renders a page for one visitor. The templates are fixed, so a failure is a bug: edge recovers the panic
// and answers.
func (s *Site) mustRender(v view) []byte {
	page, err := s.render(v)
	if err != nil {
		panic(err)
	}
	return page
}

const htmlType = "text/html; charset=utf-8"

// cacheOf lets pages be cached for a minute. The home page is revalidated each time: it is served as HTML or JSON, and
// it carries the consent text.
func cacheOf(address string) string {
	if address == "/" {
		return "no-cache"
	}
	return "public, max-age=60"
}

func (s *Site) document(page []byte, cache string) *edge.Document {
	d := edge.NewDocument(htmlType, cache, page)
	for name, value := range s.securityHeaders() {
		d.With(name, value)
	}
	return d
}

// writePage answers with a page that is for one visitor only and must not be cached.
func (s *Site) writePage(w http.ResponseWriter, status int, v view) {
	page, h := s.mustRender(v), w.Header()
	for name, value := range s.securityHeaders() {
		h.Set(name, value)
	}
	h.Set("Content-Type", htmlType)
	h.Set("Content-Length", fmt.Sprint(len(page)))
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(page)
}

// securityHeaders restrict what a page may load and what it sends as referrer.
func (s *Site) securityHeaders() map[string]string {
	return map[string]string{
		"Content-Security-Policy": s.policy,
		"Referrer-Policy":         "strict-origin-when-cross-origin",
	}
}

// contentPolicy allows our own styles, scripts, images and form, and nothing inline. It names the public origin besides
// 'self', because links are absolute and browsers apply the policy to a form's redirect too.
func contentPolicy(origin string) string {
	self := "'self' " + origin
	return strings.Join([]string{
		"default-src 'none'", "style-src " + self, "script-src " + self, "connect-src " + self, "img-src " + self,
		"manifest-src " + self, "form-action " + self,
		"base-uri 'none'", "frame-ancestors 'none'",
	}, "; ")
}

// ErrorPage shows a person in a browser what went wrong, with ways to continue: the number, the form, and where to look
// up a request.
func (s *Site) ErrorPage(w http.ResponseWriter, _ *http.Request, status int, e *lead.Error) {
	v := s.view(s.brand.ErrorPage(e.Kind, e.Message)).withCall(callAfter).unlisted()
	if e.Kind == lead.NotFound {
		v = v.withPart("error", s.lookupForm())
	}
	s.writePage(w, status, v)
}
