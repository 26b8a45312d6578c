package store

import (
	"context"
	"errors"
	"time"
)

// How a writer that is down recovers: it retries soon, then every second.
const (
	firstRetry    = 100 * time.Millisecond
	retryInterval = time.Second
)

// markDown counts this writer as down.
func (w *writer) markDown() {
	if !w.down {
		w.down = true
		w.queue.down.Add(1)
	}
}

// recoverLoop retries until the database accepts writes again. Meanwhile it refuses all requests, unless another writer of the
// queue works. After an error that leaves the state of the connections unknown, above all a failed fsync, it reopens them first.
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
	wasDown := w.queue.isDown()
	w.down = false
	w.queue.down.Add(-1)
	w.logRecovered(wasDown, time.Since(began))
}

// refuseFor refuses the requests in the queue for a while, unless another writer works. It returns false if the store is closed.
func (w *writer) refuseFor(wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		waiting := w.queue.requests
		if !w.queue.isDown() {
			waiting = nil // left to a writer that works
		}
		select {
		case req := <-waiting:
			w.queue.requeueOrRefuse(req)
		case <-timer.C:
			return true
		case <-w.store.stop:
			return false
		}
	}
}

// requeueOrRefuse puts a request back into the queue if another writer has recovered meanwhile, and refuses it otherwise.
func (q *queue) requeueOrRefuse(req *writeRequest) {
	if !q.isDown() {
		select {
		case q.requests <- req:
			return
		default: // full
		}
	}
	refuse([]*writeRequest{req}, errDown)
}

// reopen opens new connections if reopen is set, and proves with a write that the database accepts writes.
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

// Ping returns an error if the store does not answer reads or does not accept leads.
func (s *Store) Ping(ctx context.Context) error {
	if s.saves.isDown() {
		return errUnavailable(errDown)
	}
	var leads int
	pool, ctx, done := s.useReadPool(ctx)
	defer done()
	return s.readError(pool, pool.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM leads LIMIT 1) AS one").Scan(&leads))
}

// The log lines about a writer that is down say whether clients are affected. docs/operations.md explains each of them.

func (w *writer) logDown(cause error) {
	if w.queue.isDown() {
		w.store.log.Error("the store refuses "+w.role.String()+" until the database recovers", "cause", oneLine(cause))
		return
	}
	w.store.log.Warn("a writer of "+w.role.String()+" waits for the database; another goes on", "cause", oneLine(cause))
}

func (w *writer) logStillDown(cause error) {
	if w.queue.isDown() {
		w.store.log.Warn("the store still refuses "+w.role.String(), "cause", oneLine(cause))
		return
	}
	w.store.log.Warn("a writer of "+w.role.String()+" still waits for the database", "cause", oneLine(cause))
}

func (w *writer) logRecovered(wasDown bool, after time.Duration) {
	took := after.Round(time.Millisecond).String()
	if wasDown {
		w.store.log.Info("the store takes "+w.role.String()+" again", "after", took)
		return
	}
	w.store.log.Info("a writer of "+w.role.String()+" is at work again", "after", took)
}
