package store

import (
	"context"
	"errors"
	"time"
)

// How a sick store is cured: a first try soon, then one every second.
const (
	firstRetry   = 100 * time.Millisecond
	retryInterval = time.Second
)

// markDown counts this writer among those that take nothing.
func (w *writer) markDown() {
	if !w.down {
		w.down = true
		w.queue.down.Add(1)
	}
}

// recoverLoop waits until writes are taken again, and refuses everything where no other writer is well. After an error that
// leaves the connections in doubt, a failed fsync above all, they are closed and opened anew first.
func (w *writer) recoverLoop(cause error, reopen bool) {
	if cause == nil {
		return
	}
	w.logDown(cause)
	began := time.Now()
	for wait := firstRetry; ; wait = retryInterval {
		if !w.refuseFor(wait) {
			return
		}
		err := w.reopen(reopen)
		if err == nil {
			break
		}
		_, worse := w.store.engine.classify(err)
		reopen = reopen || worse
		w.logStillDown(err)
	}
	ailed := w.queue.isDown()
	w.down = false
	w.queue.down.Add(-1)
	w.logRecovered(ailed, time.Since(began))
}

// refuseFor answers the queue with refusals for a while, unless another writer can still work. It says false when the
// store is closed meanwhile.
func (w *writer) refuseFor(wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		waiting := w.queue.requests
		if !w.queue.isDown() {
			waiting = nil // left to a writer that is well
		}
		select {
		case j := <-waiting:
			w.queue.requeueOrRefuse(j)
		case <-timer.C:
			return true
		case <-w.store.stop:
			return false
		}
	}
}

// requeueOrRefuse gives a job back where another writer has become well since we began to wait for it, and refuses it otherwise.
func (q *queue) requeueOrRefuse(j *writeRequest) {
	if !q.isDown() {
		select {
		case q.requests <- j:
			return
		default: // full
		}
	}
	refuse([]*writeRequest{j}, errDown)
}

// reopen opens new connections where it must, and proves with a write that one is taken.
func (w *writer) reopen(reopen bool) error {
	if reopen {
		ctx, cancel := context.WithTimeout(context.Background(), reopenCheckTimeout+time.Second)
		defer cancel()
		if err := w.store.engine.reopen(ctx, w); err != nil {
			return err
		}
	}
	if err := w.checkNotMoved(); err != nil {
		return err
	}
	return w.probe()
}

// checkNotMoved refuses a database that was moved while this process could not reach it.
func (w *writer) checkNotMoved() (moved error) {
	_, err := w.tx.queryRow(moveQuery, nil, func(r row) { moved = errMoved(parseMove(r.text(0))) })
	return errors.Join(err, moved)
}

// Ping says whether the store answers and takes leads.
func (s *Store) Ping(ctx context.Context) error {
	if s.saves.isDown() {
		return errUnavailable(errDown)
	}
	var leads int
	e, ctx, done := s.useReadPool(ctx)
	defer done()
	return s.readError(e, e.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM leads LIMIT 1) AS one").Scan(&leads))
}
