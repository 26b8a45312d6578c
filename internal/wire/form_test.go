package wire_test

import (
	"strings"
	"testing"

	"foyer/internal/lead"
	"foyer/internal/wire"
)

func TestFormAccepted(t *testing.T) {
	for name, body := range map[string]string{
		"shortest":                   completeForm,
		"empty pairs":                "&" + completeForm + "&&",
		"buttons and campaigns":      completeForm + "&utm_source=x&utm_source=y&submit=",
		"a name without a value":     completeForm + "&city",
		"blank optional fields":      completeForm + "&city=&home_type=&bedrooms=&preferred_date=&frequency=&flexible_dates=&notes=+",
		"percent-encoded":            strings.Replace(completeForm, "Pat+Example", "Pat%20Example", 1),
		"percent-encoded names":      strings.Replace(completeForm, "zip_code", "zip%5Fcode", 1),
		"an equals sign in the text": completeForm + "&notes=a=b",
		"a semicolon in the text":    completeForm + "&notes=a;b",
	} {
		t.Run(name, func(t *testing.T) {
			req := wantAccepted(t, readForm(body))
			if req.Contact.Name != "Pat Example" || !req.Consent || !req.FlexibleDates || req.Frequency != "one_time" {
				t.Errorf("got %+v", req)
			}
		})
	}
}

func TestFormValuesAreReadAsTyped(t *testing.T) {
	req := wantAccepted(t, readForm(completeForm+"&bedrooms=+2+&bathrooms=.5&square_feet=1%2C200&flexible_dates=no&dry_run=1&notes=a%0D%0Ab%26c"))
	if *req.Home.Bedrooms != 2 || *req.Home.Bathrooms != 0.5 || *req.Home.SquareFeet != 1200 || req.FlexibleDates || !req.DryRun || req.Contact.Notes != "a\nb&c" {
		t.Errorf("got %+v", req)
	}
}

func TestFormProblems(t *testing.T) {
	wantProblem(t, readForm(completeForm+"&consent_to_contact=on"), "consent_to_contact", "more than once")
	wantProblem(t, readForm(completeForm+"&city=a&city=a"), "city", "more than once")
	wantProblem(t, readForm(completeForm+"&city=%FF"), "city", "UTF-8")
	wantProblem(t, readForm(completeForm+"&city=a%00b"), "city", "control character")
	wantProblem(t, readForm(completeForm+"&dry-run=true"), "dry-run", "did you mean dry_run?")
}

func TestEmptyFormListsRequiredFields(t *testing.T) {
	_, refusal := lead.Parse(readForm(""))
	if refusal == nil || len(refusal.Problems) != len(lead.Required()) {
		t.Errorf("got %+v", refusal)
	}
}

// TestJSONSentAsForm checks that the error names the Content-Type header. curl sends JSON as a form by default.
func TestJSONSentAsForm(t *testing.T) {
	for _, body := range []string{complete + "}", " \n" + complete + "}", "{", `{"a":"b&c=d%"}`} {
		wantMalformed(t, readForm(body), "Content-Type: application/json")
	}
}

func TestMalformedForm(t *testing.T) {
	for _, body := range []string{"%", "city=%", "city=%2", "city=%zz", "%zz=city", completeForm + "&x=100%"} {
		wantMalformed(t, readForm(body), "percent-encoded")
	}
}

func TestMaxFormPairs(t *testing.T) {
	fill := strings.Repeat("&utm=x", 200-5)
	wantAccepted(t, readForm(completeForm+fill))
	wantMalformed(t, readForm(completeForm+fill+"&utm=x"), "at most 200")
	wantMalformed(t, readForm(completeForm+strings.Repeat("&", 300)), "at most 200")
}

// TestFormOrder checks that values keep their order: the form is filled in again with the first value.
func TestFormOrder(t *testing.T) {
	if got := readForm("city=first&city=second").Typed("city"); got != "first" {
		t.Errorf("got %q", got)
	}
	if got := formValue("b=0&a=1&a=2", "a"); got != "1" {
		t.Errorf("got %q", got)
	}
}

func formValue(body, name string) string {
	values, _ := wire.FormValues([]byte(body))
	return values.Get(name)
}

func TestFormValue(t *testing.T) {
	for body, want := range map[string]string{"consent_text=a+b%21": "a b!", "x=1": "", "": "", "consent_text": "", "consent_text=1&x=%": "1"} {
		if got := formValue(body, "consent_text"); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

func TestQuery(t *testing.T) {
	readQuery := func(query string) *lead.Raw {
		raw := readJSON(complete + "}")
		wire.ReadQuery(raw, query)
		return raw
	}
	for query, dry := range map[string]bool{"": false, "dry_run=true": true, "dry_run=ON&utm=x": true, "dry_run=0": false, "utm=x&zip_code=1": false} {
		if req := wantAccepted(t, readQuery(query)); req.DryRun != dry {
			t.Errorf("%s: dry run = %t", query, req.DryRun)
		}
	}
	wantProblem(t, readQuery("dry_run=maybe"), "dry_run", "in the address")
	wantProblem(t, readQuery("dry_run=true&dry_run=true"), "dry_run", "more than once")
	wantProblem(t, readQuery("dryRun=true"), "dryRun", "did you mean dry_run?")
	wantMalformed(t, readQuery("dry_run=%"), "query of the address")
	wantMalformed(t, readQuery(strings.Repeat("a=1&", 201)), "query of the address")
}

// TestMalformedQueryKeepsValues checks that a malformed query does not lose what the person typed.
func TestMalformedQueryKeepsValues(t *testing.T) {
	raw := readForm("city=Miami+Beach")
	wire.ReadQuery(raw, "utm=100%")
	wantMalformed(t, raw, "query of the address")
	if got := raw.Typed("city"); got != "Miami Beach" {
		t.Errorf("got %q", got)
	}
}
