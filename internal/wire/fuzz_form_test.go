package wire_test

import (
	"reflect"
	"strings"
	"testing"

	"foyer/internal/lead"
	"foyer/internal/wire"
)

// FuzzForm parses forms and queries. The same values as typed JSON must get the same result.
func FuzzForm(f *testing.F) {
	for body, query := range map[string]string{
		completeForm: "", completeForm + "&dry_run=yes": "dry_run=false", completeForm + "&": "dry_run", "&&" + completeForm + "&x": "utm=1&dry_run=1",
		completeForm + "&bedrooms=2&bathrooms=.5&square_feet=1,200&flexible_dates=off&preferred_date=2027-02-28": "dry-run=true",
		completeForm + "&consent_to_contact=on": "dry_run=true&dry_run=false", completeForm + "&consent_to_contact=off": "a=1;dry_run=true",
		completeForm + "&bedrooms=two&bathrooms=1e1&square_feet=5.&state=f%6c&home_type=": "dry_run=%zz", completeForm + "&dryRun=1": "dry_run=%00",
		`{"zip_code":"33139"}`: "dry_run=", "": "", "=": "", "%": "", "a=%zz": "", "\xff=\xff": "", "zip_code=%ff&notes=%00%e2%80%ae": "Dry+Run=1",
		"notes=one%0d%0atwo&customer_name=%C2%85&customer_phone=%2B1+305+555+0123&bedrooms=-0&zip_code=": "DRY_RUN=on",
		strings.Repeat("x=1&", 199) + "y=2": "", strings.Repeat("&", 300): "",
	} {
		f.Add([]byte(body), query)
	}
	f.Fuzz(func(t *testing.T, body []byte, query string) {
		parseBody := func() *lead.Raw {
			raw := wire.ReadForm(lead.IntakeInput, body)
			wire.ReadQuery(raw, query)
			return raw
		}
		req, refusal := lead.Parse(parseBody())
		if again, refusedAgain := lead.Parse(parseBody()); !reflect.DeepEqual(req, again) || !reflect.DeepEqual(refusal, refusedAgain) {
			t.Fatalf("first %+v, %+v\nthen %+v, %+v", req, refusal, again, refusedAgain)
		}
		if refusal != nil {
			wantNoEcho(t, refusal)
		}
		_ = formValue(string(body), "consent_text")
		if document, same := jsonFromForm(string(body)); same {
			typed := readJSON(document)
			wire.ReadQuery(typed, query)
			wantSameResult(t, typed, parseBody(), document)
		}
		if body := completeForm + "&" + query; refusal == nil && !strings.Contains(body, ";") {
			wantQueryApplied(t, query)
		}
	})
}

// wantQueryApplied checks that a dry_run in the query makes a dry run or is refused.
func wantQueryApplied(t *testing.T, query string) {
	t.Helper()
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if name != lead.DryRun || !lead.Yes(value) {
			continue
		}
		raw := readForm(completeForm)
		wire.ReadQuery(raw, query)
		if req, refusal := lead.Parse(raw); refusal == nil && !req.DryRun {
			t.Fatalf("%q stores a real request", query)
		}
	}
}
