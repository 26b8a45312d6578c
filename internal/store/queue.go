package store

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

const (
	maxQueue = 8192 // requests that may wait; beyond that, a request is refused immediately
	maxGroup = 512  // requests in one commit, at most
)

// queue holds the requests that wait for the writers of one role, and the state of these writers.
type queue struct {
	store       *Store
	requests    chan *writeRequest
	commitToken chan struct{} // the writer that holds it receives the requests
	writers     int32
	down        atomic.Int32 // writers whose connection failed and did not recover yet
	load        atomic.Int64 // share of a writer's time that the intake uses, in thousandths
	lastWorked  atomic.Int64 // when a writer last committed, in Unix nanoseconds
}

// acquireCommit waits for the commit token. It returns false if the store is closed.
func (q *queue) acquireCommit() bool {
	select {
	case <-q.commitToken:
		return true
	case <-q.store.stop:
		return false
	}
}

func (q *queue) releaseCommit() { q.commitToken <- struct{}{} }

// work is what a request asks a writer to do.
type work struct {
	do         func(*dbTx) error
	save       *save  // a lead to save, if that is all: one statement saves many
	count      *count // a count to add, if that is all
	background bool   // no client waits for it
	urgent     bool   // a client waits for it, in a queue of work that may take longer than a client can wait
}

// writeRequest is work in a queue, and its result.
type writeRequest struct {
	ctx context.Context
	work
	queuedAt    time.Time   // for the limit on how long it may wait
	claimed     atomic.Bool // by a writer, or by its caller, who stops waiting
	err         error
	truncateLog bool          // it erased a person, so the engine's log may still contain their data
	done        chan struct{} // receives once, when err is set
}

// claim gives the request to the caller of claim: a writer, or the goroutine that submitted it. Only the first claim succeeds.
func (req *writeRequest) claim() bool { return req.claimed.CompareAndSwap(false, true) }

var writeRequests = sync.Pool{New: func() any { return &writeRequest{done: make(chan struct{}, 1)} }}

var (
	errQueueFull = errors.New("the writer's queue is full")
	errBehind    = errors.New("the writer is too far behind")
	errDown      = errors.New("the database refuses writes")
	errStopped   = errors.New("the store is closed")
)

// write submits do to a writer and waits for the commit that includes it. A writer runs do again, alone, if another request in
// its group failed, so do must not rely on running once.
func (s *Store) write(ctx context.Context, do func(*dbTx) error) error {
	return s.updates.submit(ctx, work{do: do})
}

// writeUrgent is write for a client that waits: if no writer can commit it in time, it soon fails.
func (s *Store) writeUrgent(ctx context.Context, do func(*dbTx) error) error {
	return s.updates.submit(ctx, work{do: do, urgent: true})
}

// How long a client waits for a database that may hang: less than three seconds in total.
const (
	commitTimeout = 2800 * time.Millisecond // from the request until its commit succeeds or fails
	queueTimeout  = 800 * time.Millisecond  // until a writer claims an urgent request

	urgentTimeout = commitTimeout - queueTimeout // for the transaction of urgent requests
	maxSaveWait   = 2 * time.Second              // until a writer of a file claims a lead
)

// submit queues work and waits for its result.
func (q *queue) submit(ctx context.Context, w work) error {
	if q.isDown() {
		return errUnavailable(errDown)
	}
	req := writeRequests.Get().(*writeRequest)
	req.ctx, req.work, req.queuedAt, req.err, req.truncateLog = ctx, w, time.Now(), nil, false
	req.claimed.Store(false)
	if err := q.enqueue(req); err != nil {
		return err
	}
	if !req.wait() {
		return errUnavailable(errBehind) // the request is still in the queue, so it must not go back to the pool
	}
	err, truncateLog := req.err, req.truncateLog
	req.ctx, req.work = nil, work{}
	writeRequests.Put(req)
	if err == nil && truncateLog {
		err = q.store.engine.truncateLog(ctx)
	}
	return err
}

// enqueue adds a request to the queue. Before the writers end, they answer every request in the queue, and enqueue adds none
// after Close. A caller that waits for its request therefore need not watch stop.
func (q *queue) enqueue(req *writeRequest) error {
	q.store.stopMu.RLock()
	defer q.store.stopMu.RUnlock()
	if q.store.stopped() {
		return errUnavailable(errStopped)
	}
	select {
	case q.requests <- req:
		return nil
	default:
		return errUnavailable(errQueueFull)
	}
}

// wait waits for the result of a request. It returns false if the request is urgent and no writer claimed it in time; then no
// writer will.
func (req *writeRequest) wait() bool {
	if req.urgent {
		timer := time.NewTimer(queueTimeout)
		defer timer.Stop()
		select {
		case <-req.done:
			return true
		case <-timer.C:
			if req.claim() {
				return false
			}
		}
	}
	<-req.done
	return true
}

// isDown reports whether all writers of the queue are down, so that every request is refused until one recovers.
func (q *queue) isDown() bool { return q.down.Load() >= q.writers }

// Busy reports whether the intake keeps the writer busy. Work that can wait should wait.
func (s *Store) Busy() bool {
	return s.saves.load.Load() > busyLoad && time.Since(time.Unix(0, s.saves.lastWorked.Load())) < idleAfter
}

// busyLoad is the share of a writer's time, in thousandths, above which the intake counts as busy.
const busyLoad = 600

// idleAfter is how long after its last commit a writer no longer counts as busy.
const idleAfter = 100 * time.Millisecond

// recordLoad updates load, a moving average over the last groups.
func (q *queue) recordLoad(share float64) {
	q.load.Store((q.load.Load()*15 + int64(1000*share)) / 16)
	q.lastWorked.Store(time.Now().UnixNano())
}

// foregroundShare is the share of a group's requests that are not background work.
func foregroundShare(group []*writeRequest) float64 {
	n := 0
	for _, req := range group {
		if !req.background {
			n++
		}
	}
	return float64(n) / float64(len(group))
}
