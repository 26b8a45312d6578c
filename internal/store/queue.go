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
	worked      atomic.Int64 // when it last did, in nanoseconds since 1970
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
	patient bool   // nobody at a door waits for it
	hurried bool   // somebody does, in a queue of work that may take longer than they can wait
}

// writeRequest is one piece of work in a queue.
type writeRequest struct {
	ctx context.Context
	work
	since   time.Time   // when it was queued
	claimed atomic.Bool // by a writer, or back by a caller who cannot wait longer
	err     error
	clean   bool          // it erased a person, whose traces are to be cleaned away
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
	return s.turns.put(ctx, work{do: do})
}

// writeNow is write for somebody at a door: if it cannot be kept in time, they soon hear that it was not.
func (s *Store) writeNow(ctx context.Context, do func(*dbTx) error) error {
	return s.turns.put(ctx, work{do: do, hurried: true})
}

// How long somebody at a door waits for a database that may hang. Together they are less than three seconds.
const (
	doorTime  = 2800 * time.Millisecond // until it is known whether something was kept
	queueTime = 800 * time.Millisecond  // until a writer takes what is hurried

	hurriedTime = doorTime - queueTime // for what is hurried, once it is taken
)

// put queues work and waits until it is settled.
func (q *queue) put(ctx context.Context, asked work) error {
	if q.isDown() {
		return notNow(errDown)
	}
	j := writeRequests.Get().(*writeRequest)
	j.ctx, j.work, j.since, j.err, j.clean = ctx, asked, time.Now(), nil, false
	j.claimed.Store(false)
	if err := q.enqueue(j); err != nil {
		return err
	}
	if !j.await() {
		return notNow(errBehind) // the job is in the queue still, so it is not used again
	}
	err, clean := j.err, j.clean
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
	q.store.ending.RLock()
	defer q.store.ending.RUnlock()
	if q.store.stopped() {
		return notNow(errStopped)
	}
	select {
	case q.requests <- j:
		return nil
	default:
		return notNow(errQueueFull)
	}
}

// await waits until a job is settled. Where it is hurried, and no writer has taken it in time, it never will be.
func (j *writeRequest) await() bool {
	if j.hurried {
		timer := time.NewTimer(queueTime)
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
	return s.saves.load.Load() > busyShare && time.Since(time.Unix(0, s.saves.worked.Load())) < idle
}

// busyShare is how much of a writer, in thousandths, the intake may take before it counts as busy.
const busyShare = 600

// idle is after how long without work a writer is not busy, whatever it was before.
const idle = 100 * time.Millisecond

// clock keeps how much of a writer the intake takes: a moving average over the last groups.
func (q *queue) clock(share float64) {
	q.load.Store((q.load.Load()*15 + int64(1000*share)) / 16)
	q.worked.Store(time.Now().UnixNano())
}

// urgent is the share of a group for which somebody waits at a door.
func urgent(group []*writeRequest) float64 {
	n := 0
	for _, j := range group {
		if !j.patient {
			n++
		}
	}
	return float64(n) / float64(len(group))
}
