package web

import (
	"encoding/json"
	"mime"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/catalog"
)

// TestDiscoveryGolden compares the files with those that programs saw before.
func TestDiscoveryGolden(t *testing.T) {
	for _, f := range sharedSite(t).Discovery() {
		golden := filepath.Join("testdata", "discovery", filepath.FromSlash(f.Path))
		if *update {
			if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(golden, f.Body, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(f.Body)); diff != "" {
			t.Errorf("%s changed (-want +got); if that is meant, run make golden:\n%s", f.Path, diff)
		}
	}
}

// TestDiscoveryIsServed checks that every file has its address and type, for any origin, and is cached for an hour at
// most.
func TestDiscoveryIsServed(t *testing.T) {
	site := newSite(t)
	server := serve(t, site)
	for _, f := range site.Discovery() {
		answer, body := ask(t, server, "GET", f.Path, "Origin: https://app.example.com")
		if answer.StatusCode != 200 || body != string(f.Body) || answer.Header.Get("Content-Type") != f.Type {
			t.Errorf("%s: %d %s", f.Path, answer.StatusCode, answer.Header.Get("Content-Type"))
		}
		if _, _, err := mime.ParseMediaType(f.Type); err != nil {
			t.Errorf("%s: %v", f.Path, err)
		}
		if answer.Header.Get("Access-Control-Allow-Origin") != "*" || !strings.HasPrefix(answer.Header.Get("Cache-Control"), "public, max-age=") {
			t.Errorf("%s: %v", f.Path, answer.Header)
		}
		again, none := ask(t, server, "GET", f.Path, "If-None-Match: "+answer.Header.Get("ETag"))
		if again.StatusCode != 304 || none != "" {
			t.Errorf("%s again: %d", f.Path, again.StatusCode)
		}
		if head, none := ask(t, server, "HEAD", f.Path); head.StatusCode != 200 || none != "" { // required by RFC 9727
			t.Errorf("HEAD %s: %d", f.Path, head.StatusCode)
		}
		if preflight, _ := ask(t, server, "OPTIONS", f.Path, "Origin: https://app.example.com"); !strings.Contains(preflight.Header.Get("Access-Control-Allow-Methods"), "GET") {
			t.Errorf("OPTIONS %s: %v", f.Path, preflight.Header)
		}
	}
}

// readJSONFile parses one of the documents as JSON.
func readJSONFile(t *testing.T, b catalog.Brand, path string) map[string]any {
	t.Helper()
	for _, f := range discovery(b, time.Now()) {
		if f.Path == path {
			var v map[string]any
			if err := json.Unmarshal(f.Body, &v); err != nil {
				t.Fatal(err)
			}
			return v
		}
	}
	t.Fatalf("there is no %s", path)
	return nil
}

// brands are examples of what operators may configure.
var brands = map[string]catalog.Brand{
	"a name":         brand,
	"a path":         {Name: "Foyer", Contact: "https://foyer.example.com/contact", BaseURL: "https://example.com/foyer", Number: "+18005550199"},
	"a port":         {Name: "Foyer", Contact: "hello@example.com", BaseURL: "http://localhost:8080", Number: "+18005550199"},
	"an address":     {Name: "Foyer", Contact: "hello@example.com", BaseURL: "http://[::1]:8080", Number: "+18005550199"},
	"an endless one": {Name: strings.Repeat("Foyer ", 40), Contact: "hello@example.com", BaseURL: "https://FOYER.example.com", Number: "+18005550199"},
}

// The rules of the two schemas for the members that we write: server-card v1 and the registry's of 2025-12-11.
var (
	namePattern = regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`)
	remoteURL   = regexp.MustCompile(`^https?://[^\s]+$`)
	exact       = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+$`)
	protocol    = regexp.MustCompile(`^20[0-9]{2}-[0-9]{2}-[0-9]{2}$`)
)

func TestServerCardsFollowTheirSchemas(t *testing.T) {
	known := map[string]bool{"$schema": true, "name": true, "title": true, "description": true, "version": true, "websiteUrl": true, "icons": true, "remotes": true}
	for who, b := range brands {
		for path, schema := range map[string]string{
			"/mcp/server-card": cardSchema, "/.well-known/mcp/server-card.json": cardSchema, "/.well-known/mcp.json": cardSchema, "/server.json": registrySchema,
		} {
			card := readJSONFile(t, b, path)
			name, _ := card["name"].(string)
			description, _ := card["description"].(string)
			version, _ := card["version"].(string)
			if card["$schema"] != schema || !namePattern.MatchString(name) || len(name) < 3 || len(name) > 200 || !exact.MatchString(version) {
				t.Errorf("%s of %s: %v", path, who, card)
			}
			if n := len([]rune(description)); n < 1 || n > 100 {
				t.Errorf("%s: a description of %d characters, at most 100 are taken", path, n)
			}
			if title, given := card["title"].(string); given && (title == "" || len([]rune(title)) > 100) {
				t.Errorf("%s of %s: the title is %q", path, who, title)
			}
			wantAbsolute(t, path, card["websiteUrl"])
			for member := range card {
				if !known[member] {
					t.Errorf("%s: the schema has no %s", path, member)
				}
			}
			wantRemotes(t, path, b, card)
		}
	}
}

func wantRemotes(t *testing.T, path string, b catalog.Brand, card map[string]any) {
	t.Helper()
	remotes, _ := card["remotes"].([]any)
	if len(remotes) != 1 {
		t.Fatalf("%s has %d remotes", path, len(remotes))
	}
	remote := remotes[0].(map[string]any)
	address, _ := remote["url"].(string)
	if remote["type"] != "streamable-http" || !remoteURL.MatchString(address) || address != b.URL("/mcp") {
		t.Errorf("%s: %v", path, remote)
	}
	versions, given := remote["supportedProtocolVersions"].([]any)
	if given != (card["$schema"] == cardSchema) { // the registry's schema does not have this member
		t.Errorf("%s: %v", path, remote)
	}
	for _, v := range versions {
		if !protocol.MatchString(v.(string)) {
			t.Errorf("%s: version %s", path, v)
		}
	}
}

func wantAbsolute(t *testing.T, path string, address any) {
	t.Helper()
	text, _ := address.(string)
	if u, err := url.Parse(text); err != nil || u.Scheme == "" || u.Host == "" {
		t.Errorf("%s: %q is no whole address", path, text)
	}
}

func TestRegistryNameBelongsToTheHost(t *testing.T) {
	for base, want := range map[string]string{
		"https://foyer.example.com": "com.example.foyer/foyer", "https://FOYER.example.com.": "com.example.foyer/foyer",
		"http://localhost:8080": "localhost/foyer", "http://192.0.2.1": "localhost/foyer", "http://[::1]:80": "localhost/foyer",
	} {
		if got := serverName(catalog.Brand{BaseURL: base}); got != want {
			t.Errorf("%s: %s, want %s", base, got, want)
		}
	}
}

// The rules of AI Catalog 1.0: a version, a host with a name, entries with an identifier, a type and one address.
func TestAICatalogFollowsItsRules(t *testing.T) {
	for who, b := range brands {
		list := readJSONFile(t, b, "/.well-known/ai-catalog.json")
		host, _ := list["host"].(map[string]any)
		if list["specVersion"] != "1.0" || host["displayName"] == "" {
			t.Errorf("%s: %v", who, list)
		}
		wantAbsolute(t, "host", host["documentationUrl"])
		seen := map[any]bool{}
		for _, e := range list["entries"].([]any) {
			entry := e.(map[string]any)
			id, _ := entry["identifier"].(string)
			if !regexp.MustCompile(`^urn:air:[a-z0-9.-]+:[a-z]+:foyer$`).MatchString(id) || seen[id] || entry["type"] == "" || entry["data"] != nil {
				t.Errorf("%s: %v", who, entry)
			}
			seen[id] = true
			wantAbsolute(t, id, entry["url"])
		}
		if len(seen) != 2 {
			t.Errorf("%s: %d entries", who, len(seen))
		}
	}
}

// The rules of RFC 9264 and RFC 9727: a linkset whose contexts have an anchor, whose links have an address, and in
// which the catalog links to every interface that is described.
func TestAPICatalogFollowsItsRules(t *testing.T) {
	for who, b := range brands {
		items, described := map[string]bool{}, map[string]bool{}
		for _, c := range readJSONFile(t, b, "/.well-known/api-catalog")["linkset"].([]any) {
			context := c.(map[string]any)
			anchor, _ := context["anchor"].(string)
			wantAbsolute(t, who, anchor)
			for relation, targets := range context {
				if relation == "anchor" {
					continue
				}
				for _, target := range targets.([]any) {
					href, _ := target.(map[string]any)["href"].(string)
					wantAbsolute(t, relation, href)
					switch relation {
					case "item":
						items[href] = true
					case "service-desc":
						described[anchor] = true
					}
				}
			}
		}
		if len(items) != 2 || len(described) != 2 {
			t.Errorf("%s: %v are listed, %v described", who, items, described)
		}
		for address := range items {
			if !described[address] {
				t.Errorf("%s: %s is listed and not described", who, address)
			}
		}
	}
}

// The rules of RFC 9116: a contact that is a link, one expiry date less than a year away, and the address of the file.
func TestSecurityTxtFollowsItsRules(t *testing.T) {
	for _, now := range []time.Time{time.Date(2026, time.November, 5, 23, 59, 59, 0, time.UTC), time.Date(2028, time.February, 29, 0, 0, 0, 0, time.FixedZone("", -8*3600))} {
		for who, b := range brands {
			fields := map[string]string{}
			for line := range strings.Lines(securityTxt(b, now)) {
				name, value, found := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
				if _, twice := fields[name]; !found || twice {
					t.Errorf("%s: %q", who, line)
				}
				fields[name] = value
			}
			if !strings.HasPrefix(fields["Contact"], "mailto:") && !strings.HasPrefix(fields["Contact"], "https://") || fields["Canonical"] != b.URL("/.well-known/security.txt") {
				t.Errorf("%s: %v", who, fields)
			}
			expires, err := time.Parse(time.RFC3339, fields["Expires"])
			if err != nil || !expires.After(now.AddDate(0, 11, 0)) || !expires.Before(now.AddDate(1, 0, 0)) {
				t.Errorf("%s: it expires %v, %v", who, fields["Expires"], err)
			}
		}
	}
}

func TestHomePageLinksToDiscovery(t *testing.T) {
	server := serve(t, sharedSite(t))
	answer, _ := ask(t, server, "GET", "/", browser)
	for _, relation := range []string{"api-catalog", "service-desc", "service-doc", "alternate"} {
		if !strings.Contains(answer.Header.Get("Link"), `rel="`+relation+`"`) {
			t.Errorf("no %s in %s", relation, answer.Header.Get("Link"))
		}
	}
	_, body := ask(t, server, "GET", "/", "Accept: application/json")
	var index struct{ Discovery map[string]string }
	if err := json.Unmarshal([]byte(body), &index); err != nil || len(index.Discovery) == 0 {
		t.Fatal(err, body)
	}
	for name, address := range index.Discovery {
		path := strings.TrimPrefix(address, origin)
		if answer, _ := ask(t, server, "GET", path); answer.StatusCode != 200 && path != "/health" { // /health is not served by this package
			t.Errorf("%s: %s answers %d", name, path, answer.StatusCode)
		}
	}
}
