package web

import (
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

// formAgain returns the page that a browser would get for a refused form post.
func formAgain(t *testing.T, raw *lead.Raw, e *lead.Error) (*httptest.ResponseRecorder, string) {
	t.Helper()
	return formAgainFor(t, &intake.Submission{Raw: raw, ConsentHash: brand.ConsentShown().Ref().Hash, Evidence: lead.Evidence{Origin: origin}}, e)
}

// formAgainFor does the same for any submission, such as one with another consent text.
func formAgainFor(t *testing.T, sub *intake.Submission, e *lead.Error) (*httptest.ResponseRecorder, string) {
	t.Helper()
	w, r := httptest.NewRecorder(), httptest.NewRequest("POST", "/v1/intake", nil)
	r.Header.Set("Accept", "text/html")
	framed(sharedSite(t), edge.Resource{Path: "/v1/intake", Post: func(http.ResponseWriter, *http.Request) error {
		return &edge.RenderedError{Err: e, Render: func(w http.ResponseWriter, r *http.Request, e *lead.Error) { sharedSite(t).FormAgain(w, r, sub, e) }}
	}}).ServeHTTP(w, r)
	checkPage(t, w.Result(), w.Body.String())
	return w, w.Body.String()
}

// refusedForm parses a form that has problems.
func refusedForm(t *testing.T, form string) (*lead.Raw, *lead.Error) {
	t.Helper()
	raw := wire.ReadForm(lead.IntakeInput, []byte(form))
	_, e := lead.Parse(raw)
	if e == nil {
		t.Fatal("the form is fine")
	}
	return raw, e
}

func TestProblemsAreShownNextToTheirFields(t *testing.T) {
	raw, e := refusedForm(t, "service_type=hvac&zip_code=33139-1234&bedrooms=two&home_type=castle&preferred_date=tomorrow&flexible_dates=maybe&customer_name=P&customer_phone=555-0123&customer_email=pat&state=Florida&consent_to_contact=no")
	w, body := formAgain(t, raw, e)
	if w.Code != 422 || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("got %d %v", w.Code, w.Header())
	}
	if len(e.Problems) < 9 {
		t.Fatalf("only %d problems", len(e.Problems))
	}
	text := html.UnescapeString(body)
	for _, p := range e.Problems {
		for _, want := range []string{
			`<a href="#` + p.Field + `">` + p.ForPerson() + `</a>`,
			`<p class="problem" id="` + p.Field + `-problem">` + p.ForPerson() + `</p>`,
		} {
			if !strings.Contains(text, want) {
				t.Errorf("no %s", want)
			}
		}
		input := regexp.MustCompile(`<[a-z]+ [^>]*id="` + p.Field + `"[^>]*>`).FindString(body)
		if !strings.Contains(input, `aria-invalid="true"`) || !regexp.MustCompile(`aria-describedby="[^"]*`+p.Field+`-problem`).MatchString(input) {
			t.Errorf("the input does not tell its problem: %s", input)
		}
	}
	if !strings.Contains(body, "<title>Problem: ") || !strings.Contains(body, `<details class="group" open>`) {
		t.Error("the page does not show that it has problems")
	}
}

func TestFormKeepsWhatWasTyped(t *testing.T) {
	raw, e := refusedForm(t, "service_type=hvac&zip_code=3313&city=Miami+Beach&home_type=condo&bedrooms=2&bathrooms=1.5&square_feet=1%2C200&frequency=weekly&preferred_date=2027-03-15&flexible_dates=off&notes=%0ATwo+cats%0Aupstairs&customer_name=Pat+Example&customer_phone=305-555-0123&customer_email=pat%40example.com&address_line=12+Example+Street&consent_to_contact=on")
	_, body := formAgain(t, raw, e)
	for _, want := range []string{
		`value="hvac" required checked>`, `<option value="condo" selected>`, `<option value="weekly" selected>`, `<option value="no" selected>`,
		`value="3313"`, `value="Miami Beach"`, `value="2"`, `value="1.5"`, `value="1,200"`, `type="date" value="2027-03-15"`,
		`rows="4">` + "\n\nTwo cats\nupstairs</textarea>",
		`value="Pat Example"`, `value="305-555-0123"`, `value="pat@example.com"`, `value="12 Example Street"`,
		`value="yes" required checked`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s", want)
		}
	}
	if n := strings.Count(body, " selected>"); n != 3 {
		t.Errorf("%d options are selected", n)
	}
}

