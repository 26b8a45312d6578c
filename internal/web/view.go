package web

import (
	"bytes"
	"embed"
	"fmt"
	"html"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/edge"
)

//go:embed templates/*.html
var files embed.FS

// view is everything a page is drawn from.
type view struct {
	catalog.Page
	Brand    catalog.Brand
	Styles   []string // addresses of style sheets; the last one wins
	Scripts  []string // addresses of scripts, none of which a page needs in order to work
	Nav      []navLink
	Footer   []navLink
	Tel      template.HTMLAttr // the href of the number
	Contact  template.URL
	Call     call
	Layout   string // a class of the style sheet: broad, home
	Unlisted bool   // search engines leave it out
	Form     *form
	Part     string // the name of a template that draws what only this page has
	PartData any    // what it is drawn from
	After    string // the name of a template that is drawn behind the sections
	Theme    theme  // what the operator's look adds
}

// call says where on a page the plumbing number stands.
type call string

const (
	callFirst call = "first" // before everything else
	callLarge call = "large" // it is what the page is for
	callAfter call = "after" // behind what the page says first
	callLast  call = "last"  // behind what only this page has
)

// navLink is a link of the header or the footer. The page one is on is marked.
type navLink struct {
	catalog.Link
	Here bool
}

func (s *Site) view(p catalog.Page) view {
	return view{
		Page: p, Brand: s.brand, Styles: []string{s.brand.URL(s.style.path)}, Theme: s.theme,
		Nav: navLinks(s.brand.Nav(), s.brand.URL(p.Path)), Footer: navLinks(s.brand.Footer(), s.brand.URL(p.Path)),
		Tel: telAttr(s.brand.TelLink()), Contact: template.URL(s.brand.ContactURL()),
	}
}

func navLinks(links []catalog.Link, here string) []navLink {
	all := make([]navLink, len(links))
	for i, l := range links {
		all[i] = navLink{l, l.Address == here}
	}
	return all
}

// showing puts what only this page has behind its opening.
func (v view) showing(part string, data any) view {
	v.Part, v.PartData = part, data
	return v
}

func (v view) with(c call) view {
	v.Call = c
	return v
}

func (v view) unlisted() view {
	v.Unlisted = true
	return v
}

// telAttr is written by hand, because html/template trusts no tel: and would spell the + as an entity.
func telAttr(link string) template.HTMLAttr {
	return template.HTMLAttr(`href="` + html.EscapeString(link) + `"`)
}

// words finds the small words of the templates; a name that has none stops the start.
func words(name string) (string, error) {
	if text := catalog.PageWords[name]; text != "" {
		return text, nil
	}
	return "", fmt.Errorf("no words for %q", name)
}

// part draws a template by its name, which templates cannot do by themselves.
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

// mustRender draws a page for one visitor. The templates are fixed, so a failure is a bug, and the frame answers for it.
func (s *Site) mustRender(v view) []byte {
	page, err := s.render(v)
	if err != nil {
		panic(err)
	}
	return page
}

const htmlType = "text/html; charset=utf-8"

// cacheOf lets pages rest for a minute. The home page is asked for anew each time: it has two faces, and it carries the
// words of the consent.
func cacheOf(address string) string {
	if address == "/" {
		return "no-cache"
	}
	return "public, max-age=60"
}

func (s *Site) document(page []byte, cache string) *edge.Document {
	d := edge.NewDocument(htmlType, cache, page)
	for name, value := range s.guards() {
		d.With(name, value)
	}
	return d
}

// once answers with a page that is for one visitor only.
func (s *Site) once(w http.ResponseWriter, status int, page []byte) {
	h := w.Header()
	for name, value := range s.guards() {
		h.Set(name, value)
	}
	h.Set("Content-Type", htmlType)
	h.Set("Content-Length", fmt.Sprint(len(page)))
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(page)
}

// guards are the headers that keep a page to itself.
func (s *Site) guards() map[string]string {
	return map[string]string{
		"Content-Security-Policy": s.policy,
		"Referrer-Policy":         "strict-origin-when-cross-origin",
	}
}

// contentPolicy allows our own style, script, images and form, and no other word inside a page. The public origin is named beside 'self', because links are
// absolute and a browser holds a form's redirect to the policy too.
func contentPolicy(baseURL string) (string, error) {
	u, err := url.Parse(baseURL)
	if err != nil || u.Host == "" {
		return "", fmt.Errorf("base URL %q has no host", baseURL)
	}
	self := "'self' " + u.Scheme + "://" + u.Host
	return strings.Join([]string{
		"default-src 'none'", "style-src " + self, "script-src " + self, "connect-src " + self, "img-src " + self,
		"manifest-src " + self, "form-action " + self,
		"base-uri 'none'", "frame-ancestors 'none'",
	}, "; "), nil
}
