package web

import (
	"html"
	"strings"
	"testing"

	"foyer/internal/lead"
)

const aLead = "lead_0123456789abcdefghijklmnopqrstuvw"

func TestThanksShowsOnlyTheReference(t *testing.T) {
	server := serve(t, sharedSite(t))
	_, thanks := ask(t, server, "GET", "/thanks")
	_, checked := ask(t, server, "GET", "/thanks?dry_run=true")
	if !strings.Contains(checked, "nothing was stored") || strings.Contains(thanks, "nothing was stored") {
		t.Error("the two pages do not differ as they should")
	}
	for query, want := range map[string]string{
		"?dry_run=1": checked, "?dry_run=true&name=Pat": checked, "?dry_run=true&ref=" + aLead: checked,
		"?x=%3Cb%3E": thanks, "?ref=": thanks, "?ref=lead_": thanks, "?ref=dry_0123456789abcdefghijklmnopqrstuvw": thanks,
		"?ref=" + aLead + "%3Cb%3E": thanks, "?ref=Pat": thanks, "?ref=" + strings.ToUpper(aLead): thanks, "?ref=" + aLead + strings.Repeat("a", 60): thanks,
	} {
		if _, body := ask(t, server, "GET", "/thanks"+query); body != want {
			t.Errorf("%s shows another page", query)
		}
	}
}

func TestThanksShowsTheReference(t *testing.T) {
	answer, body := ask(t, serve(t, siteWith(t, lead.Received)), "GET", "/thanks?ref="+aLead+"&name=Pat", browser)
	if answer.StatusCode != 200 || answer.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("got %d %v", answer.StatusCode, answer.Header)
	}
	checkPage(t, answer, body)
	for _, want := range []string{">" + aLead + "<", `href="` + origin + "/status/" + aLead + `"`, `name="robots" content="noindex"`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(body, "Pat") {
		t.Error("the page shows more of the address than the reference")
	}
}

// The thanks page states the status of the request, as its status page does.
func TestThanksShowsTheStatus(t *testing.T) {
	says := map[lead.Status]string{
		lead.Received:  "We’re asking a contractor network",
		lead.Collected: "No contractor network has your request.",
		lead.Forwarded: "A contractor network took your request",
		lead.Rejected:  "Your request is closed.",
		lead.Errored:   "may not have reached the contractor network",
	}
	for status := range says {
		server := serve(t, siteWith(t, status))
		for _, address := range []string{"/thanks?ref=" + aLead, "/status/" + aLead} {
			_, body := ask(t, server, "GET", address, browser)
			text := strings.ReplaceAll(html.UnescapeString(body), "'", "’")
			for other, words := range says {
				if got := strings.Contains(text, words); got != (other == status) {
					t.Errorf("%s of a request that is %s says %q: %t", address, status, words, got)
				}
			}
			if held := strings.Contains(text, "We hold your request until"); held && status != lead.Collected {
				t.Errorf("%s calls a request that is %s held", address, status)
			}
			if strings.Contains(text, "date has passed") {
				t.Errorf("%s tells of a date that nobody gave", address)
			}
		}
	}
}

// An unknown reference is not shown. One that cannot be looked up at the moment is shown, because it may be the
// person's only way back to the request.
func TestThanksForUnknownReference(t *testing.T) {
	site := siteWith(t, lead.Received)
	server := serve(t, site)
	_, plain := ask(t, server, "GET", "/thanks", browser)
	if _, body := ask(t, server, "GET", "/thanks?ref=lead_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", browser); body != plain {
		t.Error("a reference that no request has is shown")
	}
	for range 40 { // use up the client's lookups
		ask(t, server, "GET", "/status/lead_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", browser)
	}
	answer, body := ask(t, server, "GET", "/thanks?ref="+aLead, browser)
	if answer.StatusCode != 200 || !strings.Contains(body, ">"+aLead+"<") || !strings.Contains(body, "If not, we hold your request.") {
		t.Errorf("while nothing can be looked up: %d", answer.StatusCode)
	}
}
