package forward_test

import (
	"strings"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/store"
	"foyer/internal/webhook"
)

// A scan that was taken over does not end the scan of the process that took it over.
func TestOldScanDoesNotEndTheNewOne(t *testing.T) {
	fx := newFixture(t)
	fx.add("a")
	fx.update(func(tx *store.Tx) error { return tx.PutHealth("a", buyer.Health{WakeAt: fx.now}) })
	other := fx.process("proc_2")
	end, err := fx.f.BeginScan(t.Context(), "a")
	if end == nil || err != nil {
		t.Fatal(err)
	}
	fx.advance(20 * time.Second) // the process hangs
	if end, err := other.BeginScan(t.Context(), "a"); end == nil || err != nil {
		t.Fatal(err)
	}
	if err := end(); err != nil {
		t.Fatal(err)
	}
	fx.advance(20 * time.Second) // the other process died
	ids, err := fx.st.BuyersToWake(t.Context(), fx.now)
	if err != nil || len(ids) != 1 {
		t.Errorf("no process takes over the scan of the one that died: %v, %v", ids, err)
	}
}

// A repeat is no longer withheld if the operator releases the other lead and no buyer covers that one.
func TestRepeatOfReleasedLeadThatIsHeld(t *testing.T) {
	fx := newFixture(t)
	fx.add("a")
	fx.submit("lead_1")
	fx.submit("lead_2")
	fx.answer = func(msg webhook.Message) webhook.Outcome {
		if strings.Contains(string(msg.Body), forward.LeadOffered) {
			return accepting(msg)
		}
		return answered(410, "")
	}
	fx.work()
	fx.wantLead("lead_1", lead.Errored)
	fx.wantLead("lead_2", lead.Collected, lead.Duplicate)
	d := &operator.Operator{Store: fx.st, Now: func() time.Time { return fx.now }, Suppressed: fx.st.Suppressed}
	if _, err := d.Release(t.Context(), ada, "lead_1"); err != nil {
		t.Fatal(err)
	}
	fx.wantLead("lead_1", lead.Collected, lead.Released)
	fx.advance(time.Minute)
	fx.work()
	fx.update(func(tx *store.Tx) error {
		mark, err := tx.Withheld(2)
		if mark != "" {
			t.Errorf("lead_2 is kept off the market as %s, and nothing like it is there", mark)
		}
		return err
	})
}

// A held lead that a scan failed to release is scanned again.
func TestFailedScanIsRetried(t *testing.T) {
	fx := newFixture(t)
	fx.submit("lead_1", func(l *lead.Lead) { l.Status = lead.Collected })
	fx.add("a")
	fx.advance(time.Minute)
	fx.update(func(tx *store.Tx) error { return tx.PutHealth("a", buyer.Health{WakeAt: fx.now}) })
	commits := 0
	fx.f.Store = testStore{fx.st, func() error {
		if commits++; commits == 2 { // the first commit begins the scan, the second releases the lead
			return errCommitFailed
		}
		return nil
	}}
	for range 30 {
		fx.work()
		fx.advance(24 * time.Hour)
	}
	fx.wantLead("lead_1", lead.Forwarded)
}

// A message interrupted by a kill is in the history, whatever happened to its lead meanwhile.
func TestInterruptedMessageOfSuppressedNumber(t *testing.T) {
	fx := newFixture(t)
	fx.add("a")
	fx.submit("lead_1")
	fx.f.Suppressed = fx.st.Suppressed
	if tasks := fx.claim(); len(tasks) != 1 {
		t.Fatal(tasks)
	}
	fx.f = fx.process("proc_2") // the first process was killed
	fx.f.Suppressed = func(string) bool { return true }
	fx.advance(time.Hour)
	fx.claim()
	fx.wantLead("lead_1", lead.Rejected)
	var n int
	if err := fx.raw().QueryRow(`SELECT count(*) FROM attempts WHERE decision = 'unknown' AND url = 'https://a.example.com/leads'`).Scan(&n); err != nil || n != 1 {
		t.Errorf("the history tells of %d messages with an unknown outcome (%v), want 1", n, err)
	}
}
