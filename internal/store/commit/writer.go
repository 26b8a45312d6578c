package commit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"time"
)

// Target is where a writer commits: one connection to a database.
type Target[W any] interface {
	// Commit runs a group of requests in one transaction. If it fails, nothing of the group is committed.
	Commit(group []*Request[W]) error
	// Rollback ends the transaction that a panic left open.
	Rollback()
	// Classify reports whether err is a storage failure rather than the fault of a request, and whether the connection must be
	// reopened.
	Classify(err error) (storageFailure, reopen bool)
	// Reopen replaces the connection after an error that left its state unknown, and looks for damage.
	Reopen(ctx context.Context) error
	// Probe proves with a write that the database accepts writes.
	Probe() error
}

// writer commits the requests of a queue to a target of its own.
type writer[W any] struct {
	Target[W]
	Options
	queue *Queue[W]
	down  bool // whether it is counted in queue.down

	pressure float64       // how many clients wait; a moving average
	each     time.Duration // that a background request takes; a moving average
	debt     time.Duration // by how much background requests took more than their share
	since    time.Time     // when debt was last updated
}

// run commits the requests that wait, up to MaxGroup of them, in one transaction (group commit), again and again until the queue is
// stopped. It begins with the first that waits: it does not wait for a batch to fill up, or for a timer. Of background requests it takes
// what backgroundTime allows, and leaves the others for the next group.
func (w *writer[W]) run() {
	defer w.queue.done.Done()
	group, hasToken := make([]*Request[W], 0, MaxGroup), false
	for idleSince := time.Now(); hasToken || w.queue.acquireCommit(); {
		hasToken = true
		first := w.next()
		if first == nil {
			hasToken = false
			continue
		}
		began := time.Now()
		group = w.gather(w.admit(group[:0], first))
		if len(group) == 0 {
			continue
		}
		hasToken = w.commitGroup(group)
		ended := time.Now()
		w.queue.recordLoad(clientShare(group) * w.load(len(group), began.Sub(idleSince), ended.Sub(began)))
		w.recordBackground(group, ended)
		idleSince = ended
	}
	for group = w.gather(group[:0]); len(group) > 0; group = w.gather(group[:0]) {
		w.recoverLoop(w.commitAndReply(group))
	}
}

// slowCommit is how long a commit may take before another writer starts one in parallel.
const slowCommit = 5 * time.Millisecond

// commitGroup commits a group, and reports whether this writer still holds the commit token. On a server that answers quickly,
// two parallel commits cost more than one of twice the size. But requests do not wait for a slow commit, or for a writer that
// is down.
func (w *writer[W]) commitGroup(group []*Request[W]) (hasToken bool) {
	late := time.AfterFunc(slowCommit, w.queue.releaseCommit)
	cause, reopen := w.commitAndReply(group)
	hasToken = late.Stop()
	if hasToken && cause != nil {
		hasToken = false
		w.queue.releaseCommit()
	}
	w.recoverLoop(cause, reopen)
	return hasToken
}

// gather adds the requests that are waiting: all of clients, and then some in the background. A few yields let callers that are
// about to submit do so.
func (w *writer[W]) gather(group []*Request[W]) []*Request[W] {
	for yields := 0; len(group) < MaxGroup; {
		select {
		case req := <-w.queue.requests:
			group, yields = w.admit(group, req), 0
			continue
		default:
		}
		if yields++; yields > 3 {
			break
		}
		runtime.Gosched()
	}
	return w.addBackground(group)
}

// addBackground adds background requests to a group, unless they took more than their share before.
func (w *writer[W]) addBackground(group []*Request[W]) []*Request[W] {
	clients := countClients(group)
	most := MaxGroup
	if w.Mixed {
		if clients > 0 && w.debt > 0 {
			return group
		}
		most = max(1, int(w.backgroundTime()/max(w.each, time.Microsecond)))
	}
	for len(group) < MaxGroup && len(group)-clients < most {
		select {
		case req := <-w.queue.background:
			group = w.admit(group, req)
			continue
		default:
		}
		select {
		case req := <-w.queue.patient:
			group = w.admit(group, req)
		default:
			return group
		}
	}
	return group
}

const (
	maxBackground   = 4 * time.Millisecond    // that the background requests of a group take together
	shortBackground = 1500 * time.Microsecond // the same, while few clients wait
	fewBackground   = 8                       // background requests that wait: forwarding keeps up
	fewClients      = 16                      // that wait: background requests have to share with nobody
	backgroundShare = 0.25                    // of the writer's time, for background requests while many clients wait
	clientPause     = 2 * time.Millisecond    // within which clients that got their answer send the next request
)

// backgroundTime returns how long the background requests of a group may take together: little while few clients wait, each of which would notice,
// and few background requests. If either are many, they wait for each other, and a group is worth more the larger it is.
func (w *writer[W]) backgroundTime() time.Duration {
	if w.pressure <= fewClients && len(w.queue.background) <= fewBackground {
		return shortBackground
	}
	return maxBackground
}

// share returns which part of the writer's time background requests may use. They use the processors outside of the writer, too, so
// their share of the machine is larger (docs/decisions/0038).
func (w *writer[W]) share() float64 {
	if w.pressure <= fewClients {
		return 1
	}
	return max(backgroundShare, math.Pow(fewClients/w.pressure, 2))
}

