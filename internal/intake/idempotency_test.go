package intake_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/intake"
	"foyer/internal/lead"
)

func submissionWithKey(key string, changes fields) *intake.Submission {
	return withKey(key, submission(changes))
}

func TestIdempotencyKey(t *testing.T) {
	for _, tc := range []struct {
		name   string
		again  *intake.Submission
		later  time.Duration
		same   bool // gets the first answer
		reused bool // refused: the key belongs to another request
	}{
		{name: "the same again", again: submissionWithKey("key", nil), same: true},
		{name: "the same just before the day is over", again: submissionWithKey("key", nil), later: lead.IdempotencyWindow - time.Microsecond, same: true},
		{name: "the same after a day", again: submissionWithKey("key", nil), later: lead.IdempotencyWindow},
		{name: "the same, written in another way", again: submissionWithKey("key", fields{"customer_phone": lead.Quoted("+1 305 555 0123"), "frequency": lead.Quoted("one_time")}), same: true},
		{name: "another request", again: submissionWithKey("key", fields{"zip_code": lead.Quoted("33140")}), reused: true},
		{name: "another request after a day", again: submissionWithKey("key", fields{"zip_code": lead.Quoted("33140")}), later: lead.IdempotencyWindow},
		{name: "another key", again: submissionWithKey("KEY", nil)},
		{name: "no key", again: submission(nil)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t)
			first := f.submit(t, submissionWithKey("key", nil))
			f.now = noon.Add(tc.later)
			if tc.reused {
				f.refused(t, tc.again, lead.KeyReused)
				f.mustKeep(t, 1)
				return
			}
			second := f.submit(t, tc.again)
			if !tc.same {
				if second.LeadID == first.LeadID {
					t.Error("want a lead of its own")
				}
				f.mustKeep(t, 2)
				return
			}
			if diff := cmp.Diff(first, second); diff != "" {
				t.Errorf("the answers differ (-first +second):\n%s", diff)
			}
			f.mustKeep(t, 1)
		})
	}
}

func TestPlumbingReplay(t *testing.T) {
	f := newFixture(t)
	if diff := cmp.Diff(f.submit(t, withKey("key", plumbing(nil))), f.submit(t, withKey("key", plumbing(nil)))); diff != "" {
		t.Errorf("the answers differ:\n%s", diff)
	}
	f.mustKeep(t, 1)
}

// TestOnlySavedLeadsUseTheKey checks that only the answer to a saved lead is stored.
func TestOnlySavedLeadsUseTheKey(t *testing.T) {
	for name, before := range map[string]func(*testing.T, *fixture){
		"a dry run": func(t *testing.T, f *fixture) {
			f.submit(t, submissionWithKey("key", fields{"dry_run": lead.Bool(true)}))
		},
		"a refused request": func(t *testing.T, f *fixture) {
			f.refused(t, submissionWithKey("key", fields{"consent_to_contact": lead.Bool(false)}), lead.Invalid)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			before(t, f)
			if got := f.submit(t, submissionWithKey("key", nil)); got.Status != lead.Collected || got.DryRun {
				t.Errorf("got %+v", got)
			}
			f.mustKeep(t, 1)
		})
	}
}

func TestConcurrentDuplicatesAreOneLead(t *testing.T) {
	f := newFixture(t)
	const twins = 32
	var all sync.WaitGroup
	receipts := make([]lead.Receipt, twins)
	for i := range twins {
		all.Go(func() {
			var err error
			if receipts[i], err = f.Submit(t.Context(), submissionWithKey("key", nil)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for i := range receipts {
		if diff := cmp.Diff(receipts[0], receipts[i]); diff != "" {
			t.Fatalf("twin %d got another answer:\n%s", i, diff)
		}
	}
	f.mustKeep(t, 1)
	if kept := f.kept(t)[0]; kept.ID != receipts[0].LeadID {
		t.Errorf("%s is kept, but every answer has %s", kept.ID, receipts[0].LeadID)
	}
}
