package forward

import (
	"context"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// followBatch is how many repeats one transaction looks at.
const followBatch = 50

// follow looks at the repeats of requests that left the market: the newest goes on it, if nothing keeps it off.
func (f *Forwarder) follow(ctx context.Context) error {
	list, err := f.Books.ToFollow(ctx, f.Now(), followBatch)
	if err != nil || len(list) == 0 {
		return err
	}
	defer f.Call()
	err = f.followAll(ctx, list)
	if err == nil || ctx.Err() != nil || lead.KindOf(err) == lead.Unavailable {
		return err
	}
	for _, seq := range list { // one of them cannot be read: the others go on
		if err := f.followAll(ctx, []int64{seq}); err == nil {
			continue
		} else if lead.KindOf(err) == lead.Unavailable {
			return err
		} else {
			f.Log.Error("a repeated request cannot be looked at: it stays held", "row", seq, "cause", err)
		}
		if err := f.Books.Turn(ctx, func(p Page) error { return p.Withhold(seq, lead.Duplicate, "", f.Now()) }); err != nil {
			return err
		}
	}
	return nil
}

func (f *Forwarder) followAll(ctx context.Context, list []int64) error {
	return f.Books.Turn(ctx, func(p Page) error {
		t := f.turn(p)
		for _, seq := range list {
			if err := t.followOne(seq); err != nil {
				return err
			}
		}
		return t.save()
	})
}

// followOne puts a repeat on the market, or keeps it off for the reason that there is now.
func (t *turn) followOne(seq int64) error {
	if mark, err := t.Withheld(seq); err != nil || mark == "" {
		return err // somebody was faster
	}
	l, err := t.LeadAt(seq)
	if err != nil {
		return err
	}
	if l.Status != lead.Collected { // a process of an older version moved it, and knows nothing of this
		return t.Unwithhold(seq)
	}
	past, err := t.past(buyer.Errand{Lead: seq, Since: t.now, Token: 1}, l)
	if err != nil {
		return err
	}
	if mark := t.withhold(l, past); mark != "" {
		if err := t.mark(seq, &l, mark); err != nil {
			return err
		}
		return t.Withhold(seq, mark, past.print, l.CreatedAt)
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
