package crawl

import (
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Unlinked are pages that nothing links to, because a browser is redirected there or got a wrong address. They are read as
// well.
var Unlinked = []string{"/thanks", "/thanks?dry_run=true", Nowhere}

// Nowhere is an address that does not exist.
const Nowhere = "/there/is/no/such/page"

// Page is a document as received.
type Page struct {
	Address  string // path and query
	Status   int
	Header   http.Header
	Body     []byte
	Elements []*Element // of an HTML page
	Broken   error      // why parsing failed, or nil
}

// Site is everything that was found, by address.
type Site struct {
	Origin string
	Pages  map[string]*Page
	Faults []string // bad links
	queue  []string
	from   map[string]string // the first document that links to an address
	people map[string]bool   // addresses that an HTML page links to
}

// maxPages is how many documents are read before the crawl counts as endless.
const maxPages = 500

// Walk crawls the site, starting from its home page, its sitemap and a few more addresses.
func Walk(ctx context.Context, origin string, more ...string) (*Site, error) {
	s := &Site{Origin: origin, Pages: map[string]*Page{}, from: map[string]string{}, people: map[string]bool{}}
	for _, address := range append(append([]string{"/", "/robots.txt", "/sitemap.xml"}, Unlinked...), more...) {
		s.enqueue(address, "the start")
	}
	client := &http.Client{Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for len(s.queue) > 0 {
		address := s.queue[0]
		s.queue = s.queue[1:]
		p, err := fetch(ctx, client, origin, address)
		if err != nil {
			return nil, err
		}
		s.Pages[address] = p
		s.follow(p)
		if len(s.Pages) > maxPages {
			return nil, fmt.Errorf("more than %d pages: %s leads to ever new ones", maxPages, s.from[address])
		}
	}
	s.checkFragments()
	return s, nil
}

func fetch(ctx context.Context, client *http.Client, origin, address string) (*Page, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, origin+address, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
	res, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	p := &Page{Address: address, Status: res.StatusCode, Header: res.Header}
	if p.Body, err = io.ReadAll(res.Body); err != nil {
		return nil, err
	}
	if p.IsHTML() {
		p.Elements, p.Broken = elements(p.Body)
	}
	return p, nil
}

// enqueue adds an address to the list, once.
func (s *Site) enqueue(address, from string) {
	if _, known := s.from[address]; !known {
		s.from[address] = from
		s.queue = append(s.queue, address)
	}
}

// follow records where a page links to, and links that it should not have.
func (s *Site) follow(p *Page) {
	links := p.links()
	if to := p.Header.Get("Location"); to != "" {
		links = append(links, link{to, false})
	}
	for _, l := range links {
		u, err := s.resolve(p, l.address)
		switch {
		case err != nil:
			s.fault(p, "names %q: %v", l.address, err)
		case u.Scheme+"://"+u.Host == s.Origin:
			s.enqueue(u.RequestURI(), p.Address)
			s.people[u.RequestURI()] = s.people[u.RequestURI()] || p.IsHTML()
		case l.loaded && u.Scheme != "data":
			s.fault(p, "loads %s from outside", l.address)
		case !slices.Contains([]string{"http", "https", "mailto", "tel", "sms", "data"}, u.Scheme):
			s.fault(p, "leads to %s", l.address)
		}
	}
}

func (s *Site) fault(p *Page, format string, args ...any) {
	s.Faults = append(s.Faults, p.Address+": "+fmt.Sprintf(format, args...))
}

func (s *Site) resolve(p *Page, address string) (*url.URL, error) {
	base, err := url.Parse(s.Origin + p.Address)
	if err != nil {
		return nil, err
	}
	return base.Parse(address)
}

// checkFragments checks that the targets of links to fragments exist.
func (s *Site) checkFragments() {
	for _, p := range s.HTML() {
		for _, l := range p.links() {
			u, err := s.resolve(p, l.address)
			if err != nil || u.Fragment == "" || u.Scheme+"://"+u.Host != s.Origin {
				continue
			}
			if target := s.Pages[u.RequestURI()]; target != nil && target.IsHTML() && !target.has(u.Fragment) {
				s.fault(p, "leads to %s, but %s has no such place", l.address, target.Address)
			}
		}
	}
}

// HTML returns the HTML pages, sorted by address.
func (s *Site) HTML() []*Page {
	var pages []*Page
	for _, p := range s.Pages {
		if p.IsHTML() {
			pages = append(pages, p)
		}
	}
	slices.SortFunc(pages, func(a, b *Page) int { return strings.Compare(a.Address, b.Address) })
	return pages
}

func (p *Page) mediaType() string {
	t, _, _ := mime.ParseMediaType(p.Header.Get("Content-Type"))
	return t
}

func (p *Page) is(mediaType string) bool { return p.mediaType() == mediaType }

// IsHTML reports whether the document is an HTML page.
func (p *Page) IsHTML() bool { return p.is("text/html") }

// Listed reports whether search engines may list the page.
func (p *Page) Listed() bool {
	return p.Status == http.StatusOK && !slices.ContainsFunc(p.Elements, func(e *Element) bool {
		return e.Name == "meta" && strings.EqualFold(e.Attr["name"], "robots") && strings.Contains(e.Attr["content"], "noindex")
	})
}

// has reports whether the page has an element with this id.
func (p *Page) has(id string) bool {
	return slices.ContainsFunc(p.Elements, func(e *Element) bool { return e.Attr["id"] == id })
}
