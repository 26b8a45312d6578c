package pages_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"foyer/internal/app"
	"foyer/internal/app/apptest"
	"foyer/internal/store/storetest"
)

// TestBaseURLWithPath wants everything to stay below the path of the base URL, whether the proxy in front keeps that path or takes it off.
func TestBaseURLWithPath(t *testing.T) {
	storetest.Parallel(t)
	for name, kept := range map[string]string{"kept by the proxy": "/home", "taken off by the proxy": ""} {
		t.Run(name, func(t *testing.T) {
			s := apptest.Start(t, "--allow-private-buyers", "--base-url", "http://localhost:8080/home")
			s.URL += kept
			op, err := app.OpenOperator(t.Context(), s.Data, false, "cli:test")
			if err != nil {
				t.Fatal(err)
			}
			defer op.Close()
			link, err := op.Access().FirstLink(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			nobody := &person{t: t, s: s}
			if page := nobody.shows("/link/" + link); !strings.Contains(page, `action="/home/console/link/`+link+`"`) {
				t.Errorf("the form of the first link: %s", page)
			}
			owner := nobody.post("/link/"+link, "name", "pat", "password", password)
			wantLocation(t, owner, "/home/console")
			next := "/home/console/leads?status=error"
			wantLocation(t, nobody.get("/leads?status=error"), "/home/console/sign-in?next="+url.QueryEscape(next))
			wantLocation(t, nobody.post("/sign-in", "name", "pat", "password", password, "next", next), next)
			p := &person{t, s, cookieOf(owner, "foyer-session")}
			id := p.addsBuyer()
			wantLocation(t, p.post("/buyers/"+id+"/pause", "why", "a test"), "/home/console/buyers/"+id+"?done=pauseBuyer")
			wantLocation(t, p.post("/buyers/"+id+"/remove", "confirm", "true"), "/home/console/buyers?done=removeBuyer")
			p.answers("/buyers/check", []string{"Covers all ZIP codes."}, "services", "hvac", "price_cents", "45.00")
		})
	}
}

func wantLocation(t *testing.T, r apptest.Reply, want string) {
	t.Helper()
	if got := r.Header.Get("Location"); r.Status != http.StatusSeeOther || got != want {
		t.Errorf("led to %d %q, want %q", r.Status, got, want)
	}
}
