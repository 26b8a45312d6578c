package intake_test

import (
	"strings"
	"testing"

	"foyer/internal/lead"
)

// TestOnlySavedLeadsAreCharged checks that a replayed key and an unavailable store cost no lead.
func TestOnlySavedLeadsAreCharged(t *testing.T) {
	t.Run("a repeated key", func(t *testing.T) {
		f := newLimitedFixture(t) // a burst of two leads
		first := f.submit(t, withKey("a", submission(nil)))
		for range 5 {
			if again := f.submit(t, withKey("a", submission(nil))); again.LeadID != first.LeadID {
				t.Fatalf("got %s, want %s", again.LeadID, first.LeadID)
			}
		}
		f.submit(t, withKey("b", submission(nil)))
		f.mustKeep(t, 2)
	})
	t.Run("a repeated key, over the limit", func(t *testing.T) {
		f := newLimitedFixture(t)
		first := f.submit(t, withKey("a", submission(nil)))
		f.submit(t, submission(nil))
		f.refused(t, submission(nil), lead.RateLimited)
		if again := f.submit(t, withKey("a", submission(nil))); again.LeadID != first.LeadID {
			t.Errorf("got %s, want %s", again.LeadID, first.LeadID)
		}
		f.refused(t, withKey("a", submission(fields{"zip_code": lead.Quoted("90210")})), lead.RateLimited)
		f.refused(t, withKey("c", submission(nil)), lead.RateLimited)
	})
	t.Run("a repeated key is a try", func(t *testing.T) {
		f := newLimitedFixture(t) // a burst of twenty attempts
		f.submit(t, withKey("a", submission(nil)))
		other := withKey("a", submission(fields{"zip_code": lead.Quoted("90210")}))
		for range 10 {
			f.submit(t, withKey("a", submission(nil)))
			f.refused(t, other, lead.KeyReused)
		}
		refusal := f.refused(t, withKey("a", submission(nil)), lead.RateLimited)
		if refusal.Quota.Name != "tries" || !strings.Contains(refusal.Message, "that answer still holds") {
			t.Errorf("got %+v", refusal)
		}
		f.refused(t, submission(nil), lead.RateLimited) // the refused replay stays charged as a lead
		f.mustKeep(t, 1)
	})
	t.Run("a repeated key over the limit is a try", func(t *testing.T) {
		f := newLimitedFixture(t)
		f.submit(t, withKey("a", submission(nil)))
		f.submit(t, submission(nil))
		for range 10 {
			f.submit(t, withKey("a", submission(nil)))
			f.refused(t, withKey("b", submission(nil)), lead.RateLimited)
		}
		f.refused(t, withKey("a", submission(nil)), lead.RateLimited)
		f.refused(t, dryRun(), lead.RateLimited)
	})
	t.Run("a store that cannot take it", func(t *testing.T) {
		f := newLimitedFixture(t)
		f.close()
		for range 5 {
			f.refused(t, submission(nil), lead.Unavailable)
		}
	})
	t.Run("a privacy request that cannot be kept", func(t *testing.T) {
		f := newLimitedFixture(t)
		f.close()
		for range 5 {
			if _, err := f.RequestPrivacy(t.Context(), privacyInput("erase", "305-555-0123", "")); lead.KindOf(err) != lead.Unavailable {
				t.Fatal(err)
			}
		}
	})
}

// TestContactIsDroppedWithoutConsent checks that a plumbing request without consent gets the number, and that the contact
// is not stored.
func TestContactIsDroppedWithoutConsent(t *testing.T) {
	f := newFixture(t)
	f.submit(t, withKey("a", plumbing(fields{"consent_to_contact": lead.Bool(false)})))
	if l := f.kept(t)[0]; l.Request.Contact != (lead.Contact{}) || l.Request.ZIP == "" || l.Evidence.Consent != (lead.ConsentRef{}) {
		t.Errorf("kept %+v", l)
	}
	other := fields{"consent_to_contact": lead.Bool(false), "customer_phone": lead.Quoted("305-555-0199")}
	f.refused(t, withKey("a", plumbing(other)), lead.KeyReused)
	f.submit(t, plumbing(fields{"consent_to_contact": lead.Bool(true)}))
	if l := f.kept(t)[0]; l.Request.Contact.Name == "" {
		t.Error("who agreed is not kept")
	}
}

func TestInvalidIdempotencyKeys(t *testing.T) {
	f := newFixture(t)
	for _, keys := range [][]string{{""}, {"a", "b"}, {"a", ""}} {
		sub := submission(nil)
		sub.Keys = keys
		f.refused(t, sub, lead.Invalid)
	}
	f.mustKeep(t, 0)
}
