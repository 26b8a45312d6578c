package intake_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"foyer/internal/lead"
)

func TestAStoreThatCannotTakeALead(t *testing.T) {
	d := newDesk(t)
	d.close()
	t.Run("the person is told that nothing was accepted", func(t *testing.T) {
		refusal := d.refused(t, order(nil), lead.Unavailable)
		if !strings.Contains(refusal.Message, "nothing was accepted") || refusal.Retry <= 0 || refusal.Cause == nil {
			t.Errorf("got %+v, want the words, a time to come back and a cause for the log", refusal)
		}
	})
	t.Run("who needs a plumber gets the number all the same", func(t *testing.T) {
		refusal := d.refused(t, plumbing(nil), lead.Unavailable)
		if !strings.Contains(refusal.Message, brand.NumberDisplay()) {
			t.Errorf("the message has no number: %s", refusal.Message)
		}
	})
	t.Run("a dry run needs no store", func(t *testing.T) {
		d.submit(t, order(fields{"dry_run": lead.Bool(true)}))
	})
}

func TestAClientThatLeftIsNotKept(t *testing.T) {
	d := newDesk(t)
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := d.Submit(gone, order(nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	d.mustKeep(t, 0)
}
