package forward

import (
	"context"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// repeatBatch is how many repeats one transaction looks at.
const repeatBatch = 50

// checkRepeats looks at the repeats of requests that left the market: the newest goes on it, if nothing keeps it off.
func (f *Forwarder) checkRepeats(ctx context.Context) error {
	list, err := f.Store.RepeatsToCheck(ctx, f.Now(), repeatBatch)
	if err != nil || len(list) == 0 {
		return err
	}
	defer f.Notify()
	err = f.checkRepeatsIn(ctx, list)
	if err == nil || ctx.Err() != nil || lead.KindOf(err) == lead.Unavailable {
		return err
	}
	for _, seq := range list { // one of them cannot be read: the others go on
		if err := f.checkRepeatsIn(ctx, []int64{seq}); err == nil {
			continue
		} else if lead.KindOf(err) == lead.Unavailable {
			return err
		} else {
			f.Log.Error("a repeated request cannot be looked at: it stays held", "row", seq, "cause", err)
		}
		if err := f.Store.Update(ctx, func(p Tx) error { return p.Withhold(seq, lead.Duplicate, "", f.Now()) }); err != nil {
			return err
		}
	}
	return nil
}

func (f *Forwarder) checkRepeatsIn(ctx context.Context, list []int64) error {
	return f.Store.Update(ctx, func(p Tx) error {
		t := f.newTxn(p)
		for _, seq := range list {
			if err := t.checkRepeat(seq); err != nil {
				return err
			}
		}
		return t.save()
	})
}

// checkRepeat puts a repeat on the market, or keeps it off for the reason that there is now.
func (t *txn) checkRepeat(seq int64) error {
	if mark, err := t.Withheld(seq); err != nil || mark == "" {
		return err // somebody was faster
	}
	l, err := t.LeadBySeq(seq)
	if err != nil {
		return err
	}
	if l.Status != lead.Collected { // a process of an older version moved it, and knows nothing of this
		return t.EndWithhold(seq)
	}
	past, err := t.past(buyer.Delivery{Lead: seq, Since: t.now, Token: 1}, l)
	if err != nil {
		return err
	}
	if mark := t.withhold(l, past); mark != "" {
		if err := t.mark(seq, &l, mark); err != nil {
			return err
		}
		return t.Withhold(seq, mark, past.fingerprint, l.CreatedAt)
	}
	if err := t.enter(seq, &l, past); err != nil {
		return err
	}
	change := lead.Change{At: t.now, Status: lead.Received, Actor: lead.ByService, Reason: "the request that it repeats is on the market no longer"}
	if err := t.Change(seq, lead.Collected, change); err != nil {
		return err
	}
	return t.Queue(seq, t.now)
}
