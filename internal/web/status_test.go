package web

import (
	"strings"
	"testing"
	"time"

	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/limit"
	"foyer/internal/store/storetest"
)

// siteWith returns the site over a store with one lead. A client may look up a few unknown ids.
func siteWith(t *testing.T, status lead.Status) *Site {
	t.Helper()
	st := storetest.Open(t, storetest.Database(t))
	sent := time.Date(2027, 3, 15, 14, 5, 0, 0, time.UTC)
	l := lead.Lead{
		ID: aLead, Status: status, CreatedAt: sent, UpdatedAt: sent.Add(time.Hour),
		Request: lead.Request{Job: lead.Job{Service: lead.HVAC, ZIP: "33139", Consent: true}, Contact: lead.Contact{Name: "Pat Example", Phone: "+13055550123", Notes: "Two cats"}},
	}
	if _, err := st.SaveLead(t.Context(), &l, nil, sent); err != nil {
		t.Fatal(err)
	}
	limiter, err := limit.New(limit.Rate{Count: 1, Per: time.Hour, Burst: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t)
	s.Intake = &intake.Service{Brand: brand, Store: st, Limiter: limiter}
	return s
}

func TestStatusShowsNoPersonalData(t *testing.T) {
	for _, status := range lead.Statuses {
		if status == lead.Validated { // never stored
			continue
		}
		t.Run(string(status), func(t *testing.T) {
			answer, body := ask(t, serve(t, siteWith(t, status)), "GET", "/status/"+aLead, browser)
			if answer.StatusCode != 200 || answer.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("got %d %v", answer.StatusCode, answer.Header)
			}
			checkPage(t, answer, body)
			for _, want := range []string{aLead, "Heating and cooling", "33139", "March 15, 2027, 2:05 PM UTC", `datetime="2027-03-15T15:05:00Z"`, `name="robots" content="noindex"`, `class="tag" data-tone="`} {
				if !strings.Contains(body, want) {
					t.Errorf("no %s", want)
				}
			}
			if strings.Contains(body, `data-tone=""`) || strings.Contains(body, "></span>") {
				t.Error("the status has no words")
			}
			for _, private := range []string{"Pat Example", "5550123", "Two cats"} {
				if strings.Contains(body, private) {
					t.Errorf("tells %s", private)
				}
			}
			if calls := strings.Contains(body, `href="tel:`); calls != (status == lead.CallToConnect) {
				t.Errorf("shows the number: %t", calls)
			}
		})
	}
}

func TestUnknownReference(t *testing.T) {
	const unknown = "lead_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"
	server := serve(t, siteWith(t, lead.Collected))
	answer, body := ask(t, server, "GET", "/status/"+unknown, browser)
	if answer.StatusCode != 404 || answer.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("got %d %v", answer.StatusCode, answer.Header)
	}
	checkPage(t, answer, body)
	for _, want := range []string{`action="` + origin + `/status"`, `name="ref"`, `href="` + origin + `/"`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(body, unknown) {
		t.Error("the page repeats what was asked for")
	}
}

// TestGuessingIsRateLimited checks that the page does not bypass the limit on lookups.
func TestGuessingIsRateLimited(t *testing.T) {
	server := serve(t, siteWith(t, lead.Collected))
	for range 100 {
		answer, body := ask(t, server, "GET", "/status/lead_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", browser)
		if answer.StatusCode == 429 {
			checkPage(t, answer, body)
			return
		}
	}
	t.Error("a hundred guesses are free")
}

func TestStatusForPrograms(t *testing.T) {
	answer, body := ask(t, serve(t, siteWith(t, lead.Collected)), "GET", "/status/lead_none", "Accept: application/json")
	if answer.StatusCode != 404 || !strings.HasPrefix(body, `{"error":"not_found"`) {
		t.Errorf("got %d %s", answer.StatusCode, body)
	}
}

// TestLookupForm submits a reference with the form.
func TestLookupForm(t *testing.T) {
	server := serve(t, siteWith(t, lead.Collected))
	for query, want := range map[string]struct {
		status   int
		location string
	}{
		"":                       {200, ""},
		"?ref=":                  {200, ""},
		"?ref=+" + aLead + "%0A": {303, origin + "/status/" + aLead},
		"?ref=12":                {404, ""},
		"?ref=//evil.example":    {404, ""},
		"?ref=lead_%2F..%2F..":   {404, ""},
	} {
		answer, _ := ask(t, server, "GET", "/status"+query, browser)
		if answer.StatusCode != want.status || answer.Header.Get("Location") != want.location {
			t.Errorf("%s: got %d to %s", query, answer.StatusCode, answer.Header.Get("Location"))
		}
	}
}
