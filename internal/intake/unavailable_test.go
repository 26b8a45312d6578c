package intake_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"foyer/internal/lead"
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
	t.Run("a dry run needs no store", func(t *testing.T) {
		f.submit(t, submission(fields{"dry_run": lead.Bool(true)}))
	})
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
