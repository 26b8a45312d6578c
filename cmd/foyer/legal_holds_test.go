package main_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"foyer/internal/store/storetest"
)

// TestLegalHoldCommands puts a lead under a legal hold: it is not erased, and a privacy request for that stays open, until the hold is
// removed.
func TestLegalHoldCommands(t *testing.T) {
	storetest.Parallel(t)
	p := serve(t, t.TempDir())
	id := p.Submit()
	foyer := func(wantCode int, args ...string) string {
		t.Helper()
		out, stderr, code := run(t, append(args, "--database", p.Database)...)
		if code != wantCode {
			t.Fatalf("foyer %s: exit code %d\n%s%s", strings.Join(args, " "), code, out, stderr)
		}
		return out + stderr
	}
	want := func(text string, words ...string) {
		t.Helper()
		for _, w := range words {
			if !strings.Contains(text, w) {
				t.Errorf("it does not say %q:\n%s", w, text)
			}
		}
	}
	want(foyer(0, "legal-holds", "list"), "There are no legal holds.")
	added := foyer(0, "legal-holds", "add", id, "--why", "matter 17")
	hold := regexp.MustCompile(`legal_hold_\w{10}`).FindString(added)
	want(added, id+" is under a legal hold now: "+hold, "Its status stays as it is")
	want(foyer(0, "leads", "show", id), "Under a legal hold: "+hold, "by cli:", "matter 17", "collected")
	want(foyer(1, "leads", "erase", id), "foyer: "+id+" is under a legal hold", hold, "remove the hold first")

	p.sendPrivacyRequest("erase", "305-555-0123", id)
	request := p.openRequests(t)["erase"]
	want(foyer(0, "privacy", "list"), "open, legal hold")
	show := foyer(0, "privacy", "show", request)
	want(show, "It stays open", hold, "matter 17", "foyer suppress add +13055550123", "rejected")
	if strings.Contains(show, "foyer leads erase") || strings.Contains(show, "foyer privacy settle") {
		t.Errorf("it proposes what is refused:\n%s", show)
	}
	want(foyer(1, "privacy", "settle", request), "stays open", id, hold)
	var listed struct {
		Hold    string `json:"legal_hold_id"`
		InForce bool   `json:"in_force"`
	}
	if err := json.Unmarshal([]byte(foyer(0, "holds", "list", "--json")), &listed); err != nil || listed.Hold != hold || !listed.InForce {
		t.Errorf("the list as JSON: %+v, %v", listed, err)
	}

	want(foyer(0, "legal-holds", "remove", id, "--why", "settled"), hold+" is removed", "Privacy requests that waited for it: "+request)
	want(foyer(0, "legal-holds", "list", "--all"), hold, "matter 17", ": settled")
	want(foyer(1, "legal-holds", "remove", hold, "--why", "settled"), "was removed already")
	want(foyer(0, "audit", "--subject", id), "legal_hold.add", "legal_hold.remove", hold)
	foyer(0, "leads", "erase", id)
	want(foyer(0, "leads", "show", id), "hold removed", "personal details erased")
	p.settleRequest(t, request)
}

// TestLegalHoldReasonsNameNobody refuses reasons that seem to hold a phone number or an email address, and repeats none of them.
func TestLegalHoldReasonsNameNobody(t *testing.T) {
	storetest.Parallel(t)
	p := serve(t, t.TempDir())
	id := p.Submit()
	for _, why := range []string{canaries["customer_phone"], canaries["customer_email"]} {
		for _, args := range [][]string{{"legal-holds", "add", id}, {"legal-holds", "remove", id}} {
			out, stderr, code := run(t, append(args, "--why", "letter of "+why, "--database", p.Database)...)
			if code == 0 || !strings.Contains(stderr, "leave out phone numbers and email addresses") || strings.Contains(out+stderr, why) {
				t.Errorf("exit code %d: %s%s", code, out, stderr)
			}
		}
	}
}
