package lead_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
)

func TestAllProblemsAtOnce(t *testing.T) {
	_, refusal := requestValues{
		"service_type":       lead.Quoted("house_cleaning"),
		"zip_code":           lead.Quoted("33139-1234"),
		"bedrooms":           lead.Number("21"),
		"customer_name":      lead.Quoted("A"),
		"consent_to_contact": lead.Bool(false),
		"dryRun":             lead.Bool(true),
	}.parse()
	want := []string{"dryRun", "zip_code", "bedrooms", "customer_name", "customer_phone", "consent_to_contact"}
	if diff := cmp.Diff(want, problemsOf(refusal)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEmptyRequestListsRequiredFields(t *testing.T) {
	_, refusal := lead.Parse(lead.IntakeInput.New())
	if diff := cmp.Diff(lead.Required(), problemsOf(refusal)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMessageJoinsProblemTexts checks that the message can be read to a person: it joins the texts of the fields in order.
func TestMessageJoinsProblemTexts(t *testing.T) {
	_, refusal := completeRequest().without("zip_code").with("bedrooms", lead.Bool(true)).parse()
	if refusal.Kind != "invalid_request" {
		t.Errorf("kind = %s", refusal.Kind)
	}
	want := "ZIP code: missing. Give the five-digit ZIP code where the work happens, for example 33139. " +
		"Bedrooms: true or false where a number belongs. Give a whole number from 0 to 20, for example 2."
	if diff := cmp.Diff(want, refusal.Message); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestErrorTextOmitsMessage(t *testing.T) {
	cause := errors.New("disk full")
	for want, e := range map[string]*lead.Error{
		"invalid_request":        lead.InvalidField("Idempotency-Key", "It is too long."),
		"unavailable: disk full": {Kind: lead.Unavailable, Message: "Send it again.", Cause: cause},
	} {
		if e.Error() != want {
			t.Errorf("got %q, want %q", e.Error(), want)
		}
	}
	if !errors.Is(&lead.Error{Kind: lead.Internal, Cause: cause}, cause) {
		t.Error("the cause is not found")
	}
}

func TestInvalidField(t *testing.T) {
	e := lead.InvalidField("Idempotency-Key", "It is too long.")
	if diff := cmp.Diff([]lead.Problem{{Field: "Idempotency-Key", Text: "It is too long."}}, e.Problems); diff != "" || e.Message != "It is too long." {
		t.Errorf("message %q, problems (-want +got):\n%s", e.Message, diff)
	}
}

func TestMalformedHasNoFields(t *testing.T) {
	if e := lead.Malformed("The body is torn."); e.Kind != lead.Invalid || e.Problems != nil || !strings.Contains(e.Message, "torn") {
		t.Errorf("got %+v", e)
	}
}
