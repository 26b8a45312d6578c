package intake_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/limit"
)

// limited is a desk where each address may leave two leads at once, try twenty times and ask for one unknown id.
func limited(t *testing.T, exempt ...netip.Prefix) *desk {
	t.Helper()
	d := newDesk(t)
	limiter, err := limit.New(limit.Rate{Count: 1, Per: time.Hour, Burst: 2}, exempt)
	if err != nil {
		t.Fatal(err)
	}
	d.Limiter = limiter
	return d
}

func dryRun() *intake.Submission { return order(fields{"dry_run": lead.Bool(true)}) }
func bad() *intake.Submission    { return order(fields{"zip_code": lead.Quoted("x")}) }

func TestLeadsAreLimitedForEachAddress(t *testing.T) {
	d := limited(t)
	d.submit(t, order(nil))
	d.submit(t, plumbing(nil))
	refusal := d.refused(t, order(nil), lead.RateLimited)
	if refusal.Retry <= 0 || refusal.Quota == nil || refusal.Quota.Name != "leads" || refusal.Quota.Limit != 1 {
		t.Errorf("got %+v, want a time to come back and the limit that was reached", refusal)
	}
	d.mustKeep(t, 2)

	t.Run("what keeps nothing has an allowance of its own", func(t *testing.T) {
		d.submit(t, dryRun())
		d.refused(t, bad(), lead.Invalid)
	})
	t.Run("another address has its own", func(t *testing.T) {
		o := order(nil)
		o.Client = netip.MustParseAddr("192.0.2.2")
		d.submit(t, o)
	})
}

func TestTriesAreLimitedForEachAddress(t *testing.T) {
	d := limited(t)
	for range 10 {
		d.submit(t, dryRun())
		d.refused(t, bad(), lead.Invalid)
	}
	for name, o := range map[string]*intake.Submission{"a dry run": dryRun(), "a bad request": bad()} {
		t.Run(name+" is refused", func(t *testing.T) {
			if refusal := d.refused(t, o, lead.RateLimited); refusal.Quota.Name != "tries" {
				t.Errorf("the limit that was reached is %q", refusal.Quota.Name)
			}
		})
	}
	t.Run("a lead is still taken", func(t *testing.T) { d.submit(t, order(nil)) })
}

func TestExemptNetworksAreNotLimited(t *testing.T) {
	d := limited(t, netip.PrefixFrom(client, 32))
	for range 5 {
		d.submit(t, order(nil))
	}
}

// Hashes that nobody knows are guesses, like ids. Those that are known cost nothing, and neither does what cannot be a hash.
func TestConsentTextsAreLimitedForEachAddress(t *testing.T) {
	d := limited(t) // five guesses
	find := func(hash string, kind lead.Kind) {
		t.Helper()
		if text, err := d.ConsentText(t.Context(), client, hash); lead.KindOf(err) != kind || kind == "" && text.Text == "" {
			t.Fatalf("%s: got %+v and %v, want kind %q", hash, text, err, kind)
		}
	}
	known := brand.ConsentShown().Ref().Hash
	for range 20 {
		find(known, "")
		find("0000", lead.NotFound)
	}
	for range 5 {
		find(strings.Repeat("0", 64), lead.NotFound)
	}
	find(strings.Repeat("0", 64), lead.RateLimited)
	if _, err := d.ConsentText(t.Context(), netip.MustParseAddr("192.0.2.2"), known); err != nil {
		t.Errorf("another address: %v", err)
	}
	d.close()
	for range 20 { // what cannot be known now costs nothing
		if _, err := d.ConsentText(t.Context(), netip.MustParseAddr("192.0.2.3"), strings.Repeat("1", 64)); lead.KindOf(err) != lead.Unavailable {
			t.Fatal(err)
		}
	}
}
