package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/storage"
)

// bad does everything that no page may do.
const bad = `<!doctype html><html><body style="color: red"><img src="http://outside.example.com/x.png"><input>
<script>console.error("oh"); document.title.nothing.at.all</script></body></html>`

// TestFaultsAreFound shows a bad page to the page monitor and to axe: a check that never finds anything is worth nothing.
func TestFaultsAreFound(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; img-src *; script-src 'unsafe-inline'")
		http.SetCookie(w, &http.Cookie{Name: "bad", Value: "1"})
		fmt.Fprint(w, bad)
	}))
	defer site.Close()
	s := &service{t: t, origin: strings.Replace(site.URL, "127.0.0.1", "localhost", 1)}
	b := s.open(t, laptop)
	t.Cleanup(func() { b.drain(); b.run(storage.ClearCookies()) }) // so that other tests are not blamed for it
	b.visit("/", 200)
	seen := ""
	b.until("all that the witness should see", func() bool {
		seen += strings.Join(b.drain(), "\n")
		for _, want := range []string{"asks for http://outside.example.com/x.png", "sets a cookie", "console.error", "throws", "Content Security Policy"} {
			if !strings.Contains(seen, want) {
				return false
			}
		}
		return true
	})
	found := map[string]bool{}
	for _, v := range b.axe(everyRule) {
		found[v.ID] = true
	}
	for _, want := range []string{"html-has-lang", "document-title", "image-alt", "label"} {
		if !found[want] {
			t.Errorf("axe does not find %s, but %v", want, found)
		}
	}
}
