package forward

import (
	"context"
	"sync"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/webhook"
)

// dispatch assigns work whenever it is notified.
func (f *Forwarder) dispatch(ctx, sending context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.notified:
		}
		for more := true; more && ctx.Err() == nil; {
			f.assignWaiting(ctx, sending) // first, and in every round: many new leads would starve the waiting ones
			more = f.assignNew(ctx, sending)
		}
	}
}

// assignNew finds buyers for a batch of deliveries that have none. It reports whether there may be more.
func (f *Forwarder) assignNew(ctx, sending context.Context) bool {
	limit := min(f.slots.freeTotal(), maxBatch)
	if limit == 0 || !f.mayNeed.Swap(false) {
		return false
	}
	more := f.assign(ctx, sending, "", limit)
	if more {
		f.mayNeed.Store(true)
	}
	return more
}

// assignWaiting starts deliveries that wait for a buyer that has a free slot again.
func (f *Forwarder) assignWaiting(ctx, sending context.Context) {
	for _, queue := range f.slots.takeWaiting() {
		if free := f.slots.free(queue); queue != "" && free > 0 {
			f.assign(ctx, sending, queue, free)
		}
	}
}

// assign claims work from a queue and starts it. It reports whether there may be more.
func (f *Forwarder) assign(ctx, sending context.Context, queue string, limit int) bool {
	tasks, seen, err := f.claimDue(ctx, queue, limit)
	for _, tk := range tasks { // also after an error: they are claimed, and have slots
		f.workers.Go(func() { f.work(sending, tk) })
	}
	if err != nil {
		f.logError(ctx, "the forwarder cannot take work", err)
		return false
	}
	if seen == limit && queue != "" {
		f.slots.markWaiting(queue)
	}
	return seen == limit
}

// work sends the message of a task, records the answer, and goes on with the task that follows, if any.
func (f *Forwarder) work(ctx context.Context, tk task) {
	release := sync.OnceFunc(func() { f.slots.release(tk.to.ID); signal(f.notified) })
	defer release()
	for next := &tk; next != nil && ctx.Err() == nil; {
		msg, err := f.message(ctx, *next)
		if err != nil {
			f.logError(ctx, "cannot read the consent text; the contact is not sent yet", err)
			return
		}
		reply := f.Send(ctx, msg)
		if ctx.Err() != nil {
			return // interrupted: the lease expires, and the message is sent again under the same id
		}
		accepted := next.verdict(reply).Meaning == buyer.Accepts
		if next.completedBy(reply) {
			release() // the record may wait for company, and no other message should wait for it
		}
		if next, err = f.settleUntilWritten(ctx, *next, reply); err != nil {
			f.Log.Warn("could not record a buyer's answer; the message will be sent again", "cause", err)
			return
		}
		if !accepted {
			f.Notify() // the next buyer is to be asked
		}
	}
}

// settleUntilWritten settles a message. While the store is unavailable, it retries for as long as the lease lasts: the buyer
// has answered, and need not be asked twice.
func (f *Forwarder) settleUntilWritten(ctx context.Context, tk task, r webhook.Outcome) (next *task, err error) {
	for {
		next, err = f.settle(context.WithoutCancel(ctx), tk, r)
		if lead.KindOf(err) != lead.Unavailable || f.Now().Add(settleInterval).After(tk.delivery.DueAt) {
			return next, err
		}
		tk.mayBeRecorded = true
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(settleInterval):
		}
	}
}
