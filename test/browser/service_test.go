package browser

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"foyer/internal/catalog"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/test/binary"
	"foyer/test/crawl"
)

// service is the running program, with the origin of its links.
type service struct {
	*binary.Process
	t      *testing.T
	origin string
	brand  catalog.Brand // the brand of a program without settings
}

func serve(t *testing.T) *service {
	t.Helper()
	p := binary.Serve(t, t.TempDir(), "--rate-limit", "off")
	origin := p.Origin()
	return &service{p, t, origin, catalog.Brand{Name: "Foyer", Contact: "hello@example.com", BaseURL: origin, Number: "+18005550199"}}
}

// privacyRequests returns the stored privacy requests.
func (s *service) privacyRequests() (kept []lead.PrivacyRequest) {
	s.t.Helper()
	s.ReadStore(func(tx *store.Tx) (err error) { kept, err = tx.PrivacyRequests().List(true); return err })
	return kept
}

// visit is a page in a state that a person can see it in.
type visit struct {
	name    string
	address string
	status  int
	prepare func(*tab) // runs before the page is checked
}

// visits returns all pages that the crawler finds, and the form with every possible problem. For a page that varies by its
// query, one variant is enough.
func (s *service) visits() []visit {
	s.t.Helper()
	site, err := crawl.Walk(s.t.Context(), s.origin)
	if err != nil {
		s.t.Fatal(err)
	}
	var all []visit
	faces := map[string]int{}
	for _, p := range site.HTML() {
		path, query, _ := strings.Cut(p.Address, "?")
		if path == "/sitemap.xml" || path == "/robots.txt" { // while they are pending, they are error pages
			continue
		}
		if query != "" {
			faces[path]++
		}
		if faces[path] < 2 {
			all = append(all, visit{nameOf(p.Address), p.Address, p.Status, func(*tab) {}})
		}
	}
	all = append(all, visit{"problems", "/", http.StatusOK, sendEmpty})
	if !crawl.Lacks(crawl.StatusPage) {
		all = append(all, visit{"status-of-a-request", "/status/" + s.request(), http.StatusOK, func(*tab) {}})
	}
	return all
}

// notInNames matches the parts of an address that do not belong in a file name: punctuation, and hashes.
var notInNames = regexp.MustCompile(`[^a-z0-9_-]+|[0-9a-f]{16,}`)

// nameOf turns an address into a file name.
func nameOf(address string) string {
	switch address {
	case "/":
		return "home"
	case crawl.Nowhere:
		return "absent"
	}
	return strings.Trim(notInNames.ReplaceAllString(address, "-"), "-")
}
