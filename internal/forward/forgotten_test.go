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
)

// A walk that was taken over does not end the walk of the process that took it over.
func TestAWalkThatWasTakenOverEndsNoOther(t *testing.T) {
	x := newTrade(t)
	x.add("a")
	x.turn(func(p *store.Tx) error { return p.PutHealth("a", buyer.Health{WakeAt: x.now}) })
	other := x.process("proc_2")
	if walking, err := x.f.Begin(t.Context(), "a"); !walking || err != nil {
		t.Fatal(walking, err)
	}
	x.pass(20 * time.Second) // it sleeps
	if walking, err := other.Begin(t.Context(), "a"); !walking || err != nil {
		t.Fatal(walking, err)
	}
	if err := x.f.Done(t.Context(), "a", time.Time{}); err != nil {
		t.Fatal(err)
	}
	x.pass(20 * time.Second) // the other one died
	ids, err := x.st.BuyersToWake(t.Context(), x.now)
	if err != nil || len(ids) != 1 {
		t.Errorf("nobody takes over the walk of the process that died: %v, %v", ids, err)
	}
}

// A twin follows where the operator releases the other one and nobody covers that.
func TestATwinFollowsAReleasedLeadThatIsHeld(t *testing.T) {
	x := newTrade(t)
	x.add("a")
	x.submit("lead_1")
	x.submit("lead_2")
	x.answer = func(l forward.Message) forward.Reply {
		if strings.Contains(string(l.Body), forward.LeadOffered) {
			return accepting(l)
		}
		return answered(410, "")
	}
	x.work()
	x.is("lead_1", lead.Errored)
	x.is("lead_2", lead.Collected, lead.Duplicate)
	d := &operator.Operator{Store: operatorStore{x.st}, Now: func() time.Time { return x.now }, Suppressed: x.st.Suppressed}
	if _, err := d.Release(t.Context(), "lead_1"); err != nil {
		t.Fatal(err)
	}
	x.is("lead_1", lead.Collected, lead.Released)
	x.pass(time.Minute)
	x.work()
	x.turn(func(p *store.Tx) error {
		mark, err := p.Withheld(2)
		if mark != "" {
			t.Errorf("lead_2 is kept off the market as %s, and nothing like it is there", mark)
		}
		return err
	})
}

// A held lead that could not be looked at once is looked at again.
func TestAHeldLeadIsLookedAtAgain(t *testing.T) {
	x := newTrade(t)
	x.submit("lead_1", func(l *lead.Lead) { l.Status = lead.Collected })
	x.add("a")
	x.pass(time.Minute)
	x.turn(func(p *store.Tx) error { return p.PutHealth("a", buyer.Health{WakeAt: x.now}) })
	turns := 0
	x.f.Store = testStore{x.st, func() error {
		if turns++; turns == 2 { // the walk begins, and then comes the lead
			return errStumbled
		}
		return nil
	}}
	for range 30 {
		x.work()
		x.pass(24 * time.Hour)
	}
	x.is("lead_1", lead.Forwarded)
}

// A message that was cut off by a kill is in the history, whatever became of its lead meanwhile.
func TestAMessageCutOffIsNotedThoughTheNumberIsSuppressed(t *testing.T) {
	x := newTrade(t)
	x.add("a")
	x.submit("lead_1")
	x.f.Suppressed = x.st.Suppressed
	if tasks := x.take(); len(tasks) != 1 {
		t.Fatal(tasks)
	}
	x.f = x.process("proc_2") // the first one was killed
	x.f.Suppressed = func(string) bool { return true }
	x.pass(time.Hour)
	x.take()
	x.is("lead_1", lead.Rejected)
	var n int
	if err := x.raw().QueryRow(`SELECT count(*) FROM attempts WHERE decision = 'unknown' AND url = 'https://a.example.com/leads'`).Scan(&n); err != nil || n != 1 {
		t.Errorf("the history tells of %d messages with an unknown outcome (%v), want 1", n, err)
	}
}
