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

// newLimitedFixture limits each address to bursts of two leads, twenty attempts and five unknown ids.
func newLimitedFixture(t *testing.T, exempt ...netip.Prefix) *fixture {
	t.Helper()
	f := newFixture(t)
	limiter, err := limit.New(limit.Rate{Count: 1, Per: time.Hour, Burst: 2}, exempt)
	if err != nil {
		t.Fatal(err)
	}
	f.Limiter = limiter
	return f
}

func dryRun() *intake.Submission { return submission(fields{"dry_run": lead.Bool(true)}) }

func invalidSubmission() *intake.Submission { return submission(fields{"zip_code": lead.Quoted("x")}) }

func TestLeadsAreLimitedPerAddress(t *testing.T) {
	f := newLimitedFixture(t)
	f.submit(t, submission(nil))
	f.submit(t, plumbing(nil))
	refusal := f.refused(t, submission(nil), lead.RateLimited)
	if refusal.Retry <= 0 || refusal.Quota == nil || refusal.Quota.Name != "leads" || refusal.Quota.Limit != 1 {
		t.Errorf("got %+v, want a time to come back and the limit that was reached", refusal)
	}
	f.mustKeep(t, 2)

	t.Run("what keeps nothing has an allowance of its own", func(t *testing.T) {
		f.submit(t, dryRun())
		f.refused(t, invalidSubmission(), lead.Invalid)
	})
	t.Run("another address has its own", func(t *testing.T) {
		sub := submission(nil)
		sub.Client = netip.MustParseAddr("192.0.2.2")
		f.submit(t, sub)
	})
}

func TestAttemptsAreLimitedPerAddress(t *testing.T) {
	f := newLimitedFixture(t)
	for range 10 {
		f.submit(t, dryRun())
		f.refused(t, invalidSubmission(), lead.Invalid)
	}
	for name, sub := range map[string]*intake.Submission{"a dry run": dryRun(), "a bad request": invalidSubmission()} {
		t.Run(name+" is refused", func(t *testing.T) {
			if refusal := f.refused(t, sub, lead.RateLimited); refusal.Quota.Name != "tries" {
				t.Errorf("the limit that was reached is %q", refusal.Quota.Name)
			}
		})
	}
	t.Run("a lead is still taken", func(t *testing.T) { f.submit(t, submission(nil)) })
}

func TestExemptNetworksAreNotLimited(t *testing.T) {
	f := newLimitedFixture(t, netip.PrefixFrom(client, 32))
	for range 5 {
		f.submit(t, submission(nil))
	}
}

// TestConsentTextsAreLimitedPerAddress checks that unknown hashes are limited like unknown ids. Known hashes and malformed
// ones cost nothing.
func TestConsentTextsAreLimitedPerAddress(t *testing.T) {
	f := newLimitedFixture(t) // five unknown hashes
	find := func(hash string, kind lead.Kind) {
		t.Helper()
		if text, err := f.ConsentText(t.Context(), client, hash); lead.KindOf(err) != kind || kind == "" && text.Text == "" {
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
	if _, err := f.ConsentText(t.Context(), netip.MustParseAddr("192.0.2.2"), known); err != nil {
		t.Errorf("another address: %v", err)
	}
	f.close()
	for range 20 { // an unavailable store costs nothing
		if _, err := f.ConsentText(t.Context(), netip.MustParseAddr("192.0.2.3"), strings.Repeat("1", 64)); lead.KindOf(err) != lead.Unavailable {
			t.Fatal(err)
		}
	}
}