// recordBackground measures how many clients wait at the end of a group, and what the background requests of the group took. What
// they take beyond their share, they have to do without later.
func (w *writer[W]) recordBackground(group []*Request[W], now time.Time) {
	clients, background := countClients(group), time.Duration(0)
	for _, req := range group {
		background += req.Took
	}
	if clients < len(group) {
		w.each = (7*w.each + background/time.Duration(len(group)-clients)) / 8
	}
	w.pressure = (7*w.pressure + float64(clients+len(w.queue.requests))) / 8
	w.debt = max(0, w.debt+background-time.Duration(w.share()*float64(now.Sub(w.since))))
	w.since = now
}

// next waits for the first request of a group. It returns nil if the queue is stopped. After background requests took more than their
// budget, it leaves the writer to clients, if there are any.
func (w *writer[W]) next() *Request[W] {
	if w.Mixed && w.debt > 0 {
		pause := time.NewTimer(clientPause)
		defer pause.Stop()
		select {
		case req := <-w.queue.requests:
			return req
		case <-w.queue.stopped:
			return nil
		case <-pause.C: // no client waits
		}
	}
	select {
	case req := <-w.queue.requests:
		return req
	case req := <-w.queue.background:
		return req
	case <-w.queue.stopped:
		return nil
	}
}

// fullGroup is how many requests in one group keep a server busy that is reached over a network.
const fullGroup = 32

// load is the share of a writer's capacity that a group used, from 0 to 1.
func (w *writer[W]) load(size int, paused, worked time.Duration) float64 {
	if w.BySize {
		return min(1, float64(size)/fullGroup)
	}
	return float64(worked) / float64(paused+worked+1)
}

// admit adds a request to a group, unless its caller stopped waiting, or waited so long that no time is left to try.
func (w *writer[W]) admit(group []*Request[W], req *Request[W]) []*Request[W] {
	switch {
	case !req.take():
		return group
	case req.Kind == Timed && time.Since(req.QueuedAt) > w.MaxWait:
		refuse([]*Request[W]{req}, errBehind)
		return group
	}
	return append(group, req)
}

// commitAndReply commits a group and answers each of its callers. It returns the storage failure, if there was one, and whether
// the connection has to be reopened. Urgent requests are committed first, in a transaction of their own, because their deadline
// is too short for the others.
func (w *writer[W]) commitAndReply(group []*Request[W]) (cause error, reopen bool) {
	urgent, others := splitUrgent(group)
	if cause = w.tryCommit(urgent); cause != nil {
		refuse(others, cause)
	} else {
		cause = w.tryCommit(others)
	}
	_, reopen = w.Classify(cause)
	return cause, reopen
}

// splitUrgent separates urgent requests from the others.
func splitUrgent[W any](group []*Request[W]) (urgent, others []*Request[W]) {
	if !slices.ContainsFunc(group, func(req *Request[W]) bool { return req.Kind == Urgent }) {
		return nil, group
	}
	for _, req := range group {
		if req.Kind == Urgent {
			urgent = append(urgent, req)
		} else {
			others = append(others, req)
		}
	}
	return urgent, others
}

// tryCommit commits a group and answers its callers. It returns only storage failures: an error or a panic about one row concerns
// only the caller that wrote this row.
func (w *writer[W]) tryCommit(group []*Request[W]) error {
	if len(group) == 0 {
		return nil
	}
	err := recoverPanic(func() error { return w.Commit(group) })
	broken, panicked := errors.AsType[*panicError](err)
	if panicked {
		w.Rollback()
	}
	storageFailure, _ := w.Classify(err)
	switch {
	case err == nil:
	case storageFailure:
		w.markDown() // before the callers are answered, so that Down agrees
		refuse(group, err)
		return err
	case len(group) > 1:
		return w.commitOneByOne(group)
	default:
		if panicked { // not before: now it is known which request of a group it was
			w.queue.log.Error("panic in a transaction; it was rolled back", "panic", broken.What, "stack", string(broken.Stack))
		}
		group[0].Err = err
	}
	for _, req := range group {
		req.done <- struct{}{}
	}
	return nil
}

// commitOneByOne commits the requests of a failed group one by one. After a storage failure it refuses the remaining requests, so
// that they do not wait for the recovery.
func (w *writer[W]) commitOneByOne(group []*Request[W]) error {
	for i := range group {
		if err := w.tryCommit(group[i : i+1]); err != nil {
			refuse(group[i+1:], err)
			return err
		}
	}
	return nil
}

// refuse answers a group of which nothing was committed.
func refuse[W any](group []*Request[W], cause error) {
	for _, req := range group {
		req.Err = &Refused{cause}
		req.done <- struct{}{}
	}
}

// panicError is the error of work that panicked.
type panicError struct {
	What  string
	Stack []byte
}

func (p *panicError) Error() string { return "a piece of work broke off: " + p.What }

// recoverPanic calls do, and turns a panic into a panicError. A panic value may contain personal data, so only the text of a
// runtime.Error is used, and otherwise the value's type.
func recoverPanic(do func() error) (err error) {
	defer func() {
		switch value := recover().(type) {
		case nil:
		case runtime.Error:
			err = &panicError{value.Error(), debug.Stack()}
		default:
			err = &panicError{fmt.Sprintf("%T", value), debug.Stack()}
		}
	}()
	return do()
}
