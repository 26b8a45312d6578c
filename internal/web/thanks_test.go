package web

import (
	"strings"
	"testing"
)

const aLead = "lead_0123456789abcdefghijklmnopqrstuvw"

func TestThanksShowNothingButTheReference(t *testing.T) {
	server := serve(t, newSite(t))
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

func TestThanksNameTheReference(t *testing.T) {
	answer, body := ask(t, serve(t, newSite(t)), "GET", "/thanks?ref="+aLead+"&name=Pat", browser)
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
