package main_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// wish leaves a wish at the form of the privacy page.
func (p *process) wish(kind, phone, id string) (int, string, http.Header) {
	p.T.Helper()
	form := url.Values{"wish": {kind}, "customer_phone": {phone}, "lead_id": {id}}
	status, body, header := p.post("/privacy", "application/x-www-form-urlencoded", form.Encode())
	return status, string(body), header
}

// TestWishesOnTheCommandLine settles a wish: it is listed, shown with the commands that fulfil it, and done.
func TestWishesOnTheCommandLine(t *testing.T) {
	p := serve(t, t.TempDir())
	id := p.submit()
	for kind, phone := range map[string]string{"withdraw": "305-555-0123", "erase": "305-555-0123"} {
		if status, body, _ := p.wish(kind, phone, id); status != http.StatusOK {
			t.Fatalf("%s: %d %s", kind, status, body)
		}
	}
	list, _, code := run(t, "wishes", "list", "--database", p.Database)
	for _, want := range []string{id, "withdraw", "erase", "open"} {
		if code != 0 || !strings.Contains(list, want) || strings.Contains(list, "5550123") {
			t.Errorf("list (exit %d) has no %s, or a phone number:\n%s", code, want, list)
		}
	}
	wishes := p.openWishes(t)
	for kind, command := range map[string]string{
		"withdraw": "foyer suppress add +13055550123 --database '" + p.Database + "'",
		"erase":    "foyer leads erase " + id + " --database '" + p.Database + "'",
	} {
		show, _, code := run(t, "wishes", "show", wishes[kind], "--database", p.Database)
		for _, want := range []string{wishes[kind], "+13055550123", id, "rejected", "\n  " + command + "\n", "foyer wishes done " + wishes[kind]} {
			if code != 0 || !strings.Contains(show, want) {
				t.Errorf("show (exit %d) has no %s:\n%s", code, want, show)
			}
		}
		sheet, _, _ := run(t, "wishes", "show", wishes[kind], "--json", "--database", p.Database)
		var object struct {
			Together bool `json:"phone_and_lead_belong_together"`
			Commands []string
		}
		if err := json.Unmarshal([]byte(sheet), &object); err != nil || !object.Together || len(object.Commands) != 2 || object.Commands[0] != command {
			t.Errorf("as JSON: %v %s", err, sheet)
		}
	}
	p.settle(t, wishes["withdraw"])
	if sheet, _, _ := run(t, "wishes", "show", wishes["withdraw"], "--json", "--database", p.Database); !strings.Contains(sheet, `"phone": null`) {
		t.Errorf("a settled wish as JSON: %s", sheet)
	}
	if left := p.openWishes(t); len(left) != 1 || left["erase"] == "" {
		t.Errorf("left are %v", left)
	}
}

// settle has a wish done, once.
func (p *process) settle(t *testing.T, id string) {
	t.Helper()
	if out, _, code := run(t, "wishes", "done", id, "--note", "number suppressed", "--database", p.Database); code != 0 || !strings.Contains(out, "phone number is forgotten") {
		t.Errorf("done: %d %s", code, out)
	}
	if _, stderr, code := run(t, "wishes", "done", id, "--database", p.Database); code != 1 || !strings.Contains(stderr, "settled already") {
		t.Errorf("done again: %d %s", code, stderr)
	}
	show, _, code := run(t, "wishes", "show", id, "--database", p.Database)
	if code != 0 || strings.Contains(show, "5550123") || strings.Contains(show, "To fulfil") || !strings.Contains(show, "number suppressed") {
		t.Errorf("a settled wish (exit %d):\n%s", code, show)
	}
	if _, stderr, code := run(t, "wishes", "show", "wish_none", "--database", p.Database); code != 1 || !strings.Contains(stderr, "no wish with this id") {
		t.Errorf("an unknown wish: %d %s", code, stderr)
	}
}

// openWishes are the ids of what waits, by kind.
func (p *process) openWishes(t *testing.T) map[string]string {
	t.Helper()
	list, _, code := run(t, "wishes", "list", "--json", "--database", p.Database)
	if code != 0 {
		t.Fatalf("exit code %d", code)
	}
	found := map[string]string{}
	for line := range strings.Lines(list) {
		var w struct {
			ID   string `json:"wish_id"`
			Kind string
		}
		if err := json.Unmarshal([]byte(line), &w); err != nil {
			t.Fatal(err)
		}
		found[w.Kind] = w.ID
	}
	return found
}

// A number that does not belong to the reference proves nothing, and the operator is told.
func TestAnUnprovenWish(t *testing.T) {
	p := serve(t, t.TempDir())
	id := p.submit()
	p.wish("withdraw", "305-555-0199", id)
	show, _, code := run(t, "wishes", "show", p.openWishes(t)["withdraw"], "--database", p.Database)
	if code != 0 || !strings.Contains(show, "make sure that the person owns the number") {
		t.Errorf("show (exit %d):\n%s", code, show)
	}
	if list, _, code := run(t, "leads", "list", "--json", "--database", p.Database); code != 0 || !strings.Contains(list, `"collected"`) {
		t.Errorf("the request: %s", list)
	}
}
