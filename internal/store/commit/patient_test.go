package commit

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// groups is a target that records which work was committed together, and when.
type groups struct {
	mu        sync.Mutex
	committed [][]string
}

func (g *groups) Commit(group []*Request[string]) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	var work []string
	for _, req := range group {
		work = append(work, req.Work)
	}
	slices.Sort(work)
	g.committed = append(g.committed, work)
	return nil
}

func (g *groups) Rollback()                            {}
func (g *groups) Classify(error) (storage, again bool) { return false, false }
func (g *groups) Reopen(context.Context) error         { return nil }
func (g *groups) Probe() error                         { return nil }

// run runs do with a queue that commits to g.
func (g *groups) run(t *testing.T, do func(q *Queue[string])) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue[string]("tests", slog.New(slog.DiscardHandler))
		q.AddWriter(g, Options{Mixed: true})()
		do(q)
		q.Stop()
		q.Wait()
	})
}

// submit submits work and waits until it is queued. Its channel gets how long it waited.
func submit(t *testing.T, q *Queue[string], work string, kind Kind) <-chan time.Duration {
	took := make(chan time.Duration, 1)
	go func() {
		began := time.Now()
		if err := q.Submit(context.Background(), work, kind); err != nil {
			t.Error(err)
		}
		took <- time.Since(began)
	}()
	synctest.Wait()
	return took
}

func TestPatientRequestGoesWithTheNextGroup(t *testing.T) {
	for _, kind := range []Kind{Background, Timed} {
		var g groups
		g.run(t, func(q *Queue[string]) {
			patient := submit(t, q, "patient", Patient)
			time.Sleep(time.Millisecond)
			submit(t, q, "other", kind)
			if took := <-patient; took != time.Millisecond {
				t.Errorf("it waited %v, not for the other request alone", took)
			}
		})
		if len(g.committed) != 1 || len(g.committed[0]) != 2 {
			t.Errorf("committed were %v, not both together", g.committed)
		}
	}
}

func TestPatientRequestDoesNotWaitForever(t *testing.T) {
	var g groups
	g.run(t, func(q *Queue[string]) {
		if took := <-submit(t, q, "patient", Patient); took != maxPatience {
			t.Errorf("alone, it waited %v", took)
		}
	})
	if len(g.committed) != 1 {
		t.Errorf("committed were %v, not it alone and once", g.committed)
	}
}

func TestPatientRequestIsCommittedBeforeTheQueueEnds(t *testing.T) {
	var g groups
	g.run(t, func(q *Queue[string]) { submit(t, q, "patient", Patient) })
	if len(g.committed) != 1 {
		t.Errorf("committed were %v", g.committed)
	}
}
