package pages_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"foyer/internal/app/apptest"
	"foyer/internal/console/pages"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// TestUndo presses Undo after changes that can be undone, as a browser without script does, and once more to have the change back. Nobody but
// who made a change is offered to undo it, and nobody who changes nothing may.
func TestUndo(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--allow-private-buyers", "--rate-limit", "off")
	p, other, viewer := signIn(t, s, "pat", store.RoleOperator), signIn(t, s, "sam", store.RoleOperator), signIn(t, s, "vic", store.RoleViewer)
	id := p.addsBuyer()
	p.does("/sources/add", "name", "Partner One")
	key := find(t, p.shows("/sources"), `/console/sources/(src_[a-z0-9]+)`)
	buyer, terms, source := "/buyers/"+id, "/buyers/"+id+"/terms", "/sources/"+key
	edited := inputs(p.shows(terms), buyer+"/edit")
	edited["priority"], edited["zips"] = "7", "331*"
	priced := inputs(p.shows(source), source+"/edit")
	priced["cost_cents"] = "12.50"
	for _, c := range []struct {
		path, page   string
		before, then string // what the page says
		form         []string
	}{
		{buyer + "/pause", buyer, "Cool Air active", "Cool Air paused", []string{"why", "on holiday"}},
		{buyer + "/edit", "/route?service=hvac&zip=33139", "Cool Air 100", "Cool Air 7", pairs(edited)},
		{source + "/block", source, "Partner One active", "Partner One blocked", []string{"hold", "true"}},
		{source + "/edit", "/sources", "Partner One src_ active", "$12.50", pairs(priced)},
		{buyer + "/top-up", "/statements", "Owed in all $0.00", "Owed in all -$500.00", []string{"amount_cents", "500.00"}},
		{"/privacy/suppress", "/privacy/suppressions", "No number is suppressed.", "+13055550150", []string{"phone", "305-555-0150", "reason", "asked for it"}},
		{"/settings/alerts/rules/buyer_down/edit", "/settings/alerts", "A buyer does not answer: 5 minutes", "A buyer does not answer: off", []string{"seen", inputs(p.shows("/settings/alerts"), "/settings/alerts/rules/buyer_down/edit")["seen"], "threshold", "5", "cooldown_minutes", "60"}},
	} {
		t.Run(c.path, func(t *testing.T) {
			p.t, other.t, viewer.t = t, t, t
			says := func(text string) {
				t.Helper()
				if page := strings.ReplaceAll(plain([]byte(p.shows(c.page))), key, "src_"); !strings.Contains(page, text) {
					t.Errorf("%s does not say %q:\n%s", c.page, text, page)
				}
			}
			says(c.before)
			done := strings.TrimPrefix(p.does(c.path, append(c.form, "once", "form_of"+strings.ReplaceAll(c.path, "/", "_"))...), "/console")
			says(c.then)
			page := p.shows(done)
			undo := inputs(page, "/undo")
			if undo["of"] == "" || undo["page"] == "" {
				t.Fatalf("%s offers no undo:\n%s", done, plain([]byte(page)))
			}
			for name, who := range map[string]*person{"somebody else": other, "a viewer": viewer} {
				if r := who.get(done); strings.Contains(string(r.Body), "/undo") {
					t.Errorf("%s is offered to undo it", name)
				}
			}
			other.refuses(http.StatusConflict, "/undo", "cannot be undone", "of", undo["of"], "once", "form_other")
			viewer.refuses(http.StatusForbidden, "/undo", "Your role", "of", undo["of"])
			undone := strings.TrimPrefix(p.does("/undo", pairs(undo)...), "/console")
			if path, _, _ := strings.Cut(done, "?"); !strings.HasPrefix(undone, path+"?done=undo&form=") {
				t.Errorf("led to %s", undone)
			}
			says(c.before)
			p.does("/undo", pairs(undo)...) // a second click
			says(c.before)
			if strings.Contains(p.shows(done), "/undo") {
				t.Error("what is undone is offered again")
			}
			if c.path == buyer+"/pause" { // and back
				p.does("/undo", pairs(inputs(p.shows(undone, "It is as it was before."), "/undo"))...)
				says(c.then)
				p.does(buyer + "/resume")
			}
		})
	}
	p.t = t
	p.shows("/settings/audit", "buyer.undo", "state: paused → active", "source.undo", "alert.undo", "suppression.remove")
	for _, hostile := range []string{"//example.com", "https://example.com", "/../..//example.com", "?done=x", "javascript:alert(1)"} {
		p.does(buyer+"/pause", "once", "form_of"+hostile)
		want := "/console?" + url.Values{"done": {"undo"}, "form": {"form_undo" + hostile}}.Encode()
		if to := p.does("/undo", "of", "form_of"+hostile, "page", hostile, "once", "form_undo"+hostile); to != want {
			t.Errorf("%s leads to %s", hostile, to)
		}
	}
}

