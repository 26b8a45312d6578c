package commit

import (
	"context"
	"time"

	"foyer/internal/store/db"
)

// How a writer that is down recovers: it retries soon, then every second.
const (
	firstRetry    = 100 * time.Millisecond
	retryInterval = time.Second
)

// markDown counts this writer as down.
func (w *writer[W]) markDown() {
	if !w.down {
		w.down = true
		w.queue.down.Add(1)
	}
}

// recoverLoop retries until the database accepts writes again. Meanwhile, unless another writer of the queue works, Submit refuses new
// requests, and refuseFor those that were queued before, the ones in the background too: an operator may wait for one. When the disk is full, for example
// (ENOSPC, no space left on device, SQLITE_FULL), new leads get a 503 (http.StatusServiceUnavailable, in edge/errors.go) and are not kept,
// and the writer tries every second to write a small row, until there is space. After an error that leaves the state of the connections
// unknown, above all a failed fsync, it reopens them first.
func (w *writer[W]) recoverLoop(cause error, reopen bool) {
	if cause == nil {
		return
	}
	w.logDown(cause)
	began := time.Now()
	for wait := firstRetry; ; wait = retryInterval {
		if !w.refuseFor(wait) {
			return
		}
		err := w.retry(reopen)
		if err == nil {
			break
		}
		_, worse := w.Classify(err)
		reopen = reopen || worse
		w.logStillDown(err)
	}
	wasDown := w.queue.Down()
	w.down = false
	w.queue.down.Add(-1)
	w.logRecovered(wasDown, time.Since(began))
}

// refuseFor refuses the requests that wait, for a while, unless another writer works. It returns false if the queue is stopped.
func (w *writer[W]) refuseFor(wait time.Duration) bool {
	over := time.After(wait)
	for {
		requests, background, patient := w.queue.requests, w.queue.background, w.queue.patient
		if !w.queue.Down() {
			requests, background, patient = nil, nil, nil // left to a writer that works
		}
		var req *Request[W]
		select {
		case req = <-requests:
		case req = <-background:
		case req = <-patient:
		case <-over:
			return true
		case <-w.queue.stopped:
			return false
		}
		w.queue.requeueOrRefuse(req)
	}
}

// requeueOrRefuse puts a request back into the queue if another writer has recovered meanwhile, and refuses it otherwise. A patient
// request does not wait for company again.
func (q *Queue[W]) requeueOrRefuse(req *Request[W]) {
	to := q.requests
	if req.Kind.InBackground() {
		to = q.background
	}
	if !q.Down() {
		select {
		case to <- req:
			return
		default: // full
		}
	}
	if req.take() { // a patient request may be there twice
		refuse([]*Request[W]{req}, ErrDown)
	}
}

// retry opens a new connection if reopen is set, and proves with a write that the database accepts writes.
func (w *writer[W]) retry(reopen bool) error {
	if reopen {
		ctx, cancel := context.WithTimeout(context.Background(), db.CheckTimeout+time.Second)
		defer cancel()
		if err := w.Reopen(ctx); err != nil {
			return err
		}
	}
	return w.Probe()
}

// The log lines about a writer that is down say whether clients are affected. docs/operations.md explains each of them.

func (w *writer[W]) logDown(cause error) {
	if w.queue.Down() {
		w.queue.log.Error("the store refuses "+w.queue.name+" until the database recovers", "cause", db.OneLine(cause))
		return
	}
	w.queue.log.Warn("a writer of "+w.queue.name+" waits for the database; another goes on", "cause", db.OneLine(cause))
}

func (w *writer[W]) logStillDown(cause error) {
	if w.queue.Down() {
		w.queue.log.Warn("the store still refuses "+w.queue.name, "cause", db.OneLine(cause))
		return
	}
	w.queue.log.Warn("a writer of "+w.queue.name+" still waits for the database", "cause", db.OneLine(cause))
}

func (w *writer[W]) logRecovered(wasDown bool, after time.Duration) {
	took := after.Round(time.Millisecond).String()
	if wasDown {
		w.queue.log.Info("the store takes "+w.queue.name+" again", "after", took)
		return
	}
	w.queue.log.Info("a writer of "+w.queue.name+" is at work again", "after", took)
}
