package main_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"foyer/internal/store/storetest"
)

// sendPrivacyRequest submits the form of the privacy page.
func (p *process) sendPrivacyRequest(kind, phone, id string) (int, string, http.Header) {
	p.T.Helper()
	form := url.Values{"wish": {kind}, "customer_phone": {phone}, "lead_id": {id}}
	status, body, header := p.Post("/privacy", "application/x-www-form-urlencoded", form.Encode())
	return status, string(body), header
}

// TestPrivacyCommands settles a privacy request: it is listed, shown with the commands that fulfill it, and settled.
func TestPrivacyCommands(t *testing.T) {
	storetest.Parallel(t)
	p := serve(t, t.TempDir())
	id := p.Submit()
	for kind, phone := range map[string]string{"withdraw": "305-555-0123", "erase": "305-555-0123"} {
		if status, body, _ := p.sendPrivacyRequest(kind, phone, id); status != http.StatusOK {
			t.Fatalf("%s: %d %s", kind, status, body)
		}
	}
	list, _, code := run(t, "wishes", "list", "--database", p.Database)
	for _, want := range []string{id, "withdraw", "erase", "open"} {
		if code != 0 || !strings.Contains(list, want) || strings.Contains(list, "5550123") {
			t.Errorf("list (exit %d) has no %s, or a phone number:\n%s", code, want, list)
		}
	}
	requests := p.openRequests(t)
	for kind, command := range map[string]string{
		"withdraw": "foyer suppress add +13055550123 --database '" + p.Database + "'",
		"erase":    "foyer leads erase " + id + " --database '" + p.Database + "'",
	} {
		show, _, code := run(t, "privacy", "show", requests[kind], "--database", p.Database)
		for _, want := range []string{requests[kind], "+13055550123", id, "rejected", "\n  " + command + "\n", "foyer privacy settle " + requests[kind]} {
			if code != 0 || !strings.Contains(show, want) {
				t.Errorf("show (exit %d) has no %s:\n%s", code, want, show)
			}
		}
		shown, _, _ := run(t, "privacy", "show", requests[kind], "--json", "--database", p.Database)
		var object struct {
			Together bool `json:"phone_and_lead_belong_together"`
			Commands []string
		}
		if err := json.Unmarshal([]byte(shown), &object); err != nil || !object.Together || len(object.Commands) != 2 || object.Commands[0] != command {
			t.Errorf("as JSON: %v %s", err, shown)
		}
	}
	p.settleRequest(t, requests["withdraw"])
	if shown, _, _ := run(t, "privacy", "show", requests["withdraw"], "--json", "--database", p.Database); !strings.Contains(shown, `"phone": null`) {
		t.Errorf("a settled request as JSON: %s", shown)
	}
	if left := p.openRequests(t); len(left) != 1 || left["erase"] == "" {
		t.Errorf("left are %v", left)
	}
}

// settleRequest settles a privacy request, once.
func (p *process) settleRequest(t *testing.T, id string) {
	t.Helper()
	if out, _, code := run(t, "privacy", "settle", id, "--note", "number suppressed", "--database", p.Database); code != 0 || !strings.Contains(out, "phone number was deleted") {
		t.Errorf("done: %d %s", code, out)
	}
	if _, stderr, code := run(t, "wishes", "done", id, "--database", p.Database); code != 1 || !strings.Contains(stderr, "settled already") {
		t.Errorf("done again: %d %s", code, stderr)
	}
	show, _, code := run(t, "privacy", "show", id, "--database", p.Database)
	if code != 0 || strings.Contains(show, "5550123") || strings.Contains(show, "To fulfill") || !strings.Contains(show, "number suppressed") {
		t.Errorf("a settled request (exit %d):\n%s", code, show)
	}
	if _, stderr, code := run(t, "privacy", "show", "wish_none", "--database", p.Database); code != 1 || !strings.Contains(stderr, "no privacy request with this id") {
		t.Errorf("an unknown request: %d %s", code, stderr)
	}
}

// openRequests returns the ids of open privacy requests by kind.
func (p *process) openRequests(t *testing.T) map[string]string {
	t.Helper()
	list, _, code := run(t, "privacy", "list", "--json", "--database", p.Database)
	if code != 0 {
		t.Fatalf("exit code %d", code)
	}
	found := map[string]string{}
	for line := range strings.Lines(list) {
		var w struct {
			ID   string `json:"privacy_request_id"`
			Kind string
		}
		if err := json.Unmarshal([]byte(line), &w); err != nil {
			t.Fatal(err)
		}
		found[w.Kind] = w.ID
	}
	return found
}

