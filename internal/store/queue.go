package store

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

const (
	maxQueue = 8192 // what may wait; beyond it work is refused at once
	maxGroup = 512  // what one commit holds at most
)

// queue is what waits for the writers of one trade, and how these are.
type queue struct {
	store       *Store
	requests    chan *writeRequest
	commitToken chan struct{} // whoever took it takes the jobs
	writers     int32
	down        atomic.Int32 // writers whose connection is being cured
	load        atomic.Int64 // how much of a writer the intake takes, in thousandths
	lastWorked      atomic.Int64 // when it last did, in nanoseconds since 1970
}

// acquireCommit waits until it is free, and says no when the store is closed.
func (q *queue) acquireCommit() bool {
	select {
	case <-q.commitToken:
		return true
	case <-q.store.stop:
		return false
	}
}

func (q *queue) releaseCommit() { q.commitToken <- struct{}{} }

// work is what a writer is asked for.
type work struct {
	do      func(*dbTx) error
	save    *save  // the lead that is to be kept, where that is all: many can be kept by one statement
	count   *count // what is counted, where that is all
	background bool   // nobody at a door waits for it
	urgent bool   // somebody does, in a queue of work that may take longer than they can wait
}

// writeRequest is one piece of work in a queue.
type writeRequest struct {
	ctx context.Context
	work
	queuedAt   time.Time   // when it was queued
	claimed atomic.Bool // by a writer, or back by a caller who cannot wait longer
	err     error
	truncateLog   bool          // it erased a person, whose traces are to be cleaned away
	done    chan struct{} // gets one word when the job is settled
}

// claim makes a job a writer's, or its caller's again. The second to ask leaves it alone.
func (j *writeRequest) claim() bool { return j.claimed.CompareAndSwap(false, true) }

var writeRequests = sync.Pool{New: func() any { return &writeRequest{done: make(chan struct{}, 1)} }}

var (
	errQueueFull = errors.New("the writer's queue is full")
	errBehind    = errors.New("the writer is too far behind")
	errDown      = errors.New("the database refuses writes")
	errStopped   = errors.New("the store is closed")
)

// write hands work to the writer and waits for the commit that holds it. The work may be run again alone, when a
// neighbour in its group failed, so it must not count on running once.
func (s *Store) write(ctx context.Context, do func(*dbTx) error) error {
	return s.updates.submit(ctx, work{do: do})
}

// writeUrgent is write for somebody at a door: if it cannot be kept in time, they soon hear that it was not.
func (s *Store) writeUrgent(ctx context.Context, do func(*dbTx) error) error {
	return s.updates.submit(ctx, work{do: do, urgent: true})
}

// How long somebody at a door waits for a database that may hang. Together they are less than three seconds.
const (
	commitTimeout  = 2800 * time.Millisecond // until it is known whether something was kept
	queueTimeout = 800 * time.Millisecond  // until a writer takes what is hurried

	urgentTimeout = commitTimeout - queueTimeout // for what is hurried, once it is taken
)

// submit queues work and waits until it is settled.
func (q *queue) submit(ctx context.Context, asked work) error {
	if q.isDown() {
		return errUnavailable(errDown)
	}
	j := writeRequests.Get().(*writeRequest)
	j.ctx, j.work, j.queuedAt, j.err, j.truncateLog = ctx, asked, time.Now(), nil, false
	j.claimed.Store(false)
	if err := q.enqueue(j); err != nil {
		return err
	}
	if !j.wait() {
		return errUnavailable(errBehind) // the job is in the queue still, so it is not used again
	}
	err, clean := j.err, j.truncateLog
	j.ctx, j.work = nil, work{}
	writeRequests.Put(j)
	if err == nil && clean {
		err = q.store.engine.truncateLog(ctx)
	}
	return err
}

// enqueue leaves a job to the writers, which settle whatever is in the queue before they end. Nothing is put there once
// they are told to end, so a caller that waits for its job need not watch for that.
func (q *queue) enqueue(j *writeRequest) error {
	q.store.stopMu.RLock()
	defer q.store.stopMu.RUnlock()
	if q.store.stopped() {
		return errUnavailable(errStopped)
	}
	select {
	case q.requests <- j:
		return nil
	default:
		return errUnavailable(errQueueFull)
	}
}

// wait waits until a job is settled. Where it is hurried, and no writer has taken it in time, it never will be.
func (j *writeRequest) wait() bool {
	if j.urgent {
		timer := time.NewTimer(queueTimeout)
		defer timer.Stop()
		select {
		case <-j.done:
			return true
		case <-timer.C:
			if j.claim() {
				return false
			}
		}
	}
	<-j.done
	return true
}

// isDown says that no writer takes anything: the ground below refuses, and a cure is under way.
func (q *queue) isDown() bool { return q.down.Load() >= q.writers }

// Busy says that the intake keeps the writer at work. What can wait should.
func (s *Store) Busy() bool {
	return s.saves.load.Load() > busyLoad && time.Since(time.Unix(0, s.saves.lastWorked.Load())) < idleAfter
}

// busyLoad is how much of a writer, in thousandths, the intake may take before it counts as busy.
const busyLoad = 600

// idleAfter is after how long without work a writer is not busy, whatever it was before.
const idleAfter = 100 * time.Millisecond

// recordLoad keeps how much of a writer the intake takes: a moving average over the last groups.
func (q *queue) recordLoad(share float64) {
	q.load.Store((q.load.Load()*15 + int64(1000*share)) / 16)
	q.lastWorked.Store(time.Now().UnixNano())
}

// foregroundShare is the share of a group for which somebody waits at a door.
func foregroundShare(group []*writeRequest) float64 {
	n := 0
	for _, j := range group {
		if !j.background {
			n++
		}
	}
	return float64(n) / float64(len(group))
}
