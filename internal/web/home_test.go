package web

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"testing"

	"foyer/internal/catalog"
	"foyer/internal/lead"
	"foyer/internal/place"
	"foyer/internal/wire"
)

func TestHomeNegotiatesHTMLOrJSON(t *testing.T) {
	server := serve(t, sharedSite(t))
	for _, x := range []struct{ accept, contentType string }{
		{"Accept: application/json", "application/json"},
		{browser, htmlType},
		{"Accept: text/html, application/json", htmlType},
		{"Accept: */*", htmlType},
	} {
		answer, _ := ask(t, server, "GET", "/", x.accept)
		if answer.Header.Get("Content-Type") != x.contentType || !strings.Contains(strings.Join(answer.Header["Vary"], ","), "Accept") {
			t.Errorf("%s: %v", x.accept, answer.Header)
		}
	}
}

func TestIndex(t *testing.T) {
	_, body := ask(t, serve(t, sharedSite(t)), "GET", "/", "Accept: application/json")
	var index struct {
		Name, About, Version string
		Endpoints            catalog.Endpoints
	}
	if err := json.Unmarshal([]byte(body), &index); err != nil {
		t.Fatal(err)
	}
	if index.Name != "Foyer" || index.Version != catalog.Version || index.About != catalog.About || index.Endpoints != brand.Endpoints() {
		t.Errorf("got %+v", index)
	}
}

func TestNumberComesFirst(t *testing.T) {
	_, home := ask(t, serve(t, sharedSite(t)), "GET", "/")
	number, heading, form := strings.Index(home, `href="tel:+18005550199"`), strings.Index(home, "<h1>"), strings.Index(home, "<form")
	if number < 0 || number > heading || heading > form {
		t.Errorf("number at %d, heading at %d, form at %d", number, heading, form)
	}
}

func TestFormAsksEveryField(t *testing.T) {
	_, home := ask(t, serve(t, sharedSite(t)), "GET", "/")
	notAsked := map[string]bool{"source_agent": true, lead.DryRun: true}
	for i := range lead.Fields {
		f := &lead.Fields[i]
		want := 1
		switch {
		case notAsked[f.Name]:
			want = 0
		case f.Name == "service_type":
			want = len(lead.Services) - 1 // one tile for each service except plumbing
		}
		if n := strings.Count(home, ` name="`+f.Name+`"`); n != want {
			t.Errorf("%s is asked %d times, want %d", f.Name, n, want)
		}
		for _, choice := range f.Choices {
			if lead.Service(choice).Live() {
				if strings.Contains(home, `value="`+choice+`"`) {
					t.Errorf("the form asks for details before it tells the number of %s", choice)
				}
				continue
			}
			if label := catalog.ChoiceLabel(f.Name, choice); label == choice || !strings.Contains(home, ` value="`+choice+`"`) || !strings.Contains(home, ">"+label+"</") {
				t.Errorf("%s does not offer %s in words", f.Name, choice)
			}
		}
	}
	for _, want := range []string{
		`method="post" action="` + origin + `/v1/intake"`, ` novalidate `,
		`<option value="one_time" selected>`, `<option value="yes" selected>`,
	} {
		if !strings.Contains(home, want) {
			t.Errorf("no %s", want)
		}
	}
}

func TestConsentIsShownInFullAndUnchecked(t *testing.T) {
	_, home := ask(t, serve(t, sharedSite(t)), "GET", "/")
	shown := brand.ConsentShown()
	if !strings.Contains(html.UnescapeString(home), `<label for="consent_to_contact">`+shown.Text+`</label>`) {
		t.Error("the words of the consent are not beside the box")
	}
	if !strings.Contains(home, `<input type="hidden" name="consent_text" value="`+shown.Ref().Hash+`">`) {
		t.Error("the form does not carry the hash of the words it shows")
	}
	if strings.Contains(home, " checked") {
		t.Error("the box is ticked")
	}
}

// TestFormKnowsWhatEachServiceNeeds checks that the page tells the script which services each field is for.
func TestFormKnowsWhatEachServiceNeeds(t *testing.T) {
	_, home := ask(t, serve(t, sharedSite(t)), "GET", "/")
	for i := range lead.Fields {
		f := &lead.Fields[i]
		var services []string
		for _, s := range f.Prompt {
			services = append(services, string(s))
		}
		want := `<div class="field ` + f.Name + `" data-for="` + strings.Join(services, " ") + `">`
		if has := strings.Contains(home, want); has != (services != nil) {
			t.Errorf("%s is asked for %v: %t", f.Name, services, has)
		}
	}
}

// TestSampleRequestIsValid checks that the request for validating single fields passes, is a dry run and gives no
// consent.
func TestSampleRequestIsValid(t *testing.T) {
	_, home := ask(t, serve(t, sharedSite(t)), "GET", "/")
	check := regexp.MustCompile(`data-check="([^"]*)"`).FindStringSubmatch(home)
	if check == nil {
		t.Fatal("the form has none")
	}
	req, refusal := lead.Parse(wire.ReadForm(lead.IntakeInput, []byte(html.UnescapeString(check[1]))))
	if refusal != nil || !req.DryRun || req.Consent {
		t.Errorf("got %+v %v", req, refusal)
	}
}

func TestListOfPlacesIsAttributed(t *testing.T) {
	if _, home := ask(t, serve(t, sharedSite(t)), "GET", "/"); !strings.Contains(home, place.Attribution) {
		t.Error("the licence of the list wants its source to be named")
	}
}

// TestQuerySelectsAService is for links from the page of a service.
func TestQuerySelectsAService(t *testing.T) {
	server := serve(t, sharedSite(t))
	_, blank := ask(t, server, "GET", "/")
	for query, want := range map[string]string{
		"service_type=hvac": `value="hvac" required checked>`, "x=1&service_type=other": `value="other" required checked>`,
		"service_type=plumbing": "", "service_type=castle": "", "service_type=": "", "zip_code=33139": "", "customer_name=Pat": "",
	} {
		answer, body := ask(t, server, "GET", "/?"+query, browser)
		checkPage(t, answer, body)
		if want == "" && body != blank || want != "" && (!strings.Contains(body, want) || strings.Count(body, " checked") != 1) {
			t.Errorf("%s: wants %q", query, want)
		}
	}
}
