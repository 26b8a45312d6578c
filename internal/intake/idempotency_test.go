package intake_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/intake"
	"foyer/internal/lead"
)

func keyed(key string, changes fields) *intake.Submission { return withKey(key, order(changes)) }

func TestAKeyAndItsRequest(t *testing.T) {
	for _, tc := range []struct {
		name   string
		again  *intake.Submission
		later  time.Duration
		same   bool // the first answer again
		reused bool // refused: the key belongs to another request
	}{
		{name: "the same again", again: keyed("key", nil), same: true},
		{name: "the same just before the day is over", again: keyed("key", nil), later: lead.IdempotencyWindow - time.Microsecond, same: true},
		{name: "the same after a day", again: keyed("key", nil), later: lead.IdempotencyWindow},
		{name: "the same, written in another way", again: keyed("key", fields{"customer_phone": lead.Quoted("+1 305 555 0123"), "frequency": lead.Quoted("one_time")}), same: true},
		{name: "another request", again: keyed("key", fields{"zip_code": lead.Quoted("33140")}), reused: true},
		{name: "another request after a day", again: keyed("key", fields{"zip_code": lead.Quoted("33140")}), later: lead.IdempotencyWindow},
		{name: "another key", again: keyed("KEY", nil)},
		{name: "no key", again: order(nil)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newDesk(t)
			first := d.submit(t, keyed("key", nil))
			d.now = noon.Add(tc.later)
			if tc.reused {
				d.refused(t, tc.again, lead.KeyReused)
				d.mustKeep(t, 1)
				return
			}
			second := d.submit(t, tc.again)
			if !tc.same {
				if second.LeadID == first.LeadID {
					t.Error("want a lead of its own")
				}
				d.mustKeep(t, 2)
				return
			}
			if diff := cmp.Diff(first, second); diff != "" {
				t.Errorf("the answers differ (-first +second):\n%s", diff)
			}
			d.mustKeep(t, 1)
		})
	}
}

func TestThePlumbersNumberComesAgainWithItsKey(t *testing.T) {
	d := newDesk(t)
	if diff := cmp.Diff(d.submit(t, withKey("key", plumbing(nil))), d.submit(t, withKey("key", plumbing(nil)))); diff != "" {
		t.Errorf("the answers differ:\n%s", diff)
	}
	d.mustKeep(t, 1)
}

// Only an answer to a kept lead is remembered.
func TestWhatWasNotKeptLeavesItsKeyFree(t *testing.T) {
	for name, before := range map[string]func(*testing.T, *desk){
		"a dry run": func(t *testing.T, d *desk) { d.submit(t, keyed("key", fields{"dry_run": lead.Bool(true)})) },
		"a refused request": func(t *testing.T, d *desk) {
			d.refused(t, keyed("key", fields{"consent_to_contact": lead.Bool(false)}), lead.Invalid)
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			before(t, d)
			if got := d.submit(t, keyed("key", nil)); got.Status != lead.Collected || got.DryRun {
				t.Errorf("got %+v", got)
			}
			d.mustKeep(t, 1)
		})
	}
}

func TestTwinsInParallelAreOneLead(t *testing.T) {
	d := newDesk(t)
	const twins = 32
	var all sync.WaitGroup
	receipts := make([]lead.Receipt, twins)
	for i := range twins {
		all.Go(func() {
			var err error
			if receipts[i], err = d.Submit(t.Context(), keyed("key", nil)); err != nil {
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
	d.mustKeep(t, 1)
	if kept := d.kept(t)[0]; kept.ID != receipts[0].LeadID {
		t.Errorf("%s is kept, but all were told %s", kept.ID, receipts[0].LeadID)
	}
}
