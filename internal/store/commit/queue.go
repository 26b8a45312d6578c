// Package commit groups requests to write: those that wait, up to MaxGroup, are committed in one transaction, without a timer, and each
// caller gets its own result. Urgent ones come first, in a transaction of their own. A writer whose database fails refuses requests until
// the database has recovered. The package knows no table and no engine: the caller's Target runs the requests.
package commit

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"foyer/internal/store/db"
)

const (
	MaxQueue = 8192 // requests that may wait; beyond that, a request is refused immediately
	MaxGroup = 512  // requests in one commit, at most
)

// How long a client waits for a database server that may hang: less than three seconds in total. A file has no such deadline: it answers, or fails.
const (
	Timeout      = 2800 * time.Millisecond    // from the request until its commit succeeds or fails
	queueTimeout = Timeout - db.UrgentTimeout // until a writer takes an urgent request
)

// Queue holds the requests that wait for its writers. W is what a request asks for.
type Queue[W any] struct {
	name        string // what its writers write, for the log
	log         *slog.Logger
	requests    chan *Request[W] // Normal, Urgent and Timed ones, for which a client waits
	background  chan *Request[W] // Background ones
	patient     chan *Request[W] // Patient ones, until they find company or have waited long enough
	commitToken chan struct{}    // the writer that holds it receives the requests
	writers     int32
	down        atomic.Int32 // writers whose connection failed and did not recover yet
	load        atomic.Int64 // share of a writer's time that clients use, in thousandths
	lastWorked  atomic.Int64 // when a writer last committed, in Unix nanoseconds
	stopMu      sync.RWMutex // held while closing stopped, so that no request is enqueued after that
	stopped     chan struct{}
	done        sync.WaitGroup // the writers
}

// NewQueue creates a queue without writers. The name says in the log what its writers write.
func NewQueue[W any](name string, log *slog.Logger) *Queue[W] {
	q := &Queue[W]{
		name: name, log: log, requests: make(chan *Request[W], MaxQueue), background: make(chan *Request[W], MaxQueue),
		patient:     make(chan *Request[W], MaxQueue),
		commitToken: make(chan struct{}, 1), stopped: make(chan struct{}),
	}
	q.releaseCommit()
	return q
}

// Options are how a writer works.
type Options struct {
	BySize  bool          // measure how busy the writer is by the size of its groups, not by the time a commit takes: most of that is waiting for a server
	MaxWait time.Duration // a Timed request that waited longer is refused
	Mixed   bool          // leads and background requests have one writer: see share
}

// AddWriter adds a writer to a queue that is not in use yet. The caller starts the writer with start.
func (q *Queue[W]) AddWriter(t Target[W], o Options) (start func()) {
	q.writers++
	w := &writer[W]{Target: t, Options: o, queue: q}
	return func() {
		q.done.Add(1)
		go w.run()
	}
}

// acquireCommit waits for the commit token. It returns false if the queue is stopped.
func (q *Queue[W]) acquireCommit() bool {
	select {
	case <-q.commitToken:
		return true
	case <-q.stopped:
		return false
	}
}

func (q *Queue[W]) releaseCommit() { q.commitToken <- struct{}{} }

// Kind is how a request is treated.
type Kind int

const (
	Normal     Kind = iota
	Background      // no sender of a lead waits for it, but an operator may: see writer.share

	// Patient is Background for work that nothing waits for: it goes with the next group, or alone after maxPatience. A commit of its
	// own costs as much as several that share one.
	Patient

	// Urgent is for an update that a client waits for, in a queue of updates that may be slow. It is committed before the rest of
	// its group, and its caller stops waiting if no writer takes it in time.
	Urgent
	// Timed is for a lead, in a queue where everything is quick. It keeps its place, and a writer that reaches it only after
	// MaxWait refuses it.
	Timed
)

// InBackground reports whether a request shares the writer with the leads, rather than being one of those that clients wait for.
func (k Kind) InBackground() bool { return k == Background || k == Patient }

// maxPatience is how long a Patient request waits for another to share its commit.
const maxPatience = 50 * time.Millisecond

// Request is work in a queue, and its result.
type Request[W any] struct {
	Ctx      context.Context
	Work     W
	Kind     Kind
	QueuedAt time.Time
	Err      error         // the result; a Target sets it for a request that it leaves out of a commit
	Took     time.Duration // how long the Target worked on a request in the background, without the commit
	taken    atomic.Bool   // by a writer, or by its caller, who stops waiting
	done     chan struct{} // receives once, when Err is set
}

// take claims the request, for a writer, or for the goroutine that submitted it and stops waiting. Only the first call succeeds.
func (req *Request[W]) take() bool { return req.taken.CompareAndSwap(false, true) }

