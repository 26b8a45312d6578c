package store

import (
	"context"
	"runtime"
	"slices"
	"time"
)

// writer commits what waits in a queue, on a connection of its own.
type writer struct {
	store    *Store
	queue    *queue
	trade    trade
	hand     *hand
	commit   func(group []*job) error
	strain   func(size int, paused, worked time.Duration) float64 // how much of a writer a group took, from 0 to 1
	patience time.Duration                                        // how long work may have waited to be tried at all; 0 for ever
	sick     bool                                                 // counted in the queue
}

// run takes everything that is waiting and commits it together, without an artificial delay, until the store is closed.
func (w *writer) run() {
	defer w.store.writing.Done()
	group, hasPen := make([]*job, 0, groupSize), false
	for rested := time.Now(); hasPen || w.queue.takePen(); {
		hasPen = true
		select {
		case j := <-w.queue.jobs:
			began := time.Now()
			group = w.gather(w.with(group[:0], j))
			if len(group) == 0 {
				continue
			}
			hurry, size := urgent(group), len(group) // before it is settled: then its jobs are somebody else's
			hasPen = w.writeDown(group)
			w.queue.clock(hurry * w.strain(size, began.Sub(rested), time.Since(began)))
			rested = time.Now()
		case <-w.store.stop:
			hasPen = false
		}
	}
	for group = w.gather(group[:0]); len(group) > 0; group = w.gather(group[:0]) {
		w.heal(w.settle(group))
	}
}

// long is how long a commit may take before another writer begins one beside it.
const long = 5 * time.Millisecond

// writeDown commits a group, and says whether this writer still has the pen. Two commits at once cost a server that answers
// soon more than one of twice the size. But nobody waits for one that takes long, or for a writer that is ill.
func (w *writer) writeDown(group []*job) (hasPen bool) {
	late := time.AfterFunc(long, w.queue.passPen)
	cause, reopen := w.settle(group)
	hasPen = late.Stop()
	if hasPen && cause != nil {
		hasPen = false
		w.queue.passPen()
	}
	w.heal(cause, reopen)
	return hasPen
}

// gather adds what is waiting. A few yields let callers that are about to queue do so.
func (w *writer) gather(group []*job) []*job {
	for yields := 0; len(group) < groupSize; {
		select {
		case j := <-w.queue.jobs:
			group, yields = w.with(group, j), 0
		default:
			if yields++; yields > 3 {
				return group
			}
			runtime.Gosched()
		}
	}
	return group
}

// byTime takes the strain from how long a writer worked and rested.
func byTime(_ int, paused, worked time.Duration) float64 {
	return float64(worked) / float64(paused+worked+1)
}

// crowd is how many leads in one group keep a server busy that answers over a network.
const crowd = 32

// byCrowd takes the strain from how many leads came together: a writer that waits for a server does not work meanwhile.
func byCrowd(size int, _, _ time.Duration) float64 { return min(1, float64(size)/crowd) }

// with adds a job to a group, unless its caller has left, or has waited so long that there is no time to try.
func (w *writer) with(group []*job, j *job) []*job {
	switch {
	case !j.take():
		return group
	case w.patience > 0 && time.Since(j.since) > w.patience:
		refuse([]*job{j}, errBehind)
		return group
	}
	return append(group, j)
}

// settle commits a group and answers each of its callers. It returns what ails the ground below, if that is what failed, and
// whether it has to be reached anew. What is hurried goes first and alone: its time is too short for the others.
func (w *writer) settle(group []*job) (cause error, reopen bool) {
	hurried, others := apart(group)
	if cause = w.keep(hurried); cause != nil {
		refuse(others, cause)
	} else {
		cause = w.keep(others)
	}
	_, reopen = w.store.engine.ailment(cause)
	return cause, reopen
}

// apart tells what is hurried from the rest.
func apart(group []*job) (hurried, others []*job) {
	if !slices.ContainsFunc(group, func(j *job) bool { return j.hurried }) {
		return nil, group
	}
	for _, j := range group {
		if j.hurried {
			hurried = append(hurried, j)
		} else {
			others = append(others, j)
		}
	}
	return hurried, others
}

// keep commits a group and answers it. It returns only an error of the ground below: that of a row, or a panic over it, concerns
// nobody but its caller.
func (w *writer) keep(group []*job) error {
	if len(group) == 0 {
		return nil
	}
	err := calm(func() error { return w.commit(group) })
	if brokenOff(err) != nil {
		w.hand.line.rollback()
	}
	ground, _ := w.store.engine.ailment(err)
	switch {
	case err == nil:
	case ground:
		w.fallSick() // before anybody is told, so that a ping says the same
		refuse(group, err)
		return err
	case len(group) > 1:
		return w.keepSingly(group)
	default:
		w.store.tellPanicked(err)
		group[0].err = err
	}
	for _, j := range group {
		j.done <- struct{}{}
	}
	return nil
}

// keepSingly tries the rows of a spoilt group one by one. If the ground fails on the way, the rest does not wait for its cure.
func (w *writer) keepSingly(group []*job) error {
	for i := range group {
		if err := w.keep(group[i : i+1]); err != nil {
			refuse(group[i+1:], err)
			return err
		}
	}
	return nil
}

// refuse answers a group of which nothing was kept.
func refuse(group []*job, cause error) {
	for _, j := range group {
		j.err = notNow(cause)
		j.done <- struct{}{}
	}
}

// commitEach runs each piece of work of a group in one transaction.
func (w *writer) commitEach(group []*job) error {
	if group[0].hurried {
		w.hand.line.until(time.Now().Add(hurriedTime))
		defer w.hand.line.until(time.Time{})
	}
	if err := w.hand.begin(); err != nil {
		return err
	}
	err := w.hand.doEach(group)
	if err == nil && w.store.unseen {
		err = w.stays()
	}
	if err == nil {
		err = w.hand.line.commit()
	}
	if err != nil {
		w.hand.line.rollback()
		return err
	}
	w.acknowledge(w.hand.newest)
	return nil
}

// doEach runs the work of a group. A caller that has gone is left out: nobody would hear that it was kept. Leads depend on nothing
// but their keys, so they are kept together in the end.
func (h *hand) doEach(group []*job) error {
	h.saves = h.saves[:0]
	for _, j := range group {
		if j.err = j.ctx.Err(); j.err != nil {
			continue
		}
		if err := h.perform(j); err != nil {
			return err
		}
	}
	return h.saveLeads(h.saves)
}

// perform does one piece of work, which knows nothing of what those before it read. A lead is put aside for the end.
func (h *hand) perform(j *job) error {
	if j.save == nil {
		clear(h.leads)
		clear(h.isFresh)
		h.buyers = 0
		h.forgot = false
		err := j.do(h)
		j.clean = h.forgot
		return err
	}
	keep, err := j.save.redeem(h)
	if keep {
		h.saves = append(h.saves, j.save)
	}
	return err
}

// acknowledge remembers the newest lead that was committed.
func (w *writer) acknowledge(id string) {
	if id != "" {
		w.store.acked.Store(&id)
	}
}

// remembers says whether the newest lead that was acknowledged is there.
func (w *writer) remembers() (bool, error) {
	id := w.store.acked.Load()
	if id == nil {
		return true, nil
	}
	return w.hand.one(`SELECT seq FROM leads WHERE id = $1`, []any{*id}, func(row) {})
}

// pulse proves with a write that writes are taken.
func (w *writer) pulse() error {
	return w.commitEach([]*job{{ctx: context.Background(), work: work{do: func(h *hand) error { return bump(h, "pulse") }}}})
}
