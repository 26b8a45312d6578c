package store

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"
)

const (
	queueLength = 8192 // what may wait; beyond it work is refused at once
	groupSize   = 512  // what one commit holds at most
)

// job is one piece of work in the writer's queue.
type job struct {
	ctx     context.Context
	do      func(*handles) error
	patient bool // nobody at a door waits for it
	err     error
	done    chan struct{} // gets one word when the job is settled
}

var jobs = sync.Pool{New: func() any { return &job{done: make(chan struct{}, 1)} }}

var (
	errQueueFull = errors.New("the writer's queue is full")
	errAiling    = errors.New("the disk refuses writes")
	errStopped   = errors.New("the store is closed")
)

// write hands work to the writer and waits for the commit that holds it. The work may be run again alone, when a
// neighbour in its group failed, so it must not count on running once.
func (s *Store) write(ctx context.Context, do func(*handles) error) error {
	return s.enqueue(ctx, do, false)
}

func (s *Store) enqueue(ctx context.Context, do func(*handles) error, patient bool) error {
	if s.ailing.Load() {
		return notNow(errAiling)
	}
	if s.stopped() {
		return notNow(errStopped)
	}
	j := jobs.Get().(*job)
	j.ctx, j.do, j.patient, j.err = ctx, do, patient, nil
	select {
	case s.jobs <- j:
	default:
		return notNow(errQueueFull)
	}
	select {
	case <-j.done:
	case <-s.done: // closed between the look at stop and the queue
		select {
		case <-j.done:
		default:
			return notNow(errStopped)
		}
	}
	err := j.err
	j.ctx, j.do = nil, nil
	jobs.Put(j)
	return err
}

// run is the one writer: it takes everything that is waiting and commits it together, without an artificial delay.
func (s *Store) run() {
	defer close(s.done)
	group := make([]*job, 0, groupSize)
	for rested := time.Now(); ; {
		select {
		case j := <-s.jobs:
			began := time.Now()
			group = s.gather(append(group[:0], j))
			share := urgent(group) // before it is settled: then its jobs are somebody else's
			s.settle(group)
			s.clock(share, began.Sub(rested), time.Since(began))
			rested = time.Now()
		case <-s.stop:
			for group = s.gather(group[:0]); len(group) > 0; group = s.gather(group[:0]) {
				s.settle(group)
			}
			return
		}
	}
}

// gather adds what is waiting. A few yields let callers that are about to queue do so.
func (s *Store) gather(group []*job) []*job {
	for yields := 0; len(group) < groupSize; {
		select {
		case j := <-s.jobs:
			group, yields = append(group, j), 0
		default:
			if yields++; yields > 3 {
				return group
			}
			runtime.Gosched()
		}
	}
	return group
}

// Busy says that the intake keeps the writer at work. What can wait should.
func (s *Store) Busy() bool { return s.load.Load() > busyShare }

// busyShare is the part of its time, in thousandths, that the writer may work for the intake before it counts as busy.
const busyShare = 600

// clock keeps the share of its time that the writer works for the intake: a moving average over its last groups.
func (s *Store) clock(urgent float64, paused, worked time.Duration) {
	share := 1000 * urgent * float64(worked) / float64(paused+worked+1)
	s.load.Store((s.load.Load()*15 + int64(share)) / 16)
}

// urgent is the share of a group for which somebody waits at a door.
func urgent(group []*job) float64 {
	n := 0
	for _, j := range group {
		if !j.patient {
			n++
		}
	}
	return float64(n) / float64(len(group))
}

// settle commits a group, answers each of its callers, and sees to the disk where that is what failed.
func (s *Store) settle(group []*job) {
	err := s.keep(group)
	if disk, reopen := ailment(err); disk {
		s.heal(err, reopen)
	}
}

// keep commits a group and answers it. It returns only the error of a disk: that of a row concerns nobody but its caller.
func (s *Store) keep(group []*job) error {
	err := s.commit(group)
	disk, _ := ailment(err)
	switch {
	case err == nil:
	case disk:
		s.ailing.Store(true) // before anybody is told, so that a ping says the same
		refuse(group, err)
		return err
	case len(group) > 1:
		return s.keepSingly(group)
	default:
		group[0].err = err
	}
	for _, j := range group {
		j.done <- struct{}{}
	}
	return nil
}

// keepSingly tries the rows of a spoilt group one by one. If the disk fails on the way, the rest does not wait for its cure.
func (s *Store) keepSingly(group []*job) error {
	for i := range group {
		if err := s.keep(group[i : i+1]); err != nil {
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

// commit runs the group in one transaction. A caller that has gone is left out: nobody would hear that it was kept.
func (s *Store) commit(group []*job) error {
	h := s.open.Load()
	h.newest = s.acked
	if err := h.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	for _, j := range group {
		if j.err = j.ctx.Err(); j.err != nil {
			continue
		}
		if err := j.do(h); err != nil {
			h.rollback()
			return err
		}
	}
	if err := h.exec("COMMIT"); err != nil {
		h.rollback()
		return err
	}
	s.acked = h.newest
	return nil
}
