package app_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store/storetest"
)

// TestFormOfAnotherProcess changes the consent text while processes are replaced. A form of the new process that is posted to the
// old one is stored with the text that the person saw, and goes to a buyer that accepts only our own form.
func TestFormOfAnotherProcess(t *testing.T) {
	dir, text := t.TempDir(), "I agree that this operator may call or text me about this request."
	if err := os.WriteFile(filepath.Join(dir, "consent.txt"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	database := storetest.Database(t)
	before := startOn(t, database, "--allow-private-buyers")
	n := newTestBuyer(t, 200, `{"decision":"accept"}`)
	before.addBuyer(t, "buyer_one", n.URL, func(terms *buyer.Terms) { terms.Demands.OwnForm = true })
	after := startOn(t, database, "--overrides", dir, "--allow-private-buyers")
	link, form := consentLink(t, after), after.ownForm(t)

	r := before.send(t, "POST", "/v1/intake", goodForm+"&"+form.Encode(), "Content-Type", formType, "Accept", "application/json", "Sec-Fetch-Site", "same-origin")
	id := parseOutcome(t, r.body).LeadID
	l, err := before.reader(t).Lead(t.Context(), id)
	if err != nil || l.Evidence.Consent.Hash != strings.TrimPrefix(link, "/consent/") || l.Evidence.Consent.Version != "shown-own" {
		t.Fatalf("stored as %+v (%v)", l.Evidence.Consent, err)
	}
	before.awaitStatus(t, id, lead.Forwarded)
	n.mu.Lock()
	if got := strings.Join(n.bodies, "\n"); !strings.Contains(got, text) {
		t.Errorf("the buyer did not get the text: %s", got)
	}
	n.mu.Unlock()
	page := string(before.send(t, "GET", link, "", "Accept", "text/html").body)
	if !strings.Contains(page, text) || strings.Contains(page, "no longer in use") {
		t.Errorf("the page of the new text at the old process: %s", page)
	}
	before.wantStated(t, strings.Repeat("0", 64))
}

// wantStated expects a form without a consent text of ours to be stored as stated consent, not as shown.
func (s *service) wantStated(t *testing.T, hash string) {
	t.Helper()
	r := s.send(t, "POST", "/v1/intake", goodForm+"&consent_text="+url.QueryEscape(hash), "Content-Type", formType, "Accept", "application/json")
	l, err := s.reader(t).Lead(t.Context(), parseOutcome(t, r.body).LeadID)
	if err != nil || !strings.HasPrefix(l.Evidence.Consent.Version, "stated-") {
		t.Errorf("stored as %+v (%v)", l.Evidence.Consent, err)
	}
}
