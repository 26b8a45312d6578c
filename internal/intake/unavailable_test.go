package intake_test

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"testing"

	"foyer/internal/lead"
	"foyer/internal/limit"
)

func TestSubmitUnavailable(t *testing.T) {
	f := newFixture(t)
	f.close()
	t.Run("the message says that nothing was accepted", func(t *testing.T) {
		refusal := f.refused(t, submission(nil), lead.Unavailable)
		if !strings.Contains(refusal.Message, "nothing was accepted") || refusal.Retry <= 0 || refusal.Cause == nil {
			t.Errorf("got %+v, want the words, a time to come back and a cause for the log", refusal)
		}
	})
	t.Run("who needs a plumber gets the number all the same", func(t *testing.T) {
		refusal := f.refused(t, plumbing(nil), lead.Unavailable)
		if !strings.Contains(refusal.Message, brand.NumberDisplay()) {
			t.Errorf("the message has no number: %s", refusal.Message)
		}
	})
	t.Run("also if its charge cannot be given back", func(t *testing.T) {
		f.Limiter = brokenRefund{}
		defer func() { f.Limiter = limit.Off{} }()
		f.refused(t, submission(nil), lead.Unavailable)
	})
	t.Run("a dry run needs no store", func(t *testing.T) {
		f.submit(t, submission(fields{"dry_run": lead.Bool(true)}))
	})
}

// brokenRefund gives nothing back.
type brokenRefund struct{}

func (brokenRefund) Take(_ context.Context, _ netip.Addr, _ lead.Bucket, n int) (lead.Allowance, error) {
	if n < 0 {
		return lead.Allowance{}, errors.New("the counts cannot be reached")
	}
	return lead.Allowance{Granted: true}, nil
}

func TestCanceledRequestIsNotSaved(t *testing.T) {
	f := newFixture(t)
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := f.Submit(gone, submission(nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	f.mustKeep(t, 0)
}