// Refused is the error of a request of which nothing was committed, because the database or the queue could not take it.
type Refused struct{ Cause error }

func (r *Refused) Error() string { return r.Cause.Error() }

func (r *Refused) Unwrap() error { return r.Cause }

// Load shedding, or backpressure: what does not fit, or comes too late, is refused at once.
var (
	errQueueFull = errors.New("the writer's queue is full")
	errBehind    = errors.New("the writer is too far behind")
	errStopped   = errors.New("the store is closed")
)

// ErrDown is the cause of a refusal while no writer of the queue works.
var ErrDown = errors.New("the database refuses writes")

// Submit queues work and waits for its result: nil after the commit that includes it. A writer runs the work again, alone, if
// another request in its group failed, so the work must not rely on running once.
func (q *Queue[W]) Submit(ctx context.Context, work W, kind Kind) error {
	if q.Down() {
		return &Refused{ErrDown}
	}
	req := &Request[W]{Ctx: ctx, Work: work, Kind: kind, QueuedAt: time.Now(), done: make(chan struct{}, 1)}
	if err := q.enqueue(req); err != nil {
		return err
	}
	if kind == Patient {
		defer time.AfterFunc(maxPatience, func() { q.hurry(req) }).Stop()
	}
	if !req.wait() {
		return &Refused{errBehind}
	}
	return req.Err
}

// enqueue adds a request to the queue. Before the writers end, they answer every request in the queue, and enqueue adds none
// after Stop. A caller that waits for its request therefore need not watch stopped.
func (q *Queue[W]) enqueue(req *Request[W]) error {
	q.stopMu.RLock()
	defer q.stopMu.RUnlock()
	select {
	case <-q.stopped:
		return &Refused{errStopped}
	default:
	}
	to := q.requests
	switch req.Kind {
	case Background:
		to = q.background
	case Patient:
		to = q.patient
	}
	select {
	case to <- req:
		return nil
	default:
		return &Refused{errQueueFull}
	}
}

// hurry lets a Patient request begin a group. It stays among the patient ones, too: the first to take it has it. If there is no room, the
// writers are busy, and take it soon.
func (q *Queue[W]) hurry(req *Request[W]) {
	select {
	case q.background <- req:
	default:
	}
}

// wait waits for the result of a request. It returns false if the request is urgent and no writer took it in time; then no
// writer will.
func (req *Request[W]) wait() bool {
	if req.Kind == Urgent {
		timer := time.NewTimer(queueTimeout)
		defer timer.Stop()
		select {
		case <-req.done:
			return true
		case <-timer.C:
			if req.take() {
				return false
			}
		}
	}
	<-req.done
	return true
}

// Stop ends the queue: it takes no more requests, and its writers end once they have answered those that wait.
func (q *Queue[W]) Stop() {
	q.stopMu.Lock()
	defer q.stopMu.Unlock()
	close(q.stopped)
}

// Wait waits until the writers have ended.
func (q *Queue[W]) Wait() { q.done.Wait() }

// Down reports whether all writers of the queue are down, so that every request is refused until one recovers.
func (q *Queue[W]) Down() bool { return q.down.Load() >= q.writers }

// WritersDown returns how many writers of the queue are down.
func (q *Queue[W]) WritersDown() int { return int(q.down.Load()) }

// Waiting returns how many requests wait for a writer.
func (q *Queue[W]) Waiting() int { return len(q.requests) + len(q.background) + len(q.patient) }

// busyLoad is the share of a writer's time, in thousandths, above which the queue counts as busy.
const busyLoad = 600

// idleAfter is how long after its last commit a writer no longer counts as busy.
const idleAfter = 100 * time.Millisecond

// Busy reports whether clients keep the writers busy. Work that can wait should wait.
func (q *Queue[W]) Busy() bool {
	return q.load.Load() > busyLoad && time.Since(time.Unix(0, q.lastWorked.Load())) < idleAfter
}

// recordLoad updates load, a moving average over the last groups.
func (q *Queue[W]) recordLoad(share float64) {
	q.load.Store((q.load.Load()*15 + int64(1000*share)) / 16)
	q.lastWorked.Store(time.Now().UnixNano())
}

// clientShare is the share of a group's requests for which a client waits.
func clientShare[W any](group []*Request[W]) float64 {
	return float64(countClients(group)) / float64(len(group))
}

// countClients returns for how many of the requests a client waits.
func countClients[W any](group []*Request[W]) (n int) {
	for _, req := range group {
		if !req.Kind.InBackground() {
			n++
		}
	}
	return n
}
