package forward

import (
	"context"
	"errors"
	"slices"

	"foyer/internal/buyer"
	"foyer/internal/webhook"
)

// The steps of dispatch and work one by one, so that a test can crash between them.

// Task is one message to send.
type Task = task

// Offer returns the offer of a task.
func (tk Task) Offer() buyer.Offer { return tk.offer }

// Kind returns the type of a task's message.
func (tk Task) Kind() string { return tk.kind() }

// ClaimDue claims due deliveries of a queue.
func (f *Forwarder) ClaimDue(ctx context.Context, queue string, limit int) ([]Task, error) {
	tasks, _, err := f.claimDue(ctx, queue, limit)
	return tasks, err
}

// Assign claims new deliveries, sends their messages, and waits for the answers.
func (f *Forwarder) Assign(ctx context.Context, limit int) {
	f.assign(ctx, ctx, "", limit)
	f.workers.Wait()
}

// BuildMessage builds the message of a task.
func (f *Forwarder) BuildMessage(ctx context.Context, tk Task) (webhook.Message, error) {
	return f.message(ctx, tk)
}

// Settle records the outcome of a message.
func (f *Forwarder) Settle(ctx context.Context, tk Task, r webhook.Outcome) (*Task, error) {
	return f.settle(ctx, tk, r)
}

// SettleAgain records it again, as after a commit whose response was lost.
func (f *Forwarder) SettleAgain(ctx context.Context, tk Task, r webhook.Outcome) (*Task, error) {
	tk.mayBeRecorded = true
	return f.settle(ctx, tk, r)
}

// ReleaseSlot returns a slot of a buyer.
func (f *Forwarder) ReleaseSlot(id string) { f.slots.release(id) }

// BeginScans lists the buyers whose scans wake would start. The caller has to run each with Scan.
func (f *Forwarder) BeginScans(ctx context.Context) ([]string, error) {
	ids, err := f.Store.BuyersToWake(ctx, f.Now())
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	if err := f.Refresh(ctx); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(ids, func(id string) bool { return !f.scans.acquire(id) }), nil
}

// Scan scans the leads held for a buyer.
func (f *Forwarder) Scan(ctx context.Context, id string) error {
	defer f.scans.release(id)
	return f.runScan(ctx, id)
}

// Wake scans the held leads for every buyer that may take leads again, one after the other: a test needs a known order.
func (f *Forwarder) Wake(ctx context.Context) error {
	ids, err := f.BeginScans(ctx)
	for _, id := range ids {
		err = errors.Join(err, f.Scan(ctx, id))
	}
	return err
}

// CopyCoverage takes the coverage of another process. Computing it is the slow part of reading the buyers.
func (f *Forwarder) CopyCoverage(other *Forwarder) { f.coverage.Store(other.coverage.Load()) }

// MarkWaiting marks a queue as waiting for a slot.
func (f *Forwarder) MarkWaiting(queue string) { f.slots.markWaiting(queue) }

// CheckRepeats checks the repeats of leads that left the market.
func (f *Forwarder) CheckRepeats(ctx context.Context) error { return f.checkRepeats(ctx) }

// BeginScan takes the lease of a scan for a buyer, and returns what ends the scan: nil if there is nothing to scan.
func (f *Forwarder) BeginScan(ctx context.Context, id string) (end func() error, err error) {
	s, err := f.beginScan(ctx, id)
	if s == nil {
		return nil, err
	}
	return func() error { return s.end(ctx) }, err
}
