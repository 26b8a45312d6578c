package store

import (
	"context"
	"time"
)

// A chore is done in steps, so that nobody at a door waits long behind it, however much there is to do.
const (
	maxStepRows = 500                   // of one step, at most
	maxStepTime = 50 * time.Millisecond // after which a step ends, whatever is left of it

	minStepRows   = 10                     // of the first step, and never less
	targetStepTime      = 500 * time.Microsecond // what the rows of a step should take: an intake that waits behind them hardly notices
	minPause = 5 * time.Millisecond   // between two steps, at least
	maxPause  = 100 * time.Millisecond // and at most; always while the intake keeps the writer at work (docs/decisions/0032)
)

// boundedJob is work in transactions that grow or shrink with how long they take, with a rest after each.
type boundedJob struct {
	store *Store
	rows  int // of the next one
}

func (s *Store) newBoundedJob() *boundedJob { return &boundedJob{store: s, rows: minStepRows} }

// run does something to n things, which were found before: a step reads as little as it can. It may be done again to some of
// them, when a neighbour of the transaction failed.
func (x *boundedJob) run(ctx context.Context, n int, do func(h *dbTx, i int) error) error {
	for first := 0; first < n; {
		var began time.Time
		var worked time.Duration // without the commit, which the intake would have had to wait for anyway
		last := first
		err := x.store.updates.submit(ctx, work{background: true, do: func(h *dbTx) error {
			began, last = time.Now(), first
			defer func() { worked = time.Since(began) }()
			for ; last < min(n, first+x.rows) && (last == first || time.Since(began) < maxStepTime); last++ {
				if err := do(h, last); err != nil {
					return err
				}
			}
			return nil
		}})
		if err != nil {
			return err
		}
		took := time.Since(began)
		x.adapt(worked, took)
		first = last
		if err := x.pause(ctx, took); err != nil {
			return err
		}
	}
	return nil
}

// adapt has the next step be longer or shorter. Where statements are sent together, they take as long as the commit.
func (x *boundedJob) adapt(worked, took time.Duration) {
	switch {
	case worked > 2*targetStepTime, took > maxStepTime:
		x.rows = max(minStepRows, x.rows/2)
	case worked < targetStepTime && took < maxStepTime/5:
		x.rows = min(maxStepRows, 2*x.rows)
	}
}

// pause leaves the writer to others: for most of the time, and for nearly all of it while the intake keeps it at work.
func (x *boundedJob) pause(ctx context.Context, took time.Duration) error {
	rest := min(maxPause, max(minPause, 8*took))
	if x.store.Busy() {
		rest = maxPause
	}
	timer := time.NewTimer(rest)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
