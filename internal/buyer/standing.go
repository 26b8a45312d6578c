package buyer

import "time"

// Standing is how things go with a buyer: when it had its turn, whether it answers, and when to look again at the
// leads that are held for it. It is kept, because a restart must not forget that somebody does not answer.
type Standing struct {
	Asked    time.Time // when it had its turn last
	Failures int       // attempts that failed, in a row
	Trips    int       // how often the breaker opened since the last success
	Shut     time.Time // until when the breaker keeps leads away; zero where it is closed
	WakeAt   time.Time // when to look again at what is held; zero where nothing waits
	// WalkUntil is how long a process may still look through what is held before another takes that over; zero where none
	// does. It is apart from WakeAt, so that an alarm asked for meanwhile stays.
	WalkUntil  time.Time
	QuietUntil time.Time // until when it asked to be left alone; zero where it did not
}

const (
	tooMany    = 5 // failures in a row that open the breaker
	firstPause = 30 * time.Second
	longest    = 15 * time.Minute
)

// Answers says whether a buyer may be sent something: the breaker is closed, or it is time to probe.
func (s Standing) Answers(now time.Time) bool { return !now.Before(s.Shut) }

// Probing says that the breaker was open and its pause is over: the next lead is a probe.
func (s Standing) Probing(now time.Time) bool { return !s.Shut.IsZero() && s.Answers(now) }

// Ask notes that a buyer is being asked. A probe keeps others away until its outcome is known.
func (s Standing) Ask(now time.Time) Standing {
	if s.Probing(now) {
		s.Shut, s.Failures = now.Add(Lease), tooMany-1
	}
	return s
}

// Fail notes a failed attempt. Enough of them in a row open the breaker, for longer each time. What was under way when it
// opened, and fails too, does not count again.
func (s Standing) Fail(now time.Time) Standing {
	s.Failures++
	if s.Failures == tooMany {
		s.Shut = now.Add(min(firstPause<<min(s.Trips, 10), longest))
		s.Trips++
		s = s.Wake(s.Shut)
	}
	return s
}

// Quiet keeps new leads away for as long as the buyer asked for, and looks again then.
func (s Standing) Quiet(until time.Time) Standing {
	if until.After(s.QuietUntil) {
		s.QuietUntil = until
		s = s.Wake(until)
	}
	return s
}

// Wake sets the alarm, unless it rings earlier anyway.
func (s Standing) Wake(at time.Time) Standing {
	if s.WakeAt.IsZero() || at.Before(s.WakeAt) {
		s.WakeAt = at
	}
	return s
}

// Succeed notes an answer. Where the breaker was open, what is held is worth a look.
func (s Standing) Succeed(now time.Time) Standing {
	if !s.Shut.IsZero() {
		s = s.Wake(now)
	}
	s.Failures, s.Trips, s.Shut = 0, 0, time.Time{}
	return s
}