func TestInvalidDateStaysReadable(t *testing.T) {
	raw, e := refusedForm(t, "preferred_date=tomorrow")
	if _, body := formAgain(t, raw, e); !strings.Contains(body, `type="text" value="tomorrow"`) {
		t.Error("a date input would drop what was typed")
	}
}

// TestConsentBoxIsCheckedOnlyByThePerson checks that the box stays checked only if the person agreed to the same text
// on a page of ours.
func TestConsentBoxIsCheckedOnlyByThePerson(t *testing.T) {
	same, here := brand.ConsentShown().Ref().Hash, lead.Evidence{Origin: origin}
	for _, x := range []struct {
		form    string
		words   string
		from    lead.Evidence
		checked bool
	}{
		{"consent_to_contact=yes", same, here, true},
		{"consent_to_contact=True", same, here, true},
		{"consent_to_contact=yes", same, lead.Evidence{FetchSite: "same-origin"}, true},
		{"consent_to_contact=yes", same, lead.Evidence{Origin: "https://evil.example", FetchSite: "cross-site"}, false},
		{"consent_to_contact=yes", same, lead.Evidence{}, false},
		{"consent_to_contact=yes", "the hash of other words", here, false},
		{"consent_to_contact=yes", "", here, false},
		{"consent_to_contact=no", same, here, false},
		{"consent_to_contact=maybe", same, here, false},
		{"consent_to_contact=yes&consent_to_contact=no", same, here, false},
		{"", same, here, false},
	} {
		raw, e := refusedForm(t, x.form)
		if _, body := formAgainFor(t, &intake.Submission{Raw: raw, ConsentHash: x.words, Evidence: x.from}, e); strings.Contains(body, `value="yes" required checked`) != x.checked {
			t.Errorf("%q, agreed to %q, from %+v: checked should be %v", x.form, x.words, x.from, x.checked)
		}
	}
}

func TestHostileValuesAreEscaped(t *testing.T) {
	const evil = `"><script>alert(1)</script><b x='` + "\x00\xff"
	var form strings.Builder
	for i := range lead.Fields {
		form.WriteString(lead.Fields[i].Name + "=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E%3Cb+x%3D%27%00%FF&")
	}
	raw, e := refusedForm(t, form.String())
	if raw.Typed("city") != evil {
		t.Fatalf("the form holds %q", raw.Typed("city"))
	}
	_, body := formAgain(t, raw, e)
	if strings.Contains(body, "<b x=") || strings.Contains(body, "alert(1)<") {
		t.Error("a typed value became markup")
	}
	raw, e = refusedForm(t, "notes=%3C%2Ftextarea%3E%3Cb+x%3E")
	if _, body := formAgain(t, raw, e); strings.Contains(body, "<b x") {
		t.Error("a typed note became markup")
	}
}

func TestRefusalsWithoutFields(t *testing.T) {
	unreadable := lead.IntakeInput.Unreadable(lead.Malformed("The form could not be read."))
	for _, x := range []struct {
		name   string
		raw    *lead.Raw
		e      *lead.Error
		status int
		header string
	}{
		{"nothing read", lead.IntakeInput.New(), catalog.Busy, 503, "Retry-After"},
		{"unreadable", unreadable, lead.Malformed("The form could not be read."), 422, ""},
		{"too many", lead.IntakeInput.New(), brand.TooMany(lead.HVAC, lead.Allowance{Retry: time.Minute, Quota: lead.Quota{Name: "leads", Limit: 60, Window: time.Minute}}), 429, "RateLimit-Policy"},
	} {
		t.Run(x.name, func(t *testing.T) {
			w, body := formAgain(t, x.raw, x.e)
			if w.Code != x.status || x.header != "" && w.Header().Get(x.header) == "" {
				t.Errorf("got %d %v", w.Code, w.Header())
			}
			if !strings.Contains(html.UnescapeString(body), "<p>"+x.e.Message+"</p>") || strings.Contains(body, `class="problem"`) {
				t.Error("the message is not the banner")
			}
		})
	}
}

func TestProblemOfUnknownFieldHasNoLink(t *testing.T) {
	raw, e := refusedForm(t, "dryRun=yes")
	if _, body := formAgain(t, raw, e); !strings.Contains(body, "<li>dryRun is not a field") || strings.Contains(body, `href="#dryRun"`) {
		t.Error("a problem of an unknown field is not told plainly")
	}
}
