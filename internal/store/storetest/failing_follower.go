package storetest

import (
	"context"
	"errors"
	"time"

	"foyer/internal/store/db"
	"foyer/internal/store/follow"
)

var (
	errFollowerFailed = errors.New("the process of the job failed")
	errRolledBack     = errors.New("the transaction was rolled back")
)

// How a job fails.
const (
	inTx     = iota // in a transaction
	stopped         // because it is told to stop between two
	afterTx         // after a transaction
	ranAgain        // after a transaction that was rolled back and ran again, as when another request of its group failed
	failures
)

// failWhileCounting has a process count leads that fails at random. What it knew is lost with it.
func (w *countWorld) failWhileCounting(zone *time.Location) {
	w.t.Helper()
	w.failAfter(w.rng.IntN(9), w.rng.IntN(failures), zone)
}

// failAfter has a process count leads that fails after some transactions.
func (w *countWorld) failAfter(transactions, how int, zone *time.Location) {
	w.t.Helper()
	ctx, stop := context.WithCancel(w.t.Context())
	defer stop()
	f := &failingFollower{follower: w.store.NewCounter(zone), left: transactions, how: how, stop: stop}
	job := Job(w.t, w.store)
	for range 10 { // on a server, it may have to wait for transactions of other tests before it can count anything
		if _, err := job.Follow(ctx, f); ctx.Err() != nil || errors.Is(err, errFollowerFailed) {
			return
		} else if err != nil {
			w.t.Fatal(err)
		}
	}
}

// failingFollower is a follower whose job fails once.
type failingFollower struct {
	follower
	left int // transactions before the one that fails
	how  int
	stop context.CancelFunc
}

func (f *failingFollower) Run(ctx context.Context, job follow.Job) (int64, error) {
	return f.follower.Run(ctx, failingJob{job, f})
}

type failingJob struct {
	follow.Job
	*failingFollower
}

// beforeCommit fails a transaction before it is committed, or has the job stop with it.
func (j failingJob) beforeCommit() error {
	switch {
	case j.left == 0 && j.how == inTx:
		return errFollowerFailed
	case j.left == 0 && j.how == stopped:
		j.stop()
	case j.left == 0 && j.how == ranAgain:
		return errRolledBack
	}
	return nil
}

// run runs a transaction, again if it was rolled back, and fails after it was committed.
func (j failingJob) run(tx func() error) error {
	err := tx()
	if errors.Is(err, errRolledBack) {
		j.how = afterTx
		err = tx()
	}
	if j.left--; err == nil && j.left < 0 {
		return errFollowerFailed
	}
	return err
}

func (j failingJob) Update(ctx context.Context, do func(db.Conn) error) error {
	return j.run(func() error {
		return j.Job.Update(ctx, func(c db.Conn) error {
			if err := do(c); err != nil {
				return err
			}
			return j.beforeCommit()
		})
	})
}

func (j failingJob) Steps(ctx context.Context, n int, do func(c db.Conn, i int) error, after func(c db.Conn, first, last int) error) error {
	return j.run(func() error {
		return j.Job.Steps(ctx, n, do, func(c db.Conn, first, last int) error {
			if after != nil {
				if err := after(c, first, last); err != nil {
					return err
				}
			}
			return j.beforeCommit()
		})
	})
}
