package app_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foyer/internal/app/apptest"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store/storetest"
)

// TestFormOfAnotherProcess changes the consent text while processes are replaced. A form of the new process that is posted to the
// old one is stored with the text that the person saw, and goes to a buyer that accepts only our own form.
func TestFormOfAnotherProcess(t *testing.T) {
	storetest.Parallel(t)
	dir, text := t.TempDir(), "I agree that this operator may call or text me about this request."
	if err := os.WriteFile(filepath.Join(dir, "consent.txt"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	database := storetest.Database(t)
	before := apptest.StartOn(t, database, "--allow-private-buyers")
	n := newTestBuyer(t, 200, `{"decision":"accept"}`)
	addBuyer(t, before, "buyer_one", n.URL, func(terms *buyer.Terms) { terms.Demands.OwnForm = true })
	after := apptest.StartOn(t, database, "--overrides", dir, "--allow-private-buyers")
	link, form := consentLink(t, after), ownForm(t, after)

	r := before.Send(t, "POST", "/v1/intake", apptest.GoodForm+"&"+form.Encode(), "Content-Type", apptest.FormType, "Accept", "application/json", "Sec-Fetch-Site", "same-origin")
	id := apptest.ParseOutcome(t, r.Body).LeadID
	l, err := before.Reader(t).Lead(t.Context(), id)
	if err != nil || l.Evidence.Consent.Hash != strings.TrimPrefix(link, "/consent/") || l.Evidence.Consent.Version != "shown-own" {
		t.Fatalf("stored as %+v (%v)", l.Evidence.Consent, err)
	}
	awaitStatus(t, before, id, lead.Forwarded)
	n.mu.Lock()
	if got := strings.Join(n.bodies, "\n"); !strings.Contains(got, text) {
		t.Errorf("the buyer did not get the text: %s", got)
	}
	n.mu.Unlock()
	page := string(before.Send(t, "GET", link, "", "Accept", "text/html").Body)
	if !strings.Contains(page, text) || strings.Contains(page, "no longer in use") {
		t.Errorf("the page of the new text at the old process: %s", page)
	}
	wantStated(t, before, strings.Repeat("0", 64))
}

// wantStated expects a form without a consent text of ours to be stored as stated consent, not as shown.
func wantStated(t *testing.T, s *apptest.Service, hash string) {
	t.Helper()
	r := s.Send(t, "POST", "/v1/intake", apptest.GoodForm+"&consent_text="+url.QueryEscape(hash), "Content-Type", apptest.FormType, "Accept", "application/json")
	l, err := s.Reader(t).Lead(t.Context(), apptest.ParseOutcome(t, r.Body).LeadID)
	if err != nil || !strings.HasPrefix(l.Evidence.Consent.Version, "stated-") {
		t.Errorf("stored as %+v (%v)", l.Evidence.Consent, err)
	}
}
