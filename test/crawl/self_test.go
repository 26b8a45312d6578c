package crawl

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const (
	strict = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	good   = `<!doctype html><html lang="en"><head><title>One</title><meta name="viewport" content="width=device-width">` +
		`<meta name="description" content="What it is."><link rel="canonical" href="%s/page"></head><body><main><h1>One</h1></main></body></html>`
)

// page serves a good page with faults added.
func page(t *testing.T, policy string, spoil ...string) *Site {
	t.Helper()
	site := httptest.NewUnstartedServer(nil)
	site.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/page" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if policy != "" {
			w.Header().Set("Content-Security-Policy", policy)
		}
		fmt.Fprint(w, strings.NewReplacer(spoil...).Replace(fmt.Sprintf(good, "http://"+r.Host)))
	})
	site.Start()
	t.Cleanup(site.Close)
	s, err := Walk(t.Context(), site.URL, "/page")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestFaultsAreFound adds faults to a good page in many ways: a check that never finds anything is worth nothing.
func TestFaultsAreFound(t *testing.T) {
	data := func(json string) []string {
		return []string{"</head>", `<script type="application/ld+json">` + json + `</script></head>`}
	}
	for name, x := range map[string]struct {
		policy string
		spoil  []string
		want   string // "" if nothing is wrong
	}{
		"a good page":           {strict, nil, ""},
		"no heading":            {strict, []string{"h1", "h2"}, "h1"},
		"two headings":          {strict, []string{"</h1>", "</h1><h1>Two</h1>"}, "h1"},
		"no title":              {strict, []string{"<title>One</title>", ""}, "title"},
		"no description":        {strict, []string{"What it is.", ""}, "description"},
		"no language":           {strict, []string{` lang="en"`, ""}, "language"},
		"no canonical address":  {strict, []string{"canonical", "author"}, "canonical"},
		"another's address":     {strict, []string{`/page"`, `/other"`}, "canonical"},
		"listed and not":        {strict, []string{"</head>", `<meta name="robots" content="noindex"></head>`}, "canonical"},
		"an id twice":           {strict, []string{"<main>", `<main id="a"><p id="a">`}, "id a"},
		"broken quotes":         {strict, []string{`lang="en"`, `lang="en`}, "cannot be read"},
		"a dead link":           {strict, []string{"</main>", `<a href="/gone">x</a></main>`}, "answers 404"},
		"a place that is none":  {strict, []string{"</main>", `<a href="#gone">x</a></main>`}, "no such place"},
		"a script as a link":    {strict, []string{"</main>", `<a href="javascript:x()">x</a></main>`}, "leads to"},
		"a font from outside":   {strict, []string{"</head>", `<link rel="stylesheet" href="https://fonts.example.com/a.css"></head>`}, "from outside"},
		"a picture in two":      {strict, []string{"</main>", `<img src="/page" srcset="https://img.example.com/a.png 2x" alt=""></main>`}, "from outside"},
		"a link to outside":     {strict, []string{"</main>", `<a href="https://example.com/">x</a></main>`}, ""},
		"a promise":             {strict, []string{"</main>", "<p>They <b>will\ncall</b> you</p></main>"}, "promises"},
		"a promise in a tip":    {strict, []string{"<main>", `<main title="Guaranteed">`}, "promises"},
		"a colour":              {strict, []string{"</head>", `<meta name="theme-color" content="#1d2125"></head>`}, ""},
		"no policy":             {"", nil, "no Content-Security-Policy"},
		"inline styles":         {strings.Replace(strict, "'self'", "'self' 'unsafe-inline'", 1), nil, "'unsafe-inline'"},
		"evaluated scripts":     {strict + "; script-src 'self' 'unsafe-eval'", nil, "'unsafe-eval'"},
		"scripts from anywhere": {strict + "; script-src https:", nil, "https:"},
		"scripts from a host":   {strict + "; script-src cdn.example.com", nil, "cdn.example.com"},
		"a script by its hash":  {strict + "; script-src 'sha256-abc='", nil, ""},
		"everything else":       {strings.Replace(strict, "'none'", "'self'", 1), nil, "default-src"},
		"frames anywhere":       {strings.Replace(strict, "; frame-ancestors 'none'", "", 1), nil, "frame-ancestors"},
		"a page":                {strict, data(`{"@context":"https://schema.org","@type":"WebPage","name":"One"}`), ""},
		"a service":             {strict, data(`{"@context":"https://schema.org","@graph":[{"@type":"Service","provider":{"@type":"Organization","name":"Foyer"}}]}`), ""},
		"broken data":           {strict, data(`{"@context":`), "structured data"},
		"a business":            {strict, data(`{"@context":"https://schema.org","@type":"LocalBusiness"}`), "LocalBusiness"},
		"a business inside":     {strict, data(`{"@context":"https://schema.org","@type":"Service","provider":{"@type":"Plumber"}}`), "Plumber"},
		"stars":                 {strict, data(`{"@context":"https://schema.org","@type":"Service","aggregateRating":5}`), "aggregateRating"},
		"a price":               {strict, data(`{"@context":"https://schema.org","@type":"Service","offers":{"@type":"Offer","price":"9"}}`), "price"},
	} {
		t.Run(name, func(t *testing.T) {
			s := page(t, x.policy, x.spoil...)
			found := s.Faults
			for _, p := range s.Pages {
				if p.Address == "/page" || p.Address == "/gone" {
					found = append(found, s.faultsOf(p)...)
				}
			}
			if all := strings.Join(found, "; "); x.want == "" && all != "" || !strings.Contains(all, x.want) {
				t.Errorf("found %q, want %q", all, x.want)
			}
		})
	}
}
