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

// TestFormOfAnotherProcess has an operator change the words of consent while processes are replaced. A form of the new one
// that is posted to the old one is kept with the words that the person saw, and goes to a buyer that wants just those.
func TestFormOfAnotherProcess(t *testing.T) {
	folder, words := t.TempDir(), "I agree that this operator may call or text me about this request."
	if err := os.WriteFile(filepath.Join(folder, "consent.txt"), []byte(words), 0o600); err != nil {
		t.Fatal(err)
	}
	database := storetest.Database(t)
	before := startOn(t, database, "--allow-private-buyers")
	n := newTestBuyer(t, 200, `{"decision":"accept"}`)
	before.addBuyer(t, "buyer_one", n.URL, func(terms *buyer.Terms) { terms.Demands.OwnForm = true })
	after := startOn(t, database, "--overrides", folder, "--allow-private-buyers")
	link, form := consentLink(t, after), after.ownForm(t)

	r := before.send(t, "POST", "/v1/intake", goodForm+"&"+form.Encode(), "Content-Type", formType, "Accept", "application/json", "Sec-Fetch-Site", "same-origin")
	id := parseOutcome(t, r.body).LeadID
	l, err := before.reader(t).Lead(t.Context(), id)
	if err != nil || l.Evidence.Consent.Hash != strings.TrimPrefix(link, "/consent/") || l.Evidence.Consent.Version != "shown-own" {
		t.Fatalf("kept as %+v (%v)", l.Evidence.Consent, err)
	}
	before.awaitStatus(t, id, lead.Forwarded)
	n.mu.Lock()
	if got := strings.Join(n.bodies, "\n"); !strings.Contains(got, words) {
		t.Errorf("the buyer was not told the words: %s", got)
	}
	n.mu.Unlock()
	page := string(before.send(t, "GET", link, "", "Accept", "text/html").body)
	if !strings.Contains(page, words) || strings.Contains(page, "no longer in use") {
		t.Errorf("the page of the new words at the old process: %s", page)
	}
	before.wantStated(t, strings.Repeat("0", 64))
}

// wantStated wants a form that names no words of ours to count as somebody else's.
func (s *service) wantStated(t *testing.T, hash string) {
	t.Helper()
	r := s.send(t, "POST", "/v1/intake", goodForm+"&consent_text="+url.QueryEscape(hash), "Content-Type", formType, "Accept", "application/json")
	l, err := s.reader(t).Lead(t.Context(), parseOutcome(t, r.body).LeadID)
	if err != nil || !strings.HasPrefix(l.Evidence.Consent.Version, "stated-") {
		t.Errorf("kept as %+v (%v)", l.Evidence.Consent, err)
	}
}
