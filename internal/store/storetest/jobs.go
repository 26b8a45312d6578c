package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"foyer/internal/store"
)

// tester is what a *testing.T and the *rapid.T of a model have in common.
type tester interface {
	Helper()
	Fatal(args ...any)
	Context() context.Context
}

// Job leases a job of its own for a test.
func Job(t tester, s *store.Store) *store.Job {
	t.Helper()
	j, err := s.StartJob(t.Context(), "a job of a test", "proc_test", 0, time.Now)
	if err != nil || j == nil {
		t.Fatal("the job has not started: ", err)
	}
	return j
}

// clock is the clock of a process.
type clock struct{ time.Time }

func (c *clock) now() time.Time          { return c.Time }
func (c *clock) advance(d time.Duration) { c.Time = c.Add(d) }

// startJob leases the job of the tests of jobs for a process.
func startJob(t *testing.T, s *store.Store, owner string, c *clock) *store.Job {
	t.Helper()
	j, err := s.StartJob(t.Context(), "retention", owner, 10*time.Minute, c.now)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func touch(j *store.Job) error {
	return j.Update(context.Background(), func(*store.Tx) error { return nil })
}

func (c Contract) jobs(t *testing.T) {
	t.Run("one process does a job, and nobody again before it is due", c.jobDoneOnce)
	t.Run("another process takes over, and the first is refused", c.jobTakenOver)
	t.Run("a process that failed tries again at once", c.jobAgain)
	t.Run("clocks that differ", c.jobClocks)
}

func (c Contract) jobDoneOnce(t *testing.T) {
	s := c.store(t)
	at := &clock{Noon}
	j := startJob(t, s, "proc_1", at)
	if j == nil {
		t.Fatal("a job that was never done is due")
	}
	if startJob(t, s, "proc_2", at) != nil {
		t.Error("two processes have the job")
	}
	if err := j.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, owner := range []string{"proc_1", "proc_2"} {
		if startJob(t, s, owner, at) != nil {
			t.Errorf("%s does a job again that was just done", owner)
		}
	}
	at.advance(11 * time.Minute)
	if startJob(t, s, "proc_2", at) == nil {
		t.Error("the job is due again, and nobody gets it")
	}
}

// jobTakenOver: a process that hangs loses its job when the lease ends, and can write nothing more. One that goes on keeps it.
func (c Contract) jobTakenOver(t *testing.T) {
	s := c.store(t)
	at := &clock{Noon}
	first := startJob(t, s, "proc_1", at)
	for range 10 { // each transaction renews the lease
		at.advance(time.Minute / 4)
		if err := touch(first); err != nil {
			t.Fatal(err)
		}
		if startJob(t, s, "proc_2", at) != nil {
			t.Fatal("another process took a job whose lease is renewed")
		}
	}
	at.advance(time.Minute)
	second := startJob(t, s, "proc_2", at)
	if second == nil {
		t.Fatal("nobody takes over the job of a process that hangs")
	}
	if err := touch(first); !errors.Is(err, store.ErrJobTaken) {
		t.Errorf("the process that hung writes again: %v", err)
	}
	if err := first.Finish(t.Context()); !errors.Is(err, store.ErrJobTaken) {
		t.Errorf("it finishes the job of another process: %v", err)
	}
	if err := touch(second); err != nil {
		t.Error(err)
	}
}

// jobAgain: a process that failed starts the job again at once, and the transactions of its first try are refused.
func (c Contract) jobAgain(t *testing.T) {
	s := c.store(t)
	at := &clock{Noon}
	failed := startJob(t, s, "proc_1", at)
	again := startJob(t, s, "proc_1", at)
	if again == nil {
		t.Fatal("it has to wait for its own lease")
	}
	if err := touch(failed); !errors.Is(err, store.ErrJobTaken) {
		t.Errorf("the first try goes on: %v", err)
	}
}

// jobClocks: a clock that is far ahead keeps nobody from the job, one that is five seconds off changes nothing.
func (c Contract) jobClocks(t *testing.T) {
	s := c.store(t)
	ahead, slow := &clock{Noon.Add(24 * time.Hour)}, &clock{Noon.Add(-5 * time.Second)}
	if err := startJob(t, s, "proc_ahead", ahead).Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if startJob(t, s, "proc_ahead", ahead); startJob(t, s, "proc_2", &clock{Noon}) == nil {
		t.Fatal("a day passes until the job is due")
	}
	if startJob(t, s, "proc_slow", slow) != nil {
		t.Error("a process whose clock is five seconds slow takes a job that another one has")
	}
}
