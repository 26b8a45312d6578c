package forward

import (
	"context"
	"time"

	"foyer/internal/lead"
)

// dispatch gives out work whenever somebody calls, and now and then by itself.
func (f *Forwarder) dispatch(ctx, sending context.Context) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		var lanes []string
		select {
		case <-ctx.Done():
			return
		case <-f.woken:
		case <-tick.C:
			var err error
			if lanes, err = f.Store.BuyerQueues(ctx, f.Now()); err != nil {
				f.logError(ctx, "the forwarder cannot read its queue", err)
			}
		}
		for more := true; more && ctx.Err() == nil; lanes = nil {
			f.assignWaiting(ctx, sending, lanes) // each time, and first: a great many fresh ones would keep all others waiting
			more = f.assignNew(ctx, sending)
		}
		if f.Busy() { // every lead that comes in calls; to listen to each would be work of its own
			time.Sleep(busyInterval)
		}
	}
}

// assignNew finds buyers for some of what looks for one, and for a few only while the intake needs the machine. It says
// whether there may be more.
func (f *Forwarder) assignNew(ctx, sending context.Context) bool {
	if f.Busy() {
		f.assign(ctx, sending, "", busyBatch)
		return false
	}
	most := min(f.slots.room(), maxBatch)
	return most > 0 && f.assign(ctx, sending, "", most)
}

// assignWaiting sends what waits for its buyer, in these lanes and in those in which a slot has become free.
func (f *Forwarder) assignWaiting(ctx, sending context.Context, lanes []string) {
	for _, lane := range append(lanes, f.slots.takeLimited()...) {
		if free := f.slots.free(lane); lane != "" && free > 0 {
			f.assign(ctx, sending, lane, free)
		}
	}
}

// assign takes work from a lane and starts it. It says whether there may be more.
func (f *Forwarder) assign(ctx, sending context.Context, lane string, most int) bool {
	tasks, seen, err := f.take(ctx, lane, most)
	if err != nil {
		f.logError(ctx, "the forwarder cannot take work", err)
		return false
	}
	if seen == most && lane != "" {
		f.slots.expect(lane)
	}
	for _, t := range tasks {
		f.working.Go(func() { f.work(sending, t) })
	}
	return seen == most
}

// work does one task to its end, and whatever follows from it at once.
func (f *Forwarder) work(ctx context.Context, t task) {
	defer f.Notify()
	defer f.slots.release(t.to.ID)
	for next := &t; next != nil && ctx.Err() == nil; {
		letter, err := f.message(ctx, *next)
		if err != nil {
			f.logError(ctx, "the words of consent cannot be read; the contact waits", err)
			return
		}
		reply := f.Send(ctx, letter)
		if ctx.Err() != nil {
			return // cut off in the middle: the lease ends by itself, and the message is sent again under its id
		}
		if next, err = f.settleUntilWritten(ctx, *next, reply); err != nil {
			f.Log.Warn("an answer could not be written down; the message is sent again", "cause", err)
			return
		}
		if f.stale.CompareAndSwap(true, false) {
			if err := f.Refresh(ctx); err != nil {
				f.stale.Store(true)
			}
		}
	}
}

// settleUntilWritten settles a message. While the books are out of reach it tries again for as long as the lease lasts: the buyer has
// answered, and need not be asked twice.
func (f *Forwarder) settleUntilWritten(ctx context.Context, x task, r Reply) (next *task, err error) {
	for {
		next, err = f.settle(context.WithoutCancel(ctx), x, r)
		if lead.KindOf(err) != lead.Unavailable || f.Now().Add(settleInterval).After(x.delivery.DueAt) {
			return next, err
		}
		x.mayBeWritten = true
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(settleInterval):
		}
	}
}
