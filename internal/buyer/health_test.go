package buyer_test

import (
	"testing"
	"time"

	"foyer/internal/buyer"
)

var noon = time.Date(2026, time.March, 10, 17, 0, 0, 0, time.UTC)

// fail records failed attempts a second apart, and returns the time of the last one.
func fail(h buyer.Health, times int, from time.Time) (buyer.Health, time.Time) {
	for range times {
		from = from.Add(time.Second)
		h = h.Fail(from)
	}
	return h, from
}

func TestBreakerOpensAtFiveInARow(t *testing.T) {
	s, last := fail(buyer.Health{}, 4, noon)
	if !s.MayBeAsked(last) || s.Probing(last) {
		t.Fatalf("open after four: %+v", s)
	}
	if s = s.Succeed(last); s.Failures != 0 {
		t.Fatalf("an answer does not begin the row anew: %+v", s)
	}
	s, last = fail(s, 4, last)
	if !s.MayBeAsked(last) {
		t.Fatalf("open after four and an answer: %+v", s)
	}
	s, last = fail(s, 1, last)
	if s.MayBeAsked(last) || s.MayBeAsked(last.Add(30*time.Second-1)) || !s.MayBeAsked(last.Add(30*time.Second)) {
		t.Errorf("not open for half a minute after five: %+v", s)
	}
	if !s.WakeAt.Equal(last.Add(30 * time.Second)) {
		t.Errorf("what is held is not looked at when it is time to probe: %v", s.WakeAt)
	}
}

// The breaker stays open longer each time, but never longer than 15 minutes.
func TestBreakerStaysOpenLonger(t *testing.T) {
	s, now := fail(buyer.Health{}, 5, noon)
	for i, want := range []time.Duration{30, 60, 120, 240, 480, 900, 900, 900, 900, 900, 900, 900, 900, 900} {
		if pause := s.OpenUntil.Sub(now); pause != want*time.Second {
			t.Fatalf("pause %d is %v, want %v", i+1, pause, want*time.Second)
		}
		now = s.OpenUntil
		s = s.Ask(now).Fail(now)
	}
	now = s.OpenUntil
	if s, now = fail(s.Ask(now).Succeed(now), 5, now); !s.OpenUntil.Equal(now.Add(30 * time.Second)) {
		t.Errorf("an answer does not begin the pauses anew: %+v", s)
	}
}

// After the pause, one lead is a probe: the others wait until its outcome is known, or until its lease ends.
func TestBreakerProbesWithOne(t *testing.T) {
	s, _ := fail(buyer.Health{}, 5, noon)
	now := s.OpenUntil
	if !s.Probing(now) {
		t.Fatalf("no probe is due: %+v", s)
	}
	p := newCandidate(func(*buyer.Terms) {})
	if room, _, err := p.Room(buyer.Facts{Health: s}, now, 10); err != nil || room.Leads != 1 {
		t.Errorf("there is room for %d, %v", room.Leads, err)
	}
	asked := s.Ask(now)
	for _, later := range []time.Duration{0, time.Second, buyer.Lease - 1} {
		if _, x, err := p.Room(buyer.Facts{Health: asked}, now.Add(later), 1); err != nil || x.Rule != buyer.RuleBreaker || !x.Until.Equal(now.Add(buyer.Lease)) {
			t.Errorf("%v after the probe: %+v, %v", later, x, err)
		}
	}
	if !asked.Probing(now.Add(buyer.Lease)) {
		t.Error("a probe whose sender died is the last")
	}
	now = now.Add(time.Second)
	if failed := asked.Fail(now); !failed.OpenUntil.Equal(now.Add(time.Minute)) {
		t.Errorf("after a probe that failed: %+v", failed)
	}
	answered := asked.Succeed(now)
	if answered.Probing(now) || !answered.MayBeAsked(now) || answered.WakeAt.IsZero() || answered.WakeAt.After(now) {
		t.Errorf("after a probe that was answered: %+v", answered)
	}
	if answered, now = fail(answered, 4, now); !answered.MayBeAsked(now) {
		t.Errorf("a single failure after a probe opens it again: %+v", answered)
	}
}

// Up to eight messages to a buyer are in flight. If it goes down, all of them fail: that opens the breaker once, not twice.
func TestBreakerCountsConcurrentFailuresOnce(t *testing.T) {
	s, last := fail(buyer.Health{}, 5, noon)
	shut := s.OpenUntil
	if s, _ = fail(s, 8, last); !s.OpenUntil.Equal(shut) || s.Opened != 1 {
		t.Errorf("it is left alone until %v instead of %v, for the time number %d", s.OpenUntil, shut, s.Opened)
	}
	if s = s.Ask(shut); s.Fail(shut).Opened != 2 {
		t.Errorf("a probe that fails after all of that does not count: %+v", s)
	}
}

// Ask does not change a closed breaker.
func TestAskWithClosedBreaker(t *testing.T) {
	s, last := fail(buyer.Health{}, 4, noon)
	if asked := s.Ask(last); asked.Failures != 4 || !asked.OpenUntil.IsZero() || asked.WakeAt != s.WakeAt {
		t.Errorf("%+v became %+v", s, asked)
	}
	if ok := s.Succeed(last); !ok.WakeAt.IsZero() {
		t.Errorf("what is held is looked at for no reason: %+v", ok)
	}
}