// TestUndoOfSuppressing leaves a number suppressed that somebody suppressed again since, by itself or in a list.
func TestUndoOfSuppressing(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--rate-limit", "off")
	p, other := signIn(t, s, "pat", store.RoleOperator), signIn(t, s, "sam", store.RoleOperator)
	for i, again := range []func(phone string){
		nil,
		func(phone string) {
			other.does("/privacy/suppress", "phone", phone, "reason", "asked on the phone", "once", "form_other")
		},
		func(phone string) {
			other.answers("/privacy/suppressions/import", []string{"New: 0"}, "phones", phone, "confirm", "true")
		},
		nil,
	} {
		phone, once := fmt.Sprintf("305-555-011%d", i), fmt.Sprintf("form_%d", i)
		p.does("/privacy/suppress", "phone", phone, "reason", "a mistake", "once", once)
		if again != nil {
			again(phone)
			p.refuses(http.StatusConflict, "/undo", "cannot be undone", "of", once, "once", once+"undo")
			p.answers("/privacy/suppressions/find", []string{"is suppressed"}, "phone", phone)
			continue
		}
		p.does("/undo", "of", once, "once", once+"undo")
		p.answers("/privacy/suppressions/find", []string{"is not suppressed"}, "phone", phone)
	}
}

// TestUndoOrConfirm wants each action that changes something for others to be undone, to be confirmed by name, or to be among those that need
// neither: because they look, send what is made up, or add what does nothing by itself and can be removed again.
func TestUndoOrConfirm(t *testing.T) {
	undone := []string{
		"/buyers/{buyer}/edit", "/buyers/{buyer}/pause", "/buyers/{buyer}/resume", "/buyers/{buyer}/top-up", "/buyers/{buyer}/correct", "/sources/{source}/edit", "/sources/{source}/block", "/sources/{source}/unblock",
		"/privacy/suppress", "/settings/alerts/rules/{rule}/edit", "/undo",
	}
	neither := []string{
		"/find", "/leads/search", "/leads/{lead_id}/reveal", "/leads/{lead_id}/evidence/reveal", "/privacy/{privacy_request_id}/reveal", "/privacy/suppressions/find", "/statements/verify", // they look
		"/buyers/check", "/buyers/{buyer}/check", "/buyers/{buyer}/try", "/buyers/{buyer}/test", "/settings/alerts/ways/{way_id}/test", "/practice/lead", // they try
		"/practice/start", "/buyers/add", "/sources/add", "/settings/alerts/ways/add", "/settings/add-person", "/settings/link-person", "/settings/add-token", "/passkeys/add", "/leads/{lead_id}/legal-hold", "/privacy/legal-holds/add", // they add what can be removed or blocked
		"/sign-out", "/settings/end-session", "/settings/end-all", "/settings/password", "/settings/set-role", // who signs in; a role is set back by the same form
	}
	known := map[string]bool{}
	for _, list := range [][]string{undone, neither, irreversible} {
		for _, path := range list {
			known[path] = true
		}
	}
	for _, path := range pages.Actions() {
		if !known[path] {
			t.Errorf("%s is neither undone nor confirmed", path)
		}
		delete(known, path)
	}
	for path := range known {
		t.Errorf("%s is no action", path)
	}
}
