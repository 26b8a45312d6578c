package app_test

import (
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

var hiddenInput = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)

// ownForm returns the hidden fields of our form, after waiting as long as a person needs to fill it in.
func (s *service) ownForm(t *testing.T) url.Values {
	t.Helper()
	page := string(s.send(t, "GET", "/", "", "Accept", "text/html").body)
	fields := url.Values{}
	for _, input := range hiddenInput.FindAllStringSubmatch(page, -1) {
		fields.Set(input[1], html.UnescapeString(input[2]))
	}
	time.Sleep(lead.FormTokenMinAge + time.Second/5)
	return fields
}

// A client that copies the public hash and claims to be our form is accepted, and its consent is stored as stated.
func TestShownConsentCannotBeForged(t *testing.T) {
	s := start(t)
	own := s.ownForm(t)
	reader := s.reader(t)
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
		headers := append([]string{"Content-Type", formType, "Accept", "application/json"}, c.headers...)
		if r := s.send(t, "POST", "/v1/intake", goodForm+"&"+c.fields, headers...); r.status != 202 {
			t.Errorf("%s: %d %s", c.name, r.status, r.body)
		}
		if e := newestLead(t, reader).Evidence; strings.HasPrefix(e.Consent.Version, "shown-") != c.shown {
			t.Errorf("%s: stored %+v", c.name, e)
		}
	}
}

// A request that fills in the field hidden from people is accepted, marked, and held if the operator says so. In JSON the name of
// the field means nothing.
func TestAutomatedRequestIsMarkedAndHeld(t *testing.T) {
	s := start(t, "--hold-automated")
	reader := s.reader(t)
	if r := s.send(t, "POST", "/v1/intake", goodForm+"&"+catalog.TrapField+"=x", "Content-Type", formType); r.status != 303 {
		t.Errorf("refused: %d %s", r.status, r.body)
	}
	if l := newestLead(t, reader); l.Status != lead.Collected || !slices.Contains(l.Marks, lead.Automated) {
		t.Errorf("stored as %s with %v", l.Status, l.Marks)
	}
	s.viaJSON(t, intakeCase{With: map[string]any{catalog.TrapField: "x"}})
	if l := newestLead(t, reader); slices.Contains(l.Marks, lead.Automated) {
		t.Errorf("JSON is stored with %v", l.Marks)
	}
	for _, path := range []string{"/openapi.json", "/v1/services", "/docs.md", "/llms-full.txt"} {
		if body := string(s.send(t, "GET", path, "").body); strings.Contains(body, catalog.TrapField) {
			t.Errorf("%s mentions the field", path)
		}
	}
}
