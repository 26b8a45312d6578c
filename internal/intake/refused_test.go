package intake_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/store"
)

func TestARefusedRequestKeepsNothing(t *testing.T) {
	withKeys := func(keys ...string) *intake.Submission {
		o := order(nil)
		o.Keys = keys
		return o
	}
	for _, tc := range []struct {
		name  string
		order *intake.Submission
		field string
	}{
		{"no consent", order(fields{"consent_to_contact": lead.Bool(false)}), "consent_to_contact"},
		{"consent left out", order(fields{"consent_to_contact": lead.Null()}), "consent_to_contact"},
		{"plumbing, consent left out", plumbing(fields{"consent_to_contact": lead.Null()}), "consent_to_contact"},
		{"a ZIP+4", order(fields{"zip_code": lead.Quoted("33139-1234")}), "zip_code"},
		{"a near-spelling of dry_run", order(fields{"dryRun": lead.Bool(true)}), "dryRun"},
		{"a dry run of a bad request", order(fields{"dry_run": lead.Bool(true), "customer_phone": lead.Quoted("555-0123")}), "customer_phone"},
		{"a key that is too long", withKeys(strings.Repeat("é", 256)), "Idempotency-Key"},
		{"two keys", withKeys("one", "two"), "Idempotency-Key"},
		{"a body that cannot be read", &intake.Submission{Raw: lead.IntakeInput.Unreadable(lead.Malformed("no JSON")), Client: client}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newDesk(t)
			refusal := d.refused(t, tc.order, lead.Invalid)
			if tc.field != "" && (len(refusal.Problems) != 1 || refusal.Problems[0].Field != tc.field) {
				t.Errorf("the problems are %+v, want one of %s", refusal.Problems, tc.field)
			}
			d.mustKeep(t, 0)
		})
	}
	t.Run("the longest key is fine", func(t *testing.T) {
		newDesk(t).submit(t, withKeys(strings.Repeat("é", 255)))
	})
}

// A key that cannot be one is told together with what is wrong in the body.
func TestABadKeyAndABadBody(t *testing.T) {
	o := order(fields{"zip_code": lead.Quoted("x")})
	o.Keys = []string{""}
	refusal := newDesk(t).refused(t, o, lead.Invalid)
	if len(refusal.Problems) != 2 || refusal.Problems[0].Field != "zip_code" || refusal.Problems[1].Field != "Idempotency-Key" {
		t.Errorf("got %+v", refusal.Problems)
	}
	torn := &intake.Submission{Raw: lead.IntakeInput.Unreadable(lead.Malformed("no JSON")), Client: client, Keys: []string{""}}
	if refusal := newDesk(t).refused(t, torn, lead.Invalid); refusal.Message != "no JSON" {
		t.Errorf("got %+v", refusal)
	}
}

func TestASuppressedNumber(t *testing.T) {
	d := newDesk(t)
	err := d.store.Suppress(t.Context(), store.Suppression{Phone: "+13055550123", Reason: "asked", CreatedAt: noon})
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]*intake.Submission{
		"however it is written": order(fields{"customer_phone": lead.Quoted("1.305.555.0123")}),
		"with a key":            withKey("key", order(nil)),
	} {
		t.Run("is refused "+name, func(t *testing.T) {
			refusal := d.refused(t, o, lead.Refused)
			if strings.Contains(refusal.Message, "0123") {
				t.Errorf("the message repeats the number: %s", refusal.Message)
			}
			d.mustKeep(t, 0)
		})
	}
	t.Run("is not told in a dry run", func(t *testing.T) {
		other := d.submit(t, order(fields{"dry_run": lead.Bool(true), "customer_phone": lead.Quoted("305-555-0124")}))
		got := d.submit(t, order(fields{"dry_run": lead.Bool(true)}))
		got.LeadID = other.LeadID
		if diff := cmp.Diff(other, got); diff != "" {
			t.Errorf("another number hears something else (-other +suppressed):\n%s", diff)
		}
	})
	t.Run("another number is taken", func(t *testing.T) {
		d.submit(t, order(fields{"customer_phone": lead.Quoted("305-555-0124")}))
	})
	t.Run("a plumber's number is handed out", func(t *testing.T) {
		if got := d.submit(t, plumbing(nil)); got.Status != lead.CallToConnect {
			t.Errorf("got status %s", got.Status)
		}
	})
}
