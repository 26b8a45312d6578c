package catalog_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// Every service has one page: plumbing has its own, the others share one with their group.
func TestEveryServiceHasAPage(t *testing.T) {
	pages := map[lead.Service]int{}
	for _, g := range catalog.Groups {
		for _, s := range g.Services {
			pages[s.Service]++
			if s.About == "" {
				t.Errorf("nothing is said about %s", s.Service)
			}
		}
	}
	for _, s := range lead.Services {
		want := 1
		if s.Live() {
			want = 0
		}
		if pages[s] != want {
			t.Errorf("%s is in %d groups, want %d", s, pages[s], want)
		}
	}
}

// A group's page links to the form with each of its services selected.
func TestGroupPagesLinkToTheForm(t *testing.T) {
	for _, g := range catalog.Groups {
		page, err := json.Marshal(brand.GroupPage(g))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range g.Services {
			if want := brand.URL("/?service_type=" + string(s.Service)); !strings.Contains(string(page), `"`+want+`"`) {
				t.Errorf("%s does not lead to %s", g.Slug, want)
			}
		}
	}
}

// The answer to a privacy request says what was stored, but shows only the end of a phone number.
func TestWishPage(t *testing.T) {
	w := lead.PrivacyRequest{Kind: lead.Withdraw, Phone: "+13055550123", LeadID: "lead_abc"}
	page, err := json.Marshal(brand.PrivacyRequestPage(w, lead.Collected))
	if err != nil {
		t.Fatal(err)
	}
	for want, found := range map[string]bool{"ends in 23": true, "lead_abc": true, "withdraw my consent": true, "5550123": false, "555-0123": false} {
		if strings.Contains(string(page), want) != found {
			t.Errorf("%q: found %v, want %v", want, !found, found)
		}
	}
	for status, says := range map[lead.Status]string{
		lead.Forwarded: "A contractor network already has that request", lead.Errored: "A contractor network may already have", lead.Received: "If the phone number matches", lead.Rejected: "If the phone number matches",
	} {
		if page, err := json.Marshal(brand.PrivacyRequestPage(w, status)); err != nil || !strings.Contains(string(page), says) {
			t.Errorf("%s: %v, %s", status, err, page)
		}
	}
}

// The operator's consent text replaces ours, and has another hash.
func TestOwnConsent(t *testing.T) {
	own := brand
	own.Consent = "You may call me about this, says the operator."
	if got := own.ConsentShown(); got.Text != own.Consent || got.Ref().Hash == brand.ConsentShown().Ref().Hash {
		t.Errorf("got %+v", got)
	}
	if own.ConsentStated() != brand.ConsentStated() {
		t.Error("what programs state changed with it")
	}
	old, err := json.Marshal(own.ConsentPage(brand.ConsentShown(), time.Time{}))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(old), "no longer in use") || !strings.Contains(string(old), brand.ConsentShown().Text) {
		t.Errorf("the page of old words: %s", old)
	}
	coming := lead.ConsentText{Version: "shown-next", Text: "You may write to me.", FirstUsed: time.Unix(2, 0)}
	if page := own.ConsentPage(coming, time.Unix(1, 0)); strings.Contains(page.Opening[1], "in use") {
		t.Errorf("of words that another process began to use meanwhile it says: %s", page.Opening[1])
	}
}
