package store

import (
	"context"
	"runtime"
	"slices"
	"time"
)

// writer commits the requests of a queue, on a connection of its own.
type writer struct {
	store   *Store
	queue   *queue
	role    role
	tx      *dbTx
	commit  func(group []*writeRequest) error
	load    func(size int, paused, worked time.Duration) float64 // share of a writer's capacity that a group used, from 0 to 1
	timeout time.Duration                                        // leads that waited longer are refused
	down    bool                                                 // whether it is counted in queue.down
}

// run commits all requests that are waiting together, without an artificial delay, until the store is closed.
func (w *writer) run() {
	defer w.store.writersDone.Done()
	group, hasToken := make([]*writeRequest, 0, maxGroup), false
	for idleSince := time.Now(); hasToken || w.queue.acquireCommit(); {
		hasToken = true
		select {
		case req := <-w.queue.requests:
			began := time.Now()
			group = w.gather(w.admit(group[:0], req))
			if len(group) == 0 {
				continue
			}
			share, size := foregroundShare(group), len(group) // before the reply: then other callers may reuse the requests
			hasToken = w.commitGroup(group)
			w.queue.recordLoad(share * w.load(size, began.Sub(idleSince), time.Since(began)))
			idleSince = time.Now()
		case <-w.store.stop:
			hasToken = false
		}
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
func (w *writer) commitGroup(group []*writeRequest) (hasToken bool) {
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

// gather adds the requests that are waiting. A few yields let callers that are about to submit do so.
func (w *writer) gather(group []*writeRequest) []*writeRequest {
	for yields := 0; len(group) < maxGroup; {
		select {
		case req := <-w.queue.requests:
			group, yields = w.admit(group, req), 0
		default:
			if yields++; yields > 3 {
				return group
			}
			runtime.Gosched()
		}
	}
	return group
}

// loadByTime computes the load from how long a writer worked and paused.
func loadByTime(_ int, paused, worked time.Duration) float64 {
	return float64(worked) / float64(paused+worked+1)
}

// fullGroup is how many leads in one group keep a server busy that is reached over a network.
const fullGroup = 32

// loadBySize computes the load from the number of leads in a group: time that a writer waits for a server is not work.
func loadBySize(size int, _, _ time.Duration) float64 { return min(1, float64(size)/fullGroup) }

// admit adds a request to a group, unless its caller stopped waiting, or is a client that waited so long that no time is left to try.
func (w *writer) admit(group []*writeRequest, req *writeRequest) []*writeRequest {
	switch {
	case !req.claim():
		return group
	case req.save != nil && time.Since(req.queuedAt) > w.timeout:
		refuse([]*writeRequest{req}, errBehind)
		return group
	}
	return append(group, req)
}

// commitAndReply commits a group and answers each of its callers. It returns the storage failure, if there was one, and whether
// the connection has to be reopened. Urgent requests are committed first, in a transaction of their own, because their deadline
// is too short for the others.
func (w *writer) commitAndReply(group []*writeRequest) (cause error, reopen bool) {
	urgent, others := splitUrgent(group)
	if cause = w.tryCommit(urgent); cause != nil {
		refuse(others, cause)
	} else {
		cause = w.tryCommit(others)
	}
	_, reopen = w.store.engine.classify(cause)
	return cause, reopen
}

// splitUrgent separates urgent requests from the others.
func splitUrgent(group []*writeRequest) (urgent, others []*writeRequest) {
	if !slices.ContainsFunc(group, func(req *writeRequest) bool { return req.urgent }) {
		return nil, group
	}
	for _, req := range group {
		if req.urgent {
			urgent = append(urgent, req)
		} else {
			others = append(others, req)
		}
	}
	return urgent, others
}

// tryCommit commits a group and answers its callers. It returns only storage failures: an error or a panic about one row concerns
// only the caller that wrote this row.
func (w *writer) tryCommit(group []*writeRequest) error {
	if len(group) == 0 {
		return nil
	}
	err := recoverPanic(func() error { return w.commit(group) })
	if asPanic(err) != nil {
		w.tx.conn.rollback()
	}
	storageFailure, _ := w.store.engine.classify(err)
	switch {
	case err == nil:
	case storageFailure:
		w.markDown() // before the callers are answered, so that Ping agrees
		refuse(group, err)
		return err
	case len(group) > 1:
		return w.commitOneByOne(group)
	default:
		w.store.logPanic(err)
		group[0].err = err
	}
	for _, req := range group {
		req.done <- struct{}{}
	}
	return nil
}

// commitOneByOne commits the requests of a failed group one by one. After a storage failure it refuses the remaining requests, so
// that they do not wait for the recovery.
func (w *writer) commitOneByOne(group []*writeRequest) error {
	for i := range group {
		if err := w.tryCommit(group[i : i+1]); err != nil {
			refuse(group[i+1:], err)
			return err
		}
	}
	return nil
}

// refuse answers a group of which nothing was committed.
func refuse(group []*writeRequest, cause error) {
	for _, req := range group {
		req.err = errUnavailable(cause)
		req.done <- struct{}{}
	}
}

// commitEach runs the work of all requests of a group in one transaction.
func (w *writer) commitEach(group []*writeRequest) error {
	if group[0].urgent {
		w.tx.conn.setDeadline(time.Now().Add(urgentTimeout))
		defer w.tx.conn.setDeadline(time.Time{})
	}
	if err := w.tx.begin(); err != nil {
		return err
	}
	err := w.tx.runEach(group)
	if err == nil {
		err = w.tx.conn.commit()
	}
	if err != nil {
		w.tx.conn.rollback()
		return err
	}
	w.recordCommitted(w.tx.newest)
	return nil
}

// runEach runs the work of a group. It skips requests whose context is canceled: their callers would not learn of the commit.
// Leads depend on nothing but their idempotency keys, so they are saved together at the end.
func (tx *dbTx) runEach(group []*writeRequest) error {
	tx.saves = tx.saves[:0]
	for _, req := range group {
		if req.err = req.ctx.Err(); req.err != nil {
			continue
		}
		if err := tx.run(req); err != nil {
			return err
		}
	}
	return tx.saveLeads(tx.saves)
}

// run does the work of one request, without what earlier requests in the transaction cached. A lead is left to saveLeads.
func (tx *dbTx) run(req *writeRequest) error {
	if req.save == nil {
		clear(tx.leads)
		clear(tx.isNew)
		tx.buyersVersion = 0
		tx.erased = false
		err := req.do(tx)
		req.truncateLog = tx.erased
		return err
	}
	isNew, err := req.save.replay(tx)
	if isNew {
		tx.saves = append(tx.saves, req.save)
	}
	return err
}

// recordCommitted remembers the id of the newest committed lead.
func (w *writer) recordCommitted(id string) {
	if id != "" {
		w.store.lastCommitted.Store(&id)
	}
}

// hasLastCommitted reports whether the database has the newest lead that was acknowledged.
func (w *writer) hasLastCommitted() (bool, error) {
	id := w.store.lastCommitted.Load()
	if id == nil {
		return true, nil
	}
	return w.tx.queryRow(`SELECT seq FROM leads WHERE id = $1`, []any{*id}, func(row) {})
}

// probe writes a row, to prove that the database accepts writes.
func (w *writer) probe() error {
	return w.commitEach([]*writeRequest{{ctx: context.Background(), work: work{do: func(tx *dbTx) error { return bump(tx, "pulse") }}}})
}
