package pages_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"foyer/internal/app/apptest"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// ticked matches the services that are ticked.
var ticked = regexp.MustCompile(`name="services" value="([a-z_]+)" checked`)

func tickedServices(page []byte) (list []string) {
	for _, m := range ticked.FindAllSubmatch(page, -1) {
		list = append(list, string(m[1]))
	}
	return list
}

// TestTickedLists adds and edits a buyer as a newcomer does: services are ticked, a price is one amount, and a state is a name.
func TestTickedLists(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--rate-limit", "off")
	p := signIn(t, s, "pat", store.RoleOperator)
	empty := p.get("/buyers")
	if got := tickedServices(empty.Body); len(got) != 8 || !strings.Contains(plain(empty.Body), "Heating and cooling") {
		t.Errorf("a new form has ticked %v", got)
	}
	first := []string{"name", "Cool Air", "url", "https://buyer.example.com/leads", "price_cents", "45", "states", "Florida, new york"}
	p.refuses(http.StatusUnprocessableEntity, "/buyers/add", "Tick at least one.", first...)
	again := p.post("/buyers/add", append(first, "services", "hvac", "services", "handyman", "zips", "miami")...)
	if got := tickedServices(again.Body); again.Status != http.StatusUnprocessableEntity || !slices.Equal(got, []string{"hvac", "handyman"}) {
		t.Errorf("%d, shown again with %v", again.Status, got)
	}
	p.answers("/buyers/check", []string{"Covers"}, append(first, "services", "hvac", "services", "handyman")...)
	p.answers("/buyers/add", []string{"whsec_"}, append(first, "services", "hvac", "services", "handyman")...)

	const edit = "/buyers/Cool%20Air"
	fields := inputs(p.shows(edit+"/terms"), find(t, p.shows(edit+"/terms"), `action="/console(/buyers/[^"]+/edit)"`))
	for name, want := range map[string]string{"services": "hvac, handyman", "price_cents": "hvac=45.00, handyman=45.00", "states": "FL, NY", "approve_returns": ""} {
		if fields[name] != want {
			t.Errorf("%s is %q, want %q", name, fields[name], want)
		}
	}
	p.refuses(http.StatusUnprocessableEntity, edit+"/edit", "Nothing was changed", pairs(fields)...)
	delete(fields, "services")
	p.refuses(http.StatusUnprocessableEntity, edit+"/edit", "Tick at least one.", pairs(fields)...)
	p.does(edit+"/edit", append(pairs(fields), "services", "hvac", "approve_returns", "duplicate", "approve_returns", "bad_contact")...)
	saved := inputs(p.shows(edit+"/terms"), find(t, p.shows(edit+"/terms"), `action="/console(/buyers/[^"]+/edit)"`))
	if saved["services"] != "hvac" || saved["approve_returns"] != "bad_contact, duplicate" {
		t.Errorf("saved are %q and %q", saved["services"], saved["approve_returns"])
	}
	delete(saved, "approve_returns")
	p.does(edit+"/edit", pairs(saved)...)
}

// TestFailedTest says in plain words that nobody answers, and has the words of the machine below.
func TestFailedTest(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--allow-private-buyers", "--rate-limit", "off")
	p := signIn(t, s, "pat", store.RoleOperator)
	p.answers("/buyers/add", []string{"whsec_"}, "name", "Cool Air", "url", "http://127.0.0.1:9/leads", "services", "hvac")
	tested := p.answers("/buyers/Cool%20Air/test", []string{"Nobody answers at 127.0.0.1:9: the connection is not accepted.", "connect: "})
	if text := plain([]byte(tested)); strings.Contains(text, "Status 0") || strings.Contains(text, "could not be used") {
		t.Errorf("it says:\n%s", text)
	}
}

// TestUsedLink says what to do with a link that was used.
func TestUsedLink(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--rate-limit", "off")
	p := &person{t: t, s: s}
	r := p.get("/link/fl_gone")
	if text := plain(r.Body); r.Status != http.StatusConflict || !strings.Contains(text, "This link was used or is too old") || !strings.Contains(text, "foyer operators link") || !strings.Contains(string(r.Body), `<a href="/console">Sign in</a>`) {
		t.Errorf("%d:\n%s", r.Status, text)
	}
}
