package commit

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

var errDisk = errors.New("the disk is gone")

// failing is a target whose database takes a while to fail, and then accepts nothing until it is repaired.
type failing struct {
	groups
	repaired time.Time
}

const failsAfter = 10 * time.Millisecond

func (f *failing) Probe() error {
	if time.Now().Before(f.repaired) {
		return errDisk
	}
	return nil
}

func (f *failing) Commit(group []*Request[string]) error {
	if err := f.Probe(); err != nil {
		time.Sleep(failsAfter)
		return err
	}
	return f.groups.Commit(group)
}

func (f *failing) Classify(err error) (storage, again bool) { return err != nil, false }

// TestRequestsThatWaitAreRefused queues requests of each kind while a commit is about to fail. Whoever waits hears of it soon, not after
// the repair, and what comes after the repair is committed.
func TestRequestsThatWaitAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &failing{repaired: time.Now().Add(time.Hour)}
		q := NewQueue[string]("tests", slog.New(slog.DiscardHandler))
		q.AddWriter(f, Options{Mixed: true, MaxWait: time.Minute})()
		refused := make(chan error)
		submit := func(kind Kind) {
			go func() { refused <- q.Submit(context.Background(), "work", kind) }()
			synctest.Wait()
		}
		began := time.Now()
		submit(Normal) // its commit fails
		kinds := []Kind{Normal, Background, Patient, Urgent, Timed}
		for _, kind := range kinds {
			submit(kind)
		}
		for range len(kinds) + 1 {
			err := <-refused
			if _, ok := errors.AsType[*Refused](err); !ok {
				t.Errorf("the answer is %v, not a refusal", err)
			}
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("the last was refused after %v", took)
		}
		time.Sleep(time.Hour + 2*retryInterval)
		for _, kind := range kinds {
			if err := q.Submit(context.Background(), "after", kind); err != nil {
				t.Errorf("after the repair: %v", err)
			}
		}
		if len(f.committed) != len(kinds) {
			t.Errorf("committed were %v", f.committed)
		}
		q.Stop()
		q.Wait()
	})
}
