package app_test

import (
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/internal/app/apptest"
	"foyer/internal/catalog"
	"foyer/internal/lead"
	"foyer/internal/store/storetest"
)

var hiddenInput = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)

// ownForm returns the hidden fields of our form, after waiting as long as a person needs to fill it in.
func ownForm(t *testing.T, s *apptest.Service) url.Values {
	t.Helper()
	page := string(s.Send(t, "GET", "/", "", "Accept", "text/html").Body)
	fields := url.Values{}
	for _, input := range hiddenInput.FindAllStringSubmatch(page, -1) {
		fields.Set(input[1], html.UnescapeString(input[2]))
	}
	time.Sleep(lead.FormTokenMinAge + time.Second/5)
	return fields
}

// A client that copies the public hash and claims to be our form is accepted, and its consent is stored as stated.
func TestShownConsentCannotBeForged(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	own := ownForm(t, s)
	reader := s.Reader(t)
	for _, c := range []struct {
		name    string
		fields  string
		headers []string
		shown   bool
	}{
		{"our form", own.Encode(), []string{"Sec-Fetch-Site", "same-origin"}, true},
		{"the hash alone", "consent_text=" + own.Get("consent_text"), []string{"Sec-Fetch-Site", "same-origin"}, false},
		{"our form on another website", own.Encode(), []string{"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"}, false},
		{"our form, without headers about its page", own.Encode(), nil, false},
	} {
		headers := append([]string{"Content-Type", apptest.FormType, "Accept", "application/json"}, c.headers...)
		if r := s.Send(t, "POST", "/v1/intake", apptest.GoodForm+"&"+c.fields, headers...); r.Status != 202 {
			t.Errorf("%s: %d %s", c.name, r.Status, r.Body)
		}
		if e := apptest.NewestLead(t, reader).Evidence; strings.HasPrefix(e.Consent.Version, "shown-") != c.shown {
			t.Errorf("%s: stored %+v", c.name, e)
		}
	}
}

// A request that fills in the field hidden from people is accepted, marked, and held if the operator says so. In JSON the name of
// the field means nothing.
func TestAutomatedRequestIsMarkedAndHeld(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--hold-automated")
	reader := s.Reader(t)
	if r := s.Send(t, "POST", "/v1/intake", apptest.GoodForm+"&"+catalog.HoneypotField+"=x", "Content-Type", apptest.FormType); r.Status != 303 {
		t.Errorf("refused: %d %s", r.Status, r.Body)
	}
	if l := apptest.NewestLead(t, reader); l.Status != lead.Collected || !slices.Contains(l.Marks, lead.Automated) {
		t.Errorf("stored as %s with %v", l.Status, l.Marks)
	}
	s.ViaJSON(t, apptest.Request{With: map[string]any{catalog.HoneypotField: "x"}})
	if l := apptest.NewestLead(t, reader); slices.Contains(l.Marks, lead.Automated) {
		t.Errorf("JSON is stored with %v", l.Marks)
	}
	for _, path := range []string{"/openapi.json", "/v1/services", "/docs.md", "/llms-full.txt"} {
		if body := string(s.Send(t, "GET", path, "").Body); strings.Contains(body, catalog.HoneypotField) {
			t.Errorf("%s mentions the field", path)
		}
	}
}