// TestUnprovenPrivacyRequest sends a number that does not belong to the reference: that proves nothing, and the operator is
// told so.
func TestUnprovenPrivacyRequest(t *testing.T) {
	storetest.Parallel(t)
	p := serve(t, t.TempDir())
	id := p.Submit()
	p.sendPrivacyRequest("withdraw", "305-555-0199", id)
	show, _, code := run(t, "privacy", "show", p.openRequests(t)["withdraw"], "--database", p.Database)
	if code != 0 || !strings.Contains(show, "make sure that the person owns the number") {
		t.Errorf("show (exit %d):\n%s", code, show)
	}
	if list, _, code := run(t, "leads", "list", "--json", "--database", p.Database); code != 0 || !strings.Contains(list, `"collected"`) {
		t.Errorf("the request: %s", list)
	}
}

// TestPrivacyRequestDetails wants what an operator needs to judge a request: how it came in, and who has the contact. It is
// erased together with the person.
func TestPrivacyRequestDetails(t *testing.T) {
	storetest.Parallel(t)
	p := serve(t, t.TempDir())
	sold, held := p.Submit(), p.Submit()
	p.sell(sold)
	for _, id := range []string{sold, held} {
		if status, body, _ := p.sendPrivacyRequest("erase", "305-555-0123", id); status != http.StatusOK {
			t.Fatalf("%d %s", status, body)
		}
	}
	list, _, _ := run(t, "privacy", "list", "--database", p.Database)
	for id, want := range map[string]string{sold: "a buyer has the contact: buyer_1", held: "no buyer has seen the contact"} {
		line := lineWith(list, id)
		request, _, _ := strings.Cut(line, " ")
		show, _, code := run(t, "privacy", "show", request, "--database", p.Database)
		if code != 0 || !strings.Contains(line, want) || !strings.Contains(lineWith(show, "contact "), want) {
			t.Errorf("list and show (exit %d) do not say that %s:\n%s\n%s", code, want, line, show)
		}
		for _, evidence := range []string{"client", "127.0.0.1", "user_agent", "request_id", "req_"} {
			if !strings.Contains(show, evidence) {
				t.Errorf("show has no %s:\n%s", evidence, show)
			}
		}
		shown, _, _ := run(t, "privacy", "show", request, "--json", "--database", p.Database)
		var object struct {
			Client  *string
			Contact struct{ Seen string }
			Leads   []struct {
				ID      string `json:"lead_id"`
				Contact struct{ Buyers []string }
			}
		}
		if err := json.Unmarshal([]byte(shown), &object); err != nil || object.Client == nil || len(object.Leads) == 0 || object.Contact.Seen != map[string]string{sold: "yes", held: "no"}[id] {
			t.Errorf("as JSON: %v %s", err, shown)
		}
		if out, stderr, code := run(t, "leads", "erase", id, "--database", p.Database); code != 0 {
			t.Fatalf("%s%s", out, stderr)
		}
		if show, _, _ := run(t, "privacy", "show", request, "--database", p.Database); strings.Contains(show, "127.0.0.1") || strings.Contains(show, "req_") || !strings.Contains(lineWith(show, "contact "), want) {
			t.Errorf("after the person was erased:\n%s", show)
		}
	}
}

// lineWith returns the first line that contains a text.
func lineWith(text, part string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, part) {
			return line
		}
	}
	return ""
}

// TestBuyersLeadIDIsForOperators checks that a buyer's id for a lead works in operator commands but opens no page: the
// reference belongs to the person.
func TestBuyersLeadIDIsForOperators(t *testing.T) {
	storetest.Parallel(t)
	p := serve(t, t.TempDir())
	id := p.Submit()
	p.sell(id)
	theirs := id[:len("lead_")+9] + strings.Repeat("a", 26)
	_ = p.execSQL("UPDATE offers SET buyer_lead_id = '" + theirs + "'").Close()
	for _, path := range []string{"/v1/leads/", "/status/"} {
		if status, body := p.Get(path + theirs); status != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	if status, body, _ := p.sendPrivacyRequest("withdraw", "305-555-0123", theirs); status != http.StatusUnprocessableEntity {
		t.Errorf("a request: %d %s", status, body)
	}
	if _, answer, _ := p.Post("/mcp", "application/json", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_lead_status","arguments":{"lead_id":"`+theirs+`"}}}`); !strings.Contains(string(answer), "not_found") {
		t.Errorf("the tool: %s", answer)
	}
	for _, command := range [][]string{{"leads", "show", theirs}, {"leads", "show", "offer_1"}, {"leads", "close", theirs, "--why", "sold elsewhere"}, {"route", "--lead", theirs}, {"leads", "erase", theirs}} {
		out, stderr, code := run(t, append(command, "--database", p.Database)...)
		if code != 0 || !strings.Contains(out, id) {
			t.Errorf("%v (exit %d): %s%s", command, code, out, stderr)
		}
	}
	for _, command := range []string{"release", "replay"} { // only a lead in error can be, but the lead is found
		if _, stderr, code := run(t, "leads", command, theirs, "--database", p.Database); code != 1 || !strings.Contains(stderr, id+" is rejected") {
			t.Errorf("%s (exit %d): %s", command, code, stderr)
		}
	}
}
