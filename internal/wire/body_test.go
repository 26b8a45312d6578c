package wire_test

import (
	"strings"
	"testing"

	"foyer/internal/lead"
	"foyer/internal/wire"
)

// complete is a valid request without its closing brace, so that members can follow.
const complete = `{"service_type":"hvac","zip_code":"33139","customer_name":"Pat Example","customer_phone":"305-555-0123","consent_to_contact":true`

// completeForm is the same request as a form.
const completeForm = "service_type=hvac&zip_code=33139&customer_name=Pat+Example&customer_phone=305-555-0123&consent_to_contact=on"

func wantAccepted(t *testing.T, raw *lead.Raw) *lead.Request {
	t.Helper()
	req, refusal := lead.Parse(raw)
	if refusal != nil {
		t.Fatalf("refused: %s", refusal.Message)
	}
	return req
}

// wantMalformed checks that the whole body is refused and no field is named.
func wantMalformed(t *testing.T, raw *lead.Raw, words string) {
	t.Helper()
	_, refusal := lead.Parse(raw)
	switch {
	case refusal == nil:
		t.Fatal("accepted")
	case refusal.Kind != lead.Invalid || len(refusal.Problems) > 0:
		t.Errorf("got %s with fields %v, want a malformed body", refusal.Kind, refusal.Problems)
	case !strings.Contains(refusal.Message, words):
		t.Errorf("message = %q, want the words %q", refusal.Message, words)
	}
}

// wantProblem checks that one field is refused.
func wantProblem(t *testing.T, raw *lead.Raw, field, words string) {
	t.Helper()
	_, refusal := lead.Parse(raw)
	if refusal == nil || len(refusal.Problems) != 1 || refusal.Problems[0].Field != field || !strings.Contains(refusal.Message, words) {
		t.Errorf("got %+v, want one problem of %s with the words %q", refusal, field, words)
	}
}

func readJSON(body string) *lead.Raw { return wire.ReadJSON(lead.IntakeInput, []byte(body)) }
func readForm(body string) *lead.Raw { return wire.ReadForm(lead.IntakeInput, []byte(body)) }
