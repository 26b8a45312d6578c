package web

import (
	"html"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/intake"
	"foyer/internal/lead"
)

var tokenKey = []byte("0123456789abcdef0123456789abcdef")

// timedSite returns a site with a key, and its clock.
func timedSite(t *testing.T) (*Site, *time.Time) {
	t.Helper()
	s, now := newSite(t), time.Date(2027, time.March, 15, 12, 0, 0, 0, time.UTC)
	s.FormTokenKey, s.Now = tokenKey, func() time.Time { return now }
	return s, &now
}

func tokenIn(t *testing.T, page string) string {
	t.Helper()
	found := regexp.MustCompile(`<input type="hidden" name="form_token" value="([^"]*)">`).FindAllStringSubmatch(page, -1)
	if len(found) != 1 || found[0][1] == "" {
		t.Fatalf("the form has the tokens %v", found)
	}
	return html.UnescapeString(found[0][1])
}

// The form's token is at most a minute old for every address of the form, and each token names the same page version.
func TestFormTokenIsNewEachMinute(t *testing.T) {
	s, now := timedSite(t)
	server, consentHash := serve(t, s), brand.ConsentShown().Ref().Hash
	first := ""
	for _, after := range []time.Duration{0, 30 * time.Second, 61 * time.Second, 48 * time.Hour} {
		*now = now.Add(after)
		for _, address := range []string{"/", "/?service_type=hvac"} {
			answer, page := ask(t, server, "GET", address, browser)
			if answer.Header.Get("Cache-Control") != "no-cache" {
				t.Errorf("a cache may keep the token: %v", answer.Header)
			}
			token := tokenIn(t, page)
			proof := lead.CheckFormToken(tokenKey, token, consentHash, now.Add(5*time.Second))
			if proof.Verdict != lead.TokenValid || proof.Seconds > 65 || len(proof.PageVersion) != 16 || proof.PageVersion != s.version {
				t.Errorf("%s after %s: %+v", address, after, proof)
			}
			if first == "" {
				first = token
			}
			if same := token == first; address == "/" && same != (*now).Before(time.Date(2027, time.March, 15, 12, 1, 0, 0, time.UTC)) {
				t.Errorf("after %s the token is the first one: %t", after, same)
			}
		}
	}
}

// A clock that is set back does not keep an old token in the page.
func TestFormTokenAfterTheClockWasSetBack(t *testing.T) {
	s, now := timedSite(t)
	server := serve(t, s)
	ask(t, server, "GET", "/", browser)
	*now = now.Add(-time.Hour)
	_, page := ask(t, server, "GET", "/", browser)
	if proof := lead.CheckFormToken(tokenKey, tokenIn(t, page), brand.ConsentShown().Ref().Hash, now.Add(5*time.Second)); proof.Seconds != 5 {
		t.Errorf("got %+v", proof)
	}
}

// A browser gets 304 only as long as the token in its copy is current.
func TestFormTokenAndCaches(t *testing.T) {
	s, now := timedSite(t)
	server := serve(t, s)
	answer, _ := ask(t, server, "GET", "/", browser)
	tag := "If-None-Match: " + answer.Header.Get("Etag")
	if again, _ := ask(t, server, "GET", "/", browser, tag); again.StatusCode != 304 {
		t.Errorf("at once: %d", again.StatusCode)
	}
	*now = now.Add(2 * time.Minute)
	if again, _ := ask(t, server, "GET", "/", browser, tag); again.StatusCode != 200 {
		t.Errorf("with an old token: %d", again.StatusCode)
	}
}

// A form that is shown again gets a new token of the current second.
func TestFormAgainHasAFreshToken(t *testing.T) {
	s, now := timedSite(t)
	raw, e := refusedForm(t, "zip_code=1")
	w := httptest.NewRecorder()
	s.FormAgain(w, httptest.NewRequest("POST", "/v1/intake", nil), &intake.Submission{Raw: raw}, e)
	proof := lead.CheckFormToken(tokenKey, tokenIn(t, w.Body.String()), brand.ConsentShown().Ref().Hash, now.Add(3*time.Second))
	if proof.Verdict != lead.TokenValid || proof.Seconds != 3 || proof.PageVersion != s.version {
		t.Errorf("got %+v", proof)
	}
}

// The page version depends on the content: another consent text changes it, another minute does not.
func TestPageVersion(t *testing.T) {
	other := brand
	other.Consent = "You may call me."
	changed, err := New(other, 30, testInterfaces(t))
	if err != nil {
		t.Fatal(err)
	}
	if one, two := newSite(t).version, newSite(t).version; one != two || one == changed.version || one == "" {
		t.Errorf("versions %q, %q and, with other words, %q", one, two, changed.version)
	}
}

// The honeypot field is for programs that fill in everything: people cannot see or reach it, and the docs do not
// mention it.
func TestHoneypotIsHidden(t *testing.T) {
	server := serve(t, sharedSite(t))
	_, home := ask(t, server, "GET", "/", browser)
	honeypot := regexp.MustCompile(`<div class="trap" aria-hidden="true">.*</div>`).FindString(home)
	for _, want := range []string{`name="` + catalog.HoneypotField + `"`, `tabindex="-1"`, `autocomplete="off"`, `type="text"`} {
		if !strings.Contains(honeypot, want) {
			t.Errorf("no %s in %s", want, honeypot)
		}
	}
	for _, address := range []string{"/docs", "/docs.md", "/llms-full.txt", "/index.md"} {
		if _, body := ask(t, server, "GET", address); strings.Contains(body, catalog.HoneypotField) || strings.Contains(body, catalog.FormTokenField) {
			t.Errorf("%s tells of it", address)
		}
	}
	if lead.Known(catalog.HoneypotField) || lead.Known(catalog.FormTokenField) {
		t.Error("programs are asked for it")
	}
}
