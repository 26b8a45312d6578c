package store

import (
	"context"
	"runtime"
	"slices"
	"time"
)

// writer commits what waits in a queue, on a connection of its own.
type writer struct {
	store   *Store
	queue   *queue
	role    role
	tx    *dbTx
	commit  func(group []*writeRequest) error
	load    func(size int, paused, worked time.Duration) float64 // how much of a writer a group took, from 0 to 1
	timeout time.Duration                                        // how long work may have waited to be tried at all; 0 for ever
	down    bool                                                 // counted in the queue
}

// run takes everything that is waiting and commits it together, without an artificial delay, until the store is closed.
func (w *writer) run() {
	defer w.store.writersDone.Done()
	group, hasPen := make([]*writeRequest, 0, maxGroup), false
	for rested := time.Now(); hasPen || w.queue.acquireCommit(); {
		hasPen = true
		select {
		case j := <-w.queue.requests:
			began := time.Now()
			group = w.gather(w.admit(group[:0], j))
			if len(group) == 0 {
				continue
			}
			hurry, size := foregroundShare(group), len(group) // before it is settled: then its jobs are somebody else's
			hasPen = w.commitGroup(group)
			w.queue.recordLoad(hurry * w.load(size, began.Sub(rested), time.Since(began)))
			rested = time.Now()
		case <-w.store.stop:
			hasPen = false
		}
	}
	for group = w.gather(group[:0]); len(group) > 0; group = w.gather(group[:0]) {
		w.recoverLoop(w.commitAndReply(group))
	}
}

// slowCommit is how long a commit may take before another writer begins one beside it.
const slowCommit = 5 * time.Millisecond

// commitGroup commits a group, and says whether this writer still has the pen. Two commits at once cost a server that answers
// soon more than one of twice the size. But nobody waits for one that takes long, or for a writer that is ill.
func (w *writer) commitGroup(group []*writeRequest) (hasPen bool) {
	late := time.AfterFunc(slowCommit, w.queue.releaseCommit)
	cause, reopen := w.commitAndReply(group)
	hasPen = late.Stop()
	if hasPen && cause != nil {
		hasPen = false
		w.queue.releaseCommit()
	}
	w.recoverLoop(cause, reopen)
	return hasPen
}

// gather adds what is waiting. A few yields let callers that are about to queue do so.
func (w *writer) gather(group []*writeRequest) []*writeRequest {
	for yields := 0; len(group) < maxGroup; {
		select {
		case j := <-w.queue.requests:
			group, yields = w.admit(group, j), 0
		default:
			if yields++; yields > 3 {
				return group
			}
			runtime.Gosched()
		}
	}
	return group
}

// loadByTime takes the strain from how long a writer worked and rested.
func loadByTime(_ int, paused, worked time.Duration) float64 {
	return float64(worked) / float64(paused+worked+1)
}

// fullGroup is how many leads in one group keep a server busy that answers over a network.
const fullGroup = 32

// loadBySize takes the strain from how many leads came together: a writer that waits for a server does not work meanwhile.
func loadBySize(size int, _, _ time.Duration) float64 { return min(1, float64(size)/fullGroup) }

// admit adds a job to a group, unless its caller has left, or has waited so long that there is no time to try.
func (w *writer) admit(group []*writeRequest, j *writeRequest) []*writeRequest {
	switch {
	case !j.claim():
		return group
	case w.timeout > 0 && time.Since(j.queuedAt) > w.timeout:
		refuse([]*writeRequest{j}, errBehind)
		return group
	}
	return append(group, j)
}

// commitAndReply commits a group and answers each of its callers. It returns what ails the ground below, if that is what failed, and
// whether it has to be reached anew. What is hurried goes first and alone: its time is too short for the others.
func (w *writer) commitAndReply(group []*writeRequest) (cause error, reopen bool) {
	hurried, others := splitUrgent(group)
	if cause = w.tryCommit(hurried); cause != nil {
		refuse(others, cause)
	} else {
		cause = w.tryCommit(others)
	}
	_, reopen = w.store.engine.classify(cause)
	return cause, reopen
}

// splitUrgent tells what is hurried from the rest.
func splitUrgent(group []*writeRequest) (hurried, others []*writeRequest) {
	if !slices.ContainsFunc(group, func(j *writeRequest) bool { return j.urgent }) {
		return nil, group
	}
	for _, j := range group {
		if j.urgent {
			hurried = append(hurried, j)
		} else {
			others = append(others, j)
		}
	}
	return hurried, others
}

// tryCommit commits a group and answers it. It returns only an error of the ground below: that of a row, or a panic over it, concerns
// nobody but its caller.
func (w *writer) tryCommit(group []*writeRequest) error {
	if len(group) == 0 {
		return nil
	}
	err := recoverPanic(func() error { return w.commit(group) })
	if asPanic(err) != nil {
		w.tx.conn.rollback()
	}
	ground, _ := w.store.engine.classify(err)
	switch {
	case err == nil:
	case ground:
		w.markDown() // before anybody is told, so that a ping says the same
		refuse(group, err)
		return err
	case len(group) > 1:
		return w.commitOneByOne(group)
	default:
		w.store.logPanic(err)
		group[0].err = err
	}
	for _, j := range group {
		j.done <- struct{}{}
	}
	return nil
}

// commitOneByOne tries the rows of a spoilt group one by one. If the ground fails on the way, the rest does not wait for its cure.
func (w *writer) commitOneByOne(group []*writeRequest) error {
	for i := range group {
		if err := w.tryCommit(group[i : i+1]); err != nil {
			refuse(group[i+1:], err)
			return err
		}
	}
	return nil
}

// refuse answers a group of which nothing was kept.
func refuse(group []*writeRequest, cause error) {
	for _, j := range group {
		j.err = errUnavailable(cause)
		j.done <- struct{}{}
	}
}

// commitEach runs each piece of work of a group in one transaction.
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

// runEach runs the work of a group. A caller that has gone is left out: nobody would hear that it was kept. Leads depend on nothing
// but their keys, so they are kept together in the end.
func (h *dbTx) runEach(group []*writeRequest) error {
	h.saves = h.saves[:0]
	for _, j := range group {
		if j.err = j.ctx.Err(); j.err != nil {
			continue
		}
		if err := h.run(j); err != nil {
			return err
		}
	}
	return h.saveLeads(h.saves)
}

// run does one piece of work, which knows nothing of what those before it read. A lead is put aside for the end.
func (h *dbTx) run(j *writeRequest) error {
	if j.save == nil {
		clear(h.leads)
		clear(h.isNew)
		h.buyersVersion = 0
		h.erased = false
		err := j.do(h)
		j.truncateLog = h.erased
		return err
	}
	keep, err := j.save.replay(h)
	if keep {
		h.saves = append(h.saves, j.save)
	}
	return err
}

// recordCommitted remembers the newest lead that was committed.
func (w *writer) recordCommitted(id string) {
	if id != "" {
		w.store.lastCommitted.Store(&id)
	}
}

// hasLastCommitted says whether the newest lead that was acknowledged is there.
func (w *writer) hasLastCommitted() (bool, error) {
	id := w.store.lastCommitted.Load()
	if id == nil {
		return true, nil
	}
	return w.tx.queryRow(`SELECT seq FROM leads WHERE id = $1`, []any{*id}, func(row) {})
}

// probe proves with a write that writes are taken.
func (w *writer) probe() error {
	return w.commitEach([]*writeRequest{{ctx: context.Background(), work: work{do: func(h *dbTx) error { return bump(h, "pulse") }}}})
}
