package crawl

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestSitemap wants the sitemap to list exactly the pages that may be listed.
func TestSitemap(t *testing.T) {
	Await(t, Sitemap)
	s := walk(t)
	var got, want []string
	for _, l := range s.Pages["/sitemap.xml"].links() {
		got = append(got, strings.TrimPrefix(l.address, s.Origin))
	}
	for _, p := range s.HTML() {
		if p.Listed() && !strings.Contains(p.Address, "?") {
			want = append(want, p.Address)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("listed are %v, want %v", got, want)
	}
}

func TestRobots(t *testing.T) {
	Await(t, Robots)
	s := walk(t)
	p := s.Pages["/robots.txt"]
	if !p.is("text/plain") || !strings.Contains(string(p.Body), "Sitemap: "+s.Origin+"/sitemap.xml") {
		t.Errorf("got %s: %s", p.mediaType(), p.Body)
	}
}

// TestManifest wants every page to name a manifest with a name, a start and icons. TestSite checks that they exist.
func TestManifest(t *testing.T) {
	Await(t, Manifest)
	s := walk(t)
	for _, p := range s.HTML() {
		named := p.all(func(e *Element) bool { return e.Name == "link" && e.is("rel", "manifest") })
		if len(named) != 1 {
			t.Errorf("%s names %d manifests", p.Address, len(named))
			continue
		}
		u, err := s.resolve(p, named[0].Attr["href"])
		if err != nil {
			t.Fatal(err)
		}
		var m struct {
			Name     string
			StartURL string `json:"start_url"`
			Icons    []struct{ Src, Sizes, Type string }
		}
		file := s.Pages[u.RequestURI()]
		if err := json.Unmarshal(file.Body, &m); err != nil || !file.is("application/manifest+json") || m.Name == "" || m.StartURL == "" || len(m.Icons) == 0 {
			t.Errorf("%s: %v %+v", file.Address, err, m)
		}
	}
}

// TestSocialCard wants what a messenger shows of a link: a title, a text, an address and an image.
func TestSocialCard(t *testing.T) {
	Await(t, SocialCard)
	s := walk(t)
	for _, p := range s.HTML() {
		for _, property := range []string{"og:title", "og:description", "og:url", "og:image", "og:image:alt"} {
			named := p.all(func(e *Element) bool {
				return e.Name == "meta" && e.Attr["property"] == property && e.Attr["content"] != ""
			})
			if p.Listed() && len(named) != 1 {
				t.Errorf("%s has %d times %s", p.Address, len(named), property)
				continue
			}
			if property == "og:image" && p.Listed() {
				wantImage(t, s, p, named[0].Attr["content"])
			}
		}
	}
}

func wantImage(t *testing.T, s *Site, p *Page, address string) {
	t.Helper()
	u, err := s.resolve(p, address)
	if err != nil || !strings.HasPrefix(address, s.Origin) {
		t.Fatalf("%s: the address of the image is %q: messengers want a whole one", p.Address, address)
	}
	if image := s.Pages[u.RequestURI()]; image.Status != http.StatusOK || !image.is("image/png") && !image.is("image/jpeg") {
		t.Errorf("%s: the image is %d %s", p.Address, image.Status, image.mediaType())
	}
}
