package forward

import (
	"context"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// checkRepeatsBatch is how many repeats one transaction checks.
const checkRepeatsBatch = 50

// checkRepeats checks the repeats of requests that left the market: the newest goes on the market unless a rule withholds it. If one
// fails, it stays held, and the others are checked without it.
func (f *Forwarder) checkRepeats(ctx context.Context) error {
	seqs, err := f.Store.RepeatsToCheck(ctx, f.Now(), checkRepeatsBatch)
	if err != nil || len(seqs) == 0 {
		return err
	}
	defer f.Notify()
	err = f.checkTogether(ctx, seqs...)
	if err == nil || isTemporary(ctx, err) {
		return err
	}
	for _, seq := range seqs { // together they do not say which one fails: the commit may
		err := f.checkTogether(ctx, seq)
		if err != nil && !isTemporary(ctx, err) {
			f.Log.Error("cannot check a repeated request; it stays held", "row", seq, "cause", err)
			err = f.Store.Update(ctx, func(tx *store.Tx) error { return tx.Withhold(seq, lead.Duplicate, "", f.Now()) })
		}
		if err != nil {
			return err
		}
	}
	return f.checkRepeats(ctx)
}

func (f *Forwarder) checkTogether(ctx context.Context, seqs ...int64) error {
	return f.update(ctx, f.Store.Update, func(t *txn) error {
		for _, seq := range seqs {
			if err := t.checkRepeat(seq); err != nil {
				return err
			}
		}
		return nil
	})
}

// checkRepeat puts a repeat on the market, or withholds it for the reason that applies now.
func (t *txn) checkRepeat(seq int64) error {
	if mark, err := t.Withheld(seq); err != nil || mark == "" {
		return err // another process checked it first
	}
	l, err := t.LeadBySeq(seq)
	if err != nil {
		return err
	}
	if l.Status != lead.Collected { // a process of an older version changed the status without ending the withhold
		return t.EndWithhold(seq)
	}
	hist, err := t.history(buyer.Delivery{Lead: seq, Since: t.now, Token: 1}, l)
	if err != nil {
		return err
	}
	if mark := t.withholdMark(l, hist); mark != "" {
		return t.withhold(seq, l, hist, mark)
	}
	if err := t.enter(seq, &l, hist); err != nil {
		return err
	}
	change := lead.Change{At: t.now, Status: lead.Received, Actor: lead.ByService, Reason: "the request that it repeats is on the market no longer"}
	if err := t.Change(seq, lead.Collected, change); err != nil {
		return err
	}
	return t.Queue(seq, t.now)
}
