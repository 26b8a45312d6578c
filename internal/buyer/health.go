package buyer

import "time"

// Health is how things go with a buyer: when it had its turn, whether it answers, and when to look again at the
// leads that are held for it. It is kept, because a restart must not forget that somebody does not answer.
type Health struct {
	Asked     time.Time // when it had its turn last
	Failures  int       // attempts that failed, in a row
	Opened    int       // how often the breaker opened since the last success
	OpenUntil time.Time // until when the breaker keeps leads away; zero where it is closed
	WakeAt    time.Time // when to look again at what is held; zero where nothing waits
	// ScanUntil is how long a process may still look through what is held before another takes that over; zero where none
	// does. It is apart from WakeAt, so that an alarm asked for meanwhile stays.
	ScanUntil  time.Time
	QuietUntil time.Time // until when it asked to be left alone; zero where it did not
}

const (
	maxFailures = 5 // failures in a row that open the breaker
	minOpen     = 30 * time.Second
	maxOpen     = 15 * time.Minute
)

// Answers says whether a buyer may be sent something: the breaker is closed, or it is time to probe.
func (s Health) Answers(now time.Time) bool { return !now.Before(s.OpenUntil) }

// Probing says that the breaker was open and its pause is over: the next lead is a probe.
func (s Health) Probing(now time.Time) bool { return !s.OpenUntil.IsZero() && s.Answers(now) }

// Ask notes that a buyer is being asked. A probe keeps others away until its outcome is known.
func (s Health) Ask(now time.Time) Health {
	if s.Probing(now) {
		s.OpenUntil, s.Failures = now.Add(Lease), maxFailures-1
	}
	return s
}

// Fail notes a failed attempt. Enough of them in a row open the breaker, for longer each time. What was under way when it
// opened, and fails too, does not count again.
func (s Health) Fail(now time.Time) Health {
	s.Failures++
	if s.Failures == maxFailures {
		s.OpenUntil = now.Add(min(minOpen<<min(s.Opened, 10), maxOpen))
		s.Opened++
		s = s.Wake(s.OpenUntil)
	}
	return s
}

// Quiet keeps new leads away for as long as the buyer asked for, and looks again then.
func (s Health) Quiet(until time.Time) Health {
	if until.After(s.QuietUntil) {
		s.QuietUntil = until
		s = s.Wake(until)
	}
	return s
}

// Wake sets the alarm, unless it rings earlier anyway.
func (s Health) Wake(at time.Time) Health {
	if s.WakeAt.IsZero() || at.Before(s.WakeAt) {
		s.WakeAt = at
	}
	return s
}

// Succeed notes an answer. Where the breaker was open, what is held is worth a look.
func (s Health) Succeed(now time.Time) Health {
	if !s.OpenUntil.IsZero() {
		s = s.Wake(now)
	}
	s.Failures, s.Opened, s.OpenUntil = 0, 0, time.Time{}
	return s
}
