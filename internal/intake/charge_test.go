package intake_test

import (
	"strings"
	"testing"

	"foyer/internal/lead"
)

// What is not kept after all costs no lead: neither a repeated key, nor a store that cannot take it.
func TestOnlyKeptLeadsAreCharged(t *testing.T) {
	t.Run("a repeated key", func(t *testing.T) {
		d := limited(t) // two leads at once
		first := d.submit(t, withKey("a", order(nil)))
		for range 5 {
			if again := d.submit(t, withKey("a", order(nil))); again.LeadID != first.LeadID {
				t.Fatalf("got %s, want %s", again.LeadID, first.LeadID)
			}
		}
		d.submit(t, withKey("b", order(nil)))
		d.mustKeep(t, 2)
	})
	t.Run("a repeated key, over the limit", func(t *testing.T) {
		d := limited(t)
		first := d.submit(t, withKey("a", order(nil)))
		d.submit(t, order(nil))
		d.refused(t, order(nil), lead.RateLimited)
		if again := d.submit(t, withKey("a", order(nil))); again.LeadID != first.LeadID {
			t.Errorf("got %s, want %s", again.LeadID, first.LeadID)
		}
		d.refused(t, withKey("a", order(fields{"zip_code": lead.Quoted("90210")})), lead.RateLimited)
		d.refused(t, withKey("c", order(nil)), lead.RateLimited)
	})
	t.Run("a repeated key is a try", func(t *testing.T) {
		d := limited(t) // twenty tries at once
		d.submit(t, withKey("a", order(nil)))
		other := withKey("a", order(fields{"zip_code": lead.Quoted("90210")}))
		for range 10 {
			d.submit(t, withKey("a", order(nil)))
			d.refused(t, other, lead.KeyReused)
		}
		refusal := d.refused(t, withKey("a", order(nil)), lead.RateLimited)
		if refusal.Quota.Name != "tries" || !strings.Contains(refusal.Message, "that answer still holds") {
			t.Errorf("got %+v", refusal)
		}
		d.refused(t, order(nil), lead.RateLimited) // the repeat that was refused stays charged as a lead
		d.mustKeep(t, 1)
	})
	t.Run("a repeated key over the limit is a try", func(t *testing.T) {
		d := limited(t)
		d.submit(t, withKey("a", order(nil)))
		d.submit(t, order(nil))
		for range 10 {
			d.submit(t, withKey("a", order(nil)))
			d.refused(t, withKey("b", order(nil)), lead.RateLimited)
		}
		d.refused(t, withKey("a", order(nil)), lead.RateLimited)
		d.refused(t, dryRun(), lead.RateLimited)
	})
	t.Run("a store that cannot take it", func(t *testing.T) {
		d := limited(t)
		d.close()
		for range 5 {
			d.refused(t, order(nil), lead.Unavailable)
		}
	})
	t.Run("a wish that cannot be kept", func(t *testing.T) {
		d := limited(t)
		d.close()
		for range 5 {
			if _, err := d.RequestPrivacy(t.Context(), plea("erase", "305-555-0123", "")); lead.KindOf(err) != lead.Unavailable {
				t.Fatal(err)
			}
		}
	})
}

// A person who asks for a plumber without agreeing to be contacted gets the number, and who it was is not kept.
func TestNoConsentNoContact(t *testing.T) {
	d := newDesk(t)
	d.submit(t, withKey("a", plumbing(fields{"consent_to_contact": lead.Bool(false)})))
	if l := d.kept(t)[0]; l.Request.Contact != (lead.Contact{}) || l.Request.ZIP == "" || l.Evidence.Consent != (lead.ConsentRef{}) {
		t.Errorf("kept %+v", l)
	}
	other := fields{"consent_to_contact": lead.Bool(false), "customer_phone": lead.Quoted("305-555-0199")}
	d.refused(t, withKey("a", plumbing(other)), lead.KeyReused)
	d.submit(t, plumbing(fields{"consent_to_contact": lead.Bool(true)}))
	if l := d.kept(t)[0]; l.Request.Contact.Name == "" {
		t.Error("who agreed is not kept")
	}
}

func TestKeysThatAreNone(t *testing.T) {
	d := newDesk(t)
	for _, keys := range [][]string{{""}, {"a", "b"}, {"a", ""}} {
		o := order(nil)
		o.Keys = keys
		d.refused(t, o, lead.Invalid)
	}
	d.mustKeep(t, 0)
}
