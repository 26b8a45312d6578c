package forward

import (
	"context"
	"errors"
	"slices"
	"time"

	"foyer/internal/buyer"
)

// The steps of dispatch and work, one by one: a test puts crashes between them.

// Task is one message that is to be sent.
type Task = task

// Offer is what a task is about.
func (x Task) Offer() buyer.Offer { return x.offer }

// Kind is the type of a task's message.
func (x Task) Kind() string { return x.kind() }

// Take claims due errands of a lane.
func (f *Forwarder) Take(ctx context.Context, lane string, most int) ([]Task, error) {
	tasks, _, err := f.claimDue(ctx, lane, most)
	return tasks, err
}

// Letter writes the message of a task.
func (f *Forwarder) Letter(ctx context.Context, x Task) (Message, error) { return f.message(ctx, x) }

// Settle writes down what came of it.
func (f *Forwarder) Settle(ctx context.Context, x Task, r Reply) (*Task, error) {
	return f.settle(ctx, x, r)
}

// SettleAgain writes it down once more, as if nobody had heard that it was.
func (f *Forwarder) SettleAgain(ctx context.Context, x Task, r Reply) (*Task, error) {
	x.mayBeRecorded = true
	return f.settle(ctx, x, r)
}

// GiveBack ends the use of a buyer's slot.
func (f *Forwarder) GiveBack(id string) { f.slots.release(id) }

// BeginWalks lists the buyers whose walks wake would begin. Each is to be made, by Walk.
func (f *Forwarder) BeginWalks(ctx context.Context) ([]string, error) {
	ids, err := f.Store.BuyersToWake(ctx, f.Now())
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	if err := f.Refresh(ctx); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(ids, func(id string) bool { return !f.scans.begin(id) }), nil
}

// Walk looks through what is held for a buyer.
func (f *Forwarder) Walk(ctx context.Context, id string) error {
	defer f.scans.end(id)
	return f.runScan(ctx, id)
}

// Wake looks at what is held for every buyer that may take leads again, for one after the other: a test must know who comes
// first.
func (f *Forwarder) Wake(ctx context.Context) error {
	ids, err := f.BeginWalks(ctx)
	for _, id := range ids {
		err = errors.Join(err, f.Walk(ctx, id))
	}
	return err
}

// LearnFrom lets a process know what another one knows. To work coverage out is the slow part of reading the buyers.
func (f *Forwarder) LearnFrom(other *Forwarder) { f.coverage.Store(other.coverage.Load()) }

// Expect says that something waits in a lane.
func (f *Forwarder) Expect(lane string) { f.slots.markWaiting(lane) }

// Follow looks at the repeats of what left the market.
func (f *Forwarder) Follow(ctx context.Context) error { return f.checkRepeats(ctx) }

// Begin takes a walk through what is held for a buyer, and says whether there is one to take.
func (f *Forwarder) Begin(ctx context.Context, id string) (bool, error) {
	to, err := f.beginScan(ctx, id)
	return to != nil, err
}

// Done ends a walk.
func (f *Forwarder) Done(ctx context.Context, id string, next time.Time) error {
	return f.endScan(ctx, id, next)
}
