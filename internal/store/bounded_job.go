package store

import (
	"context"
	"time"
)

// A bounded job runs in steps, one transaction each, so that no client waits long for it, however many rows it has.
const (
	maxStepRows = 500                   // of one step
	maxStepTime = 50 * time.Millisecond // after which a step ends, even if rows are left

	minStepRows    = 10                     // of the first step, and the minimum
	targetStepTime = 500 * time.Microsecond // for the rows of a step: short enough that a lead that waits for it hardly notices
	minPause       = 5 * time.Millisecond   // between two steps
	maxPause       = 100 * time.Millisecond // between two steps, and the pause while the store is busy (docs/decisions/0032)

	checkpointRows    = 500         // after which the job moves the log itself: fewer pages than make a commit of SQLite do it
	checkpointRest    = 100         // times as long as a checkpoint takes, the job rests: then fewer than one lead in a hundred meets one
	maxCheckpointRest = time.Second // on a slow disk, so that the job still comes to an end
)

// boundedJob adapts the size of its steps to how long they take, and pauses after each.
type boundedJob struct {
	store     *Store
	rows      int                                 // of the next step
	logged    int                                 // rows since the last checkpoint
	afterStep func(tx *Tx, first, last int) error // if set, ends the transaction of the rows from first up to last
}

func (s *Store) newBoundedJob() *boundedJob { return &boundedJob{store: s, rows: minStepRows} }

// run calls do for each i below n. The caller has read the rows before, so that a step reads as little as possible. If another
// request in the group fails, run calls do again for the rows of that step.
func (j *boundedJob) run(ctx context.Context, n int, do func(tx *Tx, i int) error) error {
	for first := 0; first < n; {
		var began time.Time
		var worked time.Duration // without the commit, which waiting leads need anyway
		last := first
		err := j.store.Update(ctx, func(tx *Tx) error {
			began, last = time.Now(), first
			defer func() { worked = time.Since(began) }()
			for ; last < min(n, first+j.rows) && (last == first || time.Since(began) < maxStepTime); last++ {
				if err := do(tx, last); err != nil {
					return err
				}
			}
			if j.afterStep != nil {
				return j.afterStep(tx, first, last)
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
func (j *boundedJob) checkpoint(ctx context.Context) error {
	if j.logged < checkpointRows {
		return nil
	}
	j.logged = 0
	began := time.Now()
	if err := j.store.engine.Checkpoint(ctx); err != nil {
		return err
	}
	return sleep(ctx, min(maxCheckpointRest, checkpointRest*time.Since(began)))
}

// adapt makes the next step longer or shorter. If an engine sends statements in a batch, their time is part of the commit, so
// adapt looks at both.
func (j *boundedJob) adapt(worked, took time.Duration) {
	switch {
	case worked > 2*targetStepTime, took > maxStepTime:
		j.rows = max(minStepRows, j.rows/2)
	case worked < targetStepTime && took < maxStepTime/5:
		j.rows = min(maxStepRows, 2*j.rows)
	}
}

// pause leaves the writer to other requests: most of the time, and nearly all of it while the store is busy.
func (j *boundedJob) pause(ctx context.Context, took time.Duration) error {
	d := min(maxPause, max(minPause, 8*took))
	if j.store.Busy() {
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
