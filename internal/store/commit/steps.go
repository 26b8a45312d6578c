package commit

import (
	"context"
	"time"
)

// A long job runs in steps, one transaction each, so that no client waits long for it, however many rows it has.
const (
	MaxStepRows = 500                   // of one step
	maxStepTime = 50 * time.Millisecond // after which a step ends, even if rows are left

	minStepRows    = 10                     // of the first step, and the minimum
	targetStepTime = 500 * time.Microsecond // for the rows of a step: short enough that a lead that waits for it hardly notices
	minPause       = 5 * time.Millisecond   // between two steps
	maxPause       = 100 * time.Millisecond // between two steps, and the pause while the store is busy (docs/decisions/0032)

	checkpointRows    = 500         // after which the job moves the log itself: fewer pages than make a commit of SQLite do it
	checkpointRest    = 100         // times as long as a checkpoint takes, the job rests: then fewer than one lead in a hundred meets one
	maxCheckpointRest = time.Second // on a slow disk, so that the job still comes to an end
)

// Steps runs a long job. It adapts the size of its steps to how long they take, and pauses after each.
type Steps[T any] struct {
	Update     func(ctx context.Context, do func(tx T) error) error // runs do in a transaction, again if another request in its group fails
	Busy       func() bool                                          // whether clients keep the writer busy
	Checkpoint func(ctx context.Context) error                      // moves the log of the engine

	rows   int // of the next step
	logged int // rows since the last checkpoint
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
		j.adapt(worked, took)
		j.logged += last - first
		first = last
		if err := j.pause(ctx, time.Since(began)); err != nil {
			return err
		}
		if err := j.checkpoint(ctx); err != nil {
			return err
		}
	}
	return nil
}

// checkpoint moves the log of the last steps, while other requests go on. A commit meanwhile is slow, because both write to the
// same disk, so the job rests long after it.
func (j *Steps[T]) checkpoint(ctx context.Context) error {
	if j.logged < checkpointRows {
		return nil
	}
	j.logged = 0
	began := time.Now()
	if err := j.Checkpoint(ctx); err != nil {
		return err
	}
	return sleep(ctx, min(maxCheckpointRest, checkpointRest*time.Since(began)))
}

// adapt makes the next step longer or shorter. If an engine sends statements in a batch, their time is part of the commit, so
// adapt looks at both.
func (j *Steps[T]) adapt(worked, took time.Duration) {
	switch {
	case worked > 2*targetStepTime, took > maxStepTime:
		j.rows = max(minStepRows, j.rows/2)
	case worked < targetStepTime && took < maxStepTime/5:
		j.rows = min(MaxStepRows, 2*j.rows)
	}
}

// pause leaves the writer to other requests: most of the time, and nearly all of it while the store is busy.
func (j *Steps[T]) pause(ctx context.Context, took time.Duration) error {
	d := min(maxPause, max(minPause, 8*took))
	if j.Busy() {
		d = maxPause
	}
	return sleep(ctx, d)
}

// sleep waits, unless the context ends before.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
