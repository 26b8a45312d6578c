package commit

import (
	"cmp"
	"context"
	"time"
)

// A long job runs in steps, one transaction each, so that no client waits long for it, however many rows it has.
const (
	MaxStepRows = 500                   // of one step
	maxStepTime = 50 * time.Millisecond // after which a step ends, even if rows are left

	minStepRows    = 10                     // of the first step, and the minimum
	targetStepTime = 500 * time.Microsecond // for the rows of a step: short enough that a lead that waits for it hardly notices
	targetLogTime  = time.Millisecond       // for the checkpoint after it: a commit meanwhile waits for the same disk
	minPause       = 5 * time.Millisecond   // between two steps
	maxPause       = 100 * time.Millisecond // between two steps, and the pause while the store is busy (docs/decisions/0032)
)

// Steps runs a long job. After each step it moves what the step wrote from the engine's log to its place, while other requests go on,
// and pauses. It adapts the size of the steps to how long both take.
type Steps[T any] struct {
	Update     func(ctx context.Context, do func(tx T) error) error // runs do in a transaction, again if another request in its group fails
	Busy       func() bool                                          // whether clients keep the writer busy
	Checkpoint func(ctx context.Context) error                      // moves the log of the engine
	BusyPause  time.Duration                                        // pause while the store is busy; maxPause if it is 0

	rows int // of the next step
}

// Run calls do for each i below n. The caller has read the rows before, so that a step reads as little as possible. after, if it is
// not nil, ends the transaction of the rows from first up to last. Both may be called again for the rows of a step.
func (j *Steps[T]) Run(ctx context.Context, n int, do func(tx T, i int) error, after func(tx T, first, last int) error) error {
	j.rows = max(j.rows, minStepRows)
	for first := 0; first < n; {
		var began time.Time
		var worked time.Duration // without the commit, which waiting leads need anyway
		last := first
		err := j.Update(ctx, func(tx T) error {
			began, last = time.Now(), first
			defer func() { worked = time.Since(began) }()
			for ; last < min(n, first+j.rows) && (last == first || time.Since(began) < maxStepTime); last++ {
				if err := do(tx, last); err != nil {
					return err
				}
			}
			if after != nil {
				return after(tx, first, last)
			}
			return nil
		})
		if err != nil {
			return err
		}
		took := time.Since(began)
		if err := j.Checkpoint(ctx); err != nil {
			return err
		}
		checkpoint := time.Since(began) - took
		j.adapt(worked, took, checkpoint)
		first = last
		if err := j.pause(ctx, 8*took+3*checkpoint); err != nil {
			return err
		}
	}
	return nil
}

// adapt makes the next step longer or shorter. If an engine sends statements in a batch, their time is part of the commit, so
// adapt looks at both.
func (j *Steps[T]) adapt(worked, took, checkpoint time.Duration) {
	switch {
	case worked > 2*targetStepTime, took > maxStepTime, checkpoint > 2*targetLogTime:
		j.rows = max(minStepRows, j.rows/2)
	case worked < targetStepTime && took < maxStepTime/5 && checkpoint < targetLogTime:
		j.rows = min(MaxStepRows, 2*j.rows)
	}
}

// pause leaves the writer to other requests: most of the time, and nearly all of it while the store is busy.
func (j *Steps[T]) pause(ctx context.Context, d time.Duration) error {
	d = min(maxPause, max(minPause, d))
	if j.Busy() {
		d = cmp.Or(j.BusyPause, maxPause)
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
