package forward

import (
	"context"
	"errors"
)

// Step does everything that is due, one message after the other, for a clock that does not run by itself: the same decisions at the same
// times have the same results. Call it after Start, and instead of Run.
func (f *Forwarder) Step(ctx context.Context) error {
	f.inTurn = true
	for {
		pending, err := f.Store.Pending(ctx, f.Now())
		if err != nil {
			return err
		}
		if f.Coverage().Version != pending.BuyersVersion {
			if err := f.Refresh(ctx); err != nil {
				return err
			}
		}
		if pending.Scans {
			if err := f.scanInTurn(ctx); err != nil {
				return err
			}
		}
		if pending.Repeats {
			if err := f.checkRepeats(ctx); err != nil {
				return err
			}
		}
		sent, err := f.sendInTurn(ctx, append(pending.Queues, ""))
		if err != nil || sent == 0 {
			return err
		}
	}
}

// scanInTurn is wake without goroutines and pauses.
func (f *Forwarder) scanInTurn(ctx context.Context) error {
	ids, err := f.Store.BuyersToWake(ctx, f.Now())
	if err != nil {
		return err
	}
	for _, id := range ids {
		err = errors.Join(err, f.runScan(ctx, id))
	}
	return err
}

// sendInTurn sends what is due in some queues, and returns how many leads that were.
func (f *Forwarder) sendInTurn(ctx context.Context, queues []string) (n int, err error) {
	for _, queue := range queues {
		tasks, _, err := f.claimDue(ctx, queue, maxBatch)
		for _, tk := range tasks { // also after an error: they are claimed, and have slots
			f.work(ctx, tk)
		}
		if n += len(tasks); err != nil {
			return n, err
		}
	}
	return n, ctx.Err()
}
