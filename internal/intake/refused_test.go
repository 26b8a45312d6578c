package intake_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/store/storetest"
)

func TestRefusedRequestSavesNothing(t *testing.T) {
	withKeys := func(keys ...string) *intake.Submission {
		sub := submission(nil)
		sub.Keys = keys
		return sub
	}
	for _, tc := range []struct {
		name  string
		sub   *intake.Submission
		field string
	}{
		{"no consent", submission(fields{"consent_to_contact": lead.Bool(false)}), "consent_to_contact"},
		{"consent left out", submission(fields{"consent_to_contact": lead.Null()}), "consent_to_contact"},
		{"plumbing, consent left out", plumbing(fields{"consent_to_contact": lead.Null()}), "consent_to_contact"},
		{"a ZIP+4", submission(fields{"zip_code": lead.Quoted("33139-1234")}), "zip_code"},
		{"a near-spelling of dry_run", submission(fields{"dryRun": lead.Bool(true)}), "dryRun"},
		{"a dry run of a bad request", submission(fields{"dry_run": lead.Bool(true), "customer_phone": lead.Quoted("555-0123")}), "customer_phone"},
		{"a key that is too long", withKeys(strings.Repeat("é", 256)), "Idempotency-Key"},
		{"two keys", withKeys("one", "two"), "Idempotency-Key"},
		{"a body that cannot be read", &intake.Submission{Raw: lead.IntakeInput.Unreadable(lead.Malformed("no JSON")), Client: client}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t)
			refusal := f.refused(t, tc.sub, lead.Invalid)
			if tc.field != "" && (len(refusal.Problems) != 1 || refusal.Problems[0].Field != tc.field) {
				t.Errorf("the problems are %+v, want one of %s", refusal.Problems, tc.field)
			}
			f.mustKeep(t, 0)
		})
	}
	t.Run("the longest key is fine", func(t *testing.T) {
		newFixture(t).submit(t, withKeys(strings.Repeat("é", 255)))
	})
}

// TestInvalidKeyAndInvalidBody checks that an invalid key is reported together with the problems in the body.
func TestInvalidKeyAndInvalidBody(t *testing.T) {
	sub := submission(fields{"zip_code": lead.Quoted("x")})
	sub.Keys = []string{""}
	refusal := newFixture(t).refused(t, sub, lead.Invalid)
	if len(refusal.Problems) != 2 || refusal.Problems[0].Field != "zip_code" || refusal.Problems[1].Field != "Idempotency-Key" {
		t.Errorf("got %+v", refusal.Problems)
	}
	torn := &intake.Submission{Raw: lead.IntakeInput.Unreadable(lead.Malformed("no JSON")), Client: client, Keys: []string{""}}
	if refusal := newFixture(t).refused(t, torn, lead.Invalid); refusal.Message != "no JSON" {
		t.Errorf("got %+v", refusal)
	}
}

func TestSuppressedNumber(t *testing.T) {
	f := newFixture(t)
	storetest.Suppress(t, f.store, "+13055550123")
	for name, sub := range map[string]*intake.Submission{
		"however it is written": submission(fields{"customer_phone": lead.Quoted("1.305.555.0123")}),
		"with a key":            withKey("key", submission(nil)),
	} {
		t.Run("is refused "+name, func(t *testing.T) {
			refusal := f.refused(t, sub, lead.Refused)
			if strings.Contains(refusal.Message, "0123") {
				t.Errorf("the message repeats the number: %s", refusal.Message)
			}
			f.mustKeep(t, 0)
		})
	}
	t.Run("is not disclosed in a dry run", func(t *testing.T) {
		other := f.submit(t, submission(fields{"dry_run": lead.Bool(true), "customer_phone": lead.Quoted("305-555-0124")}))
		got := f.submit(t, submission(fields{"dry_run": lead.Bool(true)}))
		got.LeadID = other.LeadID
		if diff := cmp.Diff(other, got); diff != "" {
			t.Errorf("another number hears something else (-other +suppressed):\n%s", diff)
		}
	})
	t.Run("another number is taken", func(t *testing.T) {
		f.submit(t, submission(fields{"customer_phone": lead.Quoted("305-555-0124")}))
	})
	t.Run("a plumber's number is handed out", func(t *testing.T) {
		if got := f.submit(t, plumbing(nil)); got.Status != lead.CallToConnect {
			t.Errorf("got status %s", got.Status)
		}
	})
}
