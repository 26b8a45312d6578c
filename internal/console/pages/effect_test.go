package pages_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"foyer/internal/app/apptest"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// TestCheckSavesNothing checks terms as a browser without script does: the form stays as it was typed, and nothing is saved.
func TestCheckSavesNothing(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--rate-limit", "off")
	p := signIn(t, s, "pat", store.RoleOperator)
	for _, c := range []struct {
		name string
		form []string
		says []string
		not  string
	}{
		{"a new buyer without a name", []string{"services", "hvac", "zips", "33139"}, []string{"Covers 1 ZIP code", `value="33139"`}, "missing"},
		{"a pattern that is none", []string{"name", "Cool Air", "zips", "3313"}, []string{"is not a ZIP pattern", "cannot be used as they are", `value="Cool Air"`}, "Covers"},
		{"markup", []string{"name", `<script>alert(1)</script>`, "services", "hvac"}, []string{"&lt;script&gt;"}, "<script>alert"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := p.post("/buyers/check", c.form...)
			for _, text := range c.says {
				if r.Status != http.StatusOK || !strings.Contains(string(r.Body), text) {
					t.Errorf("%d, and it does not say %s", r.Status, text)
				}
			}
			if strings.Contains(string(r.Body), c.not) {
				t.Errorf("it says %s", c.not)
			}
		})
	}
	p.answers("/buyers/add", []string{"whsec_"}, "name", "Warm Air", "url", "https://buyer.example.com/leads", "services", "hvac")
	id := find(t, p.shows("/buyers"), `/console/buyers/(buyer_[a-z0-9]+)`)
	p.answers("/buyers/"+id+"/check", []string{"Covers 1 ZIP code", "Save the terms"}, "name", "Warm Air", "url", "https://buyer.example.com/leads", "services", "hvac", "zips", "33139")
	if fields := inputs(p.shows("/buyers/"+id+"/terms"), "/buyers/"+id+"/edit"); fields["zips"] != "" {
		t.Errorf("a check saved %q", fields["zips"])
	}
	p.does("/buyers/"+id+"/remove", "confirm", "true")
	if r := p.get("/buyers"); !strings.Contains(string(r.Body), "No buyer yet") {
		t.Error("a buyer was added")
	}
}

// TestTryLeavesTheAddressOut leads from the editor to Route with what was changed, and never with a buyer's address, which may hold a key.
func TestTryLeavesTheAddressOut(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--rate-limit", "off")
	p := signIn(t, s, "pat", store.RoleOperator)
	if r := p.post("/buyers/add", "name", "Cool Air", "url", "https://buyer.example.com/leads?key=secret", "services", "hvac", "priority", "100"); r.Status != http.StatusOK {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	r := p.post("/buyers/Cool%20Air/try", "name", "Other", "url", "https://buyer.example.com/leads?key=other", "services", "hvac", "priority", "7", "zips", "9*")
	to, err := url.Parse(r.Header.Get("Location"))
	if err != nil || r.Status != http.StatusSeeOther || to.Query().Get("priority") != "7" || to.Query().Get("zips") != "9*" || to.Query().Has("services") || to.Query().Has("url") || strings.Contains(to.String(), "key%3D") || strings.Contains(to.String(), "Other") {
		t.Fatalf("%d leads to %s", r.Status, r.Header.Get("Location"))
	}
	page := p.get("/route?" + to.RawQuery + "&service=hvac&zip=33139&state=active")
	for _, text := range []string{"With these terms", "Today", "it does not cover 33139", "it is in test", "(edited)"} {
		if !strings.Contains(string(page.Body), text) {
			t.Errorf("Route does not say %s", text)
		}
	}
	if strings.Contains(string(page.Body), "key=secret") {
		t.Error("Route shows the address of the buyer")
	}
	if wrong := p.get("/route?" + to.RawQuery + "&service=hvac&zip=33139&states=XX"); !strings.Contains(string(wrong.Body), `aria-invalid="true"`) || strings.Contains(string(wrong.Body), "With these terms") {
		t.Error("terms that cannot be saved are tried")
	}
}
