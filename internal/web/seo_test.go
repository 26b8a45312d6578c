package web

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"image"
	_ "image/png" // decodes the icons
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestSitemap(t *testing.T) {
	answer, body := ask(t, serve(t, sharedSite(t)), "GET", "/sitemap.xml")
	var list struct {
		XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		Loc     []string `xml:"url>loc"`
	}
	if err := xml.Unmarshal([]byte(body), &list); err != nil || !strings.HasPrefix(answer.Header.Get("Content-Type"), "application/xml") {
		t.Fatalf("%v: %s", err, body)
	}
	for path, listed := range map[string]bool{"/": true, "/plumbing": true, "/privacy": true, "/how-it-works": true, "/services/cleaning": true, "/docs": true, "/thanks": false, "/status": false} {
		if slices.Contains(list.Loc, origin+path) != listed {
			t.Errorf("%s: listed %v, want %v", path, !listed, listed)
		}
	}
}

func TestRobots(t *testing.T) {
	answer, body := ask(t, serve(t, sharedSite(t)), "GET", "/robots.txt")
	const want = "User-agent: *\nDisallow: /status\nDisallow: /thanks\n\nSitemap: " + origin + "/sitemap.xml\n"
	if body != want || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("got %s", body)
	}
}

// If the base URL has a path, every address has it.
func TestRobotsWithABasePath(t *testing.T) {
	b := brand
	b.BaseURL = "https://example.com/foyer"
	if got := b.Robots(); !strings.Contains(got, "Disallow: /foyer/status\n") || !strings.Contains(got, "https://example.com/foyer/sitemap.xml") {
		t.Errorf("got %s", got)
	}
}

func TestManifest(t *testing.T) {
	server := serve(t, sharedSite(t))
	answer, body := ask(t, server, "GET", "/site.webmanifest")
	var m struct {
		Name, StartURL string
		Icons          []struct{ Src, Sizes, Type string }
	}
	if err := json.Unmarshal([]byte(strings.Replace(body, "start_url", "starturl", 1)), &m); err != nil || answer.Header.Get("Content-Type") != "application/manifest+json" {
		t.Fatalf("%v: %s", err, body)
	}
	if m.Name != "Foyer" || m.StartURL != origin+"/" || len(m.Icons) != 3 {
		t.Errorf("got %+v", m)
	}
	for _, icon := range m.Icons {
		answer, picture := ask(t, server, "GET", strings.TrimPrefix(icon.Src, origin))
		if answer.Header.Get("Content-Type") != icon.Type {
			t.Errorf("%s is a %s", icon.Src, answer.Header.Get("Content-Type"))
		}
		if icon.Type == "image/png" {
			wantSize(t, icon.Src, picture, icon.Sizes)
		}
	}
}

func wantSize(t *testing.T, name, picture, want string) {
	t.Helper()
	size, _, err := image.DecodeConfig(strings.NewReader(picture))
	if got := strings.Join([]string{itoa(size.Width), itoa(size.Height)}, "x"); err != nil || got != want {
		t.Errorf("%s is %s (%v), want %s", name, got, err, want)
	}
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

// The card has the size that messengers require. It is small, and pages never load it themselves.
func TestSocialCard(t *testing.T) {
	server := serve(t, sharedSite(t))
	_, home := ask(t, server, "GET", "/", browser)
	at := regexp.MustCompile(`<meta property="og:image" content="` + origin + `(/assets/card-[0-9a-f]{12}\.png)">`).FindStringSubmatch(home)
	if at == nil {
		t.Fatal("the home page names no card")
	}
	_, picture := ask(t, server, "GET", at[1], "Accept-Encoding: identity")
	wantSize(t, "the card", picture, "1200x630")
	if len(picture) > 20<<10 {
		t.Errorf("the card weighs %d bytes", len(picture))
	}
	_, touch := ask(t, server, "GET", "/apple-touch-icon.png", "Accept-Encoding: identity")
	wantSize(t, "the touch icon", touch, "180x180")
}

var jsonLDScript = regexp.MustCompile(`(?s)<script type="application/ld\+json">(.*?)</script>`)

// A listed page describes itself, but never claims that we are a local business, and states no prices or ratings.
func TestStructuredData(t *testing.T) {
	server := serve(t, sharedSite(t))
	for path, services := range map[string]int{"/": 0, "/plumbing": 1, "/privacy": 0, "/how-it-works": 0, "/services/cleaning": 4, "/services/handyman": 2} {
		_, body := ask(t, server, "GET", path, browser)
		found := jsonLDScript.FindStringSubmatch(body)
		if found == nil {
			t.Errorf("%s has no structured data", path)
			continue
		}
		var all struct {
			Context string           `json:"@context"`
			Graph   []map[string]any `json:"@graph"`
		}
		if err := json.Unmarshal([]byte(found[1]), &all); err != nil || all.Context != "https://schema.org" || len(all.Graph) != 1+services {
			t.Errorf("%s: %v in %s", path, err, found[1])
			continue
		}
		if page := all.Graph[0]; page["@type"] != "WebPage" || page["url"] != origin+path {
			t.Errorf("%s: %v", path, page)
		}
		for _, never := range []string{"LocalBusiness", "ating", "eview", "rice", "ffer"} {
			if strings.Contains(strings.ReplaceAll(found[1], "company or price is promised", ""), `"`+never) {
				t.Errorf("%s: structured data says %s", path, never)
			}
		}
	}
	if _, thanks := ask(t, server, "GET", "/thanks", browser); jsonLDScript.MatchString(thanks) || strings.Contains(thanks, "og:") {
		t.Error("a page that is not listed describes itself")
	}
}

// A brand name cannot break out of the script element.
func TestStructuredDataIsEscaped(t *testing.T) {
	b := brand
	b.Name = `</script><b>"&`
	s, err := New(b, 30, testInterfaces(t))
	if err != nil {
		t.Fatal(err)
	}
	_, body := ask(t, serve(t, s), "GET", "/plumbing", browser)
	found := jsonLDScript.FindStringSubmatch(body)
	var v struct {
		Graph []struct{ IsPartOf struct{ Name string } } `json:"@graph"`
	}
	if err := json.Unmarshal([]byte(found[1]), &v); err != nil || v.Graph[0].IsPartOf.Name != b.Name || bytes.Contains([]byte(body), []byte("<b>")) {
		t.Errorf("%v: %s", err, found[1])
	}
}
