package web

import (
	"encoding/json"
	"html"
	"strings"
	"testing"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

func TestHomeHasTwoFaces(t *testing.T) {
	server := serve(t, newSite(t))
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
	_, body := ask(t, serve(t, newSite(t)), "GET", "/", "Accept: application/json")
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

func TestNumberStandsFirst(t *testing.T) {
	_, home := ask(t, serve(t, newSite(t)), "GET", "/")
	number, heading, form := strings.Index(home, `href="tel:+18005550199"`), strings.Index(home, "<h1>"), strings.Index(home, "<form")
	if number < 0 || number > heading || heading > form {
		t.Errorf("number at %d, heading at %d, form at %d", number, heading, form)
	}
}

func TestFormAsksEveryField(t *testing.T) {
	_, home := ask(t, serve(t, newSite(t)), "GET", "/")
	notAsked := map[string]bool{"source_agent": true, lead.DryRun: true}
	for i := range lead.Fields {
		f := &lead.Fields[i]
		if n := strings.Count(home, ` name="`+f.Name+`"`); n != 1 && !notAsked[f.Name] || n != 0 && notAsked[f.Name] {
			t.Errorf("%s is asked %d times", f.Name, n)
		}
		for _, choice := range f.Choices {
			if lead.Service(choice).Live() {
				if strings.Contains(home, `value="`+choice+`"`) {
					t.Errorf("the form asks for details before it tells the number of %s", choice)
				}
				continue
			}
			if label := catalog.ChoiceLabel(f.Name, choice); label == choice || !strings.Contains(home, `<option value="`+choice+`"`) || !strings.Contains(home, ">"+label+"</option>") {
				t.Errorf("%s does not offer %s in words", f.Name, choice)
			}
		}
	}
	for _, want := range []string{
		`<form method="post" action="` + origin + `/v1/intake"`,
		`<option value="one_time" selected>`, `<option value="yes" selected>`,
	} {
		if !strings.Contains(home, want) {
			t.Errorf("no %s", want)
		}
	}
}

func TestConsentIsShownInFullAndUnticked(t *testing.T) {
	_, home := ask(t, serve(t, newSite(t)), "GET", "/")
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
