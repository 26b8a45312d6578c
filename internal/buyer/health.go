package buyer

import "time"

// Health says how a buyer is doing: when it was last asked, its circuit breaker, and when to scan the leads held for it again.
// It is stored, because the breaker must survive a restart.
type Health struct {
	Asked     time.Time // when it was last asked
	Failures  int       // consecutive failed attempts
	Opened    int       // how often the breaker opened since the last success
	OpenUntil time.Time // until when the breaker is open; zero means closed
	WakeAt    time.Time // when to scan the held leads again; zero means that no scan is scheduled
	// ScanUntil is when the lease of a running scan of the held leads ends and another process takes the scan over; zero
	// means no scan. It is separate from WakeAt, so that a wake-up scheduled during the scan is not lost.
	ScanUntil  time.Time
	QuietUntil time.Time // until when it wants no new offers (429 with Retry-After); zero means it did not ask
}

const (
	maxFailures = 5 // consecutive failures that open the breaker
	minOpen     = 30 * time.Second
	maxOpen     = 15 * time.Minute
)

// MayBeAsked reports whether the breaker lets a buyer be asked: it is closed, or it is time to probe. Candidate.Room looks at QuietUntil.
func (h Health) MayBeAsked(now time.Time) bool { return !now.Before(h.OpenUntil) }

// Down reports whether the breaker is open or half-open: the buyer failed several times in a row, by not answering or with an answer such
// as 500, and has not succeeded since.
func (h Health) Down() bool { return !h.OpenUntil.IsZero() }

// Probing reports whether the breaker is half-open: its pause is over, and the next lead is a probe.
func (h Health) Probing(now time.Time) bool { return h.Down() && h.MayBeAsked(now) }

// Ask records that a buyer is being asked. A probe keeps the breaker open until its outcome is known.
func (h Health) Ask(now time.Time) Health {
	if h.Probing(now) {
		h.OpenUntil, h.Failures = now.Add(Lease), maxFailures-1
	}
	return h
}

// Fail records a failed attempt. maxFailures of them in a row open the breaker, for longer each time. Messages that were in
// flight when it opened, and fail too, do not open it again.
func (h Health) Fail(now time.Time) Health {
	h.Failures++
	if h.Failures == maxFailures {
		h.OpenUntil = now.Add(min(minOpen<<min(h.Opened, 10), maxOpen))
		h.Opened++
		h = h.Wake(h.OpenUntil)
	}
	return h
}

// Quiet sends a rate-limited buyer no new offers until the time that it asked for with 429 (Too Many Requests) and Retry-After, and
// schedules a scan of the held leads for then.
func (h Health) Quiet(until time.Time) Health {
	if until.After(h.QuietUntil) {
		h.QuietUntil = until
		h = h.Wake(until)
	}
	return h
}

// Wake schedules a scan of the held leads, unless an earlier one is scheduled.
func (h Health) Wake(at time.Time) Health {
	if h.WakeAt.IsZero() || at.Before(h.WakeAt) {
		h.WakeAt = at
	}
	return h
}

// Forget forgets the failures of a buyer, and the rest that it asked for: it has a new address, or an operator starts it again.
func (h Health) Forget() Health {
	h.Failures, h.Opened, h.OpenUntil, h.QuietUntil = 0, 0, time.Time{}, time.Time{}
	return h
}

// Succeed records a success and closes the breaker. If the breaker was open, it schedules a scan of the held leads.
func (h Health) Succeed(now time.Time) Health {
	if h.Down() {
		h = h.Wake(now)
	}
	h.Failures, h.Opened, h.OpenUntil = 0, 0, time.Time{}
	return h
}
