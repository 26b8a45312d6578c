package forward

import (
	"context"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

const (
	walk      = 2000                   // how many held leads are looked at together
	handful   = 50                     // how many are released in one transaction, so that the intake never waits long
	breath    = 100 * time.Millisecond // between two of them: what is held has waited already, and what comes in now has not
	walkLease = 5 * time.Minute        // how long others leave a walk to the process that began it
	soon      = time.Second            // when to look again where a buyer had less room than there is to do
)

// wake looks at what is held for every buyer that may take leads again.
func (f *Forwarder) wake(ctx context.Context) error {
	ids, err := f.Books.Woken(ctx, f.Now())
	if err != nil || len(ids) == 0 {
		return err
	}
	if err := f.Refresh(ctx); err != nil { // a buyer is known before it is woken
		return err
	}
	for _, id := range ids {
		if !f.walks.begin(id) {
			continue
		}
		f.working.Go(func() {
			defer f.walks.end(id)
			if err := f.release(ctx, id); err != nil {
				f.complain(ctx, "what is held for "+id+" could not be looked through; it is tried again", err)
			}
		})
	}
	return nil
}

// settling is how long after a change of a buyer another process may still decide by the old coverage: until it knows of the
// change, and until what it began just before is in the books.
const settling = KnownAfter + time.Second

// release walks through what is held, in its order, and puts what a buyer covers on its way again.
func (f *Forwarder) release(ctx context.Context, id string) error {
	to := f.Coverage().Find(id)
	alarm, err := f.begin(ctx, id)
	if err != nil {
		return err
	}
	if to == nil || to.State != buyer.Active {
		return f.done(ctx, id, alarm, time.Time{})
	}
	var lookAgainAt time.Time // the earliest time at which it may be asked about a lead that was passed over
	if settled := to.UpdatedAt.Add(settling); settled.After(f.Now()) {
		lookAgainAt = settled
	}
	for after, more := int64(0), true; more; {
		held, err := f.Books.HeldAfter(ctx, after, walk)
		if err != nil {
			return err
		}
		var theirs []int64
		for _, h := range held {
			if after = h.Lead; to.Covers(h.Service, h.ZIP) {
				theirs = append(theirs, h.Lead)
			}
		}
		passedOver, full, err := f.releaseAll(ctx, to, theirs)
		if err != nil {
			return err
		}
		lookAgainAt = earlier(lookAgainAt, passedOver)
		more = len(held) == walk && !full
	}
	return f.done(ctx, id, alarm, lookAgainAt)
}

// earlier is the earlier of two times. One that is zero does not count.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// begin moves a buyer's alarm on, so that no other process walks at the same time, and one does if this one dies.
func (f *Forwarder) begin(ctx context.Context, id string) (alarm time.Time, err error) {
	alarm = f.Now().Add(walkLease).Truncate(time.Microsecond)
	return alarm, f.Books.Turn(ctx, func(p Page) error {
		s, err := p.Standing(id)
		if err != nil {
			return err
		}
		s.WakeAt = alarm
		return p.PutStanding(id, s)
	})
}

// done sets the alarm for the next look. One that somebody else has set meanwhile stays, unless the next look is due earlier.
func (f *Forwarder) done(ctx context.Context, id string, alarm, next time.Time) error {
	return f.Books.Turn(ctx, func(p Page) error {
		s, err := p.Standing(id)
		if err != nil {
			return err
		}
		if s.WakeAt.Equal(alarm) {
			s.WakeAt = time.Time{} // it is ours, and was for the case that this process dies
		}
		s.WakeAt = earlier(s.WakeAt, next)
		return p.PutStanding(id, s)
	})
}

// releaseAll releases leads by the handful. It says when to look again, at those that were passed over or because the buyer
// has no more room.
func (f *Forwarder) releaseAll(ctx context.Context, to *buyer.Prospect, theirs []int64) (lookAgainAt time.Time, full bool, err error) {
	for len(theirs) > 0 {
		part := theirs[:min(len(theirs), handful)]
		var looked int
		var passedOver time.Time
		err := f.Books.Turn(ctx, func(p Page) (err error) {
			looked, passedOver, err = f.turn(p).releaseSome(to, part)
			return err
		})
		if err != nil {
			return time.Time{}, false, err
		}
		lookAgainAt = earlier(lookAgainAt, passedOver)
		if looked < len(part) {
			return lookAgainAt, true, nil
		}
		theirs = theirs[looked:]
		f.Call()
		select {
		case <-ctx.Done():
			return lookAgainAt, false, ctx.Err()
		case <-time.After(breath):
		}
	}
	return lookAgainAt, false, nil
}

// releaseSome releases as many of the leads as the buyer has room for, and says how many were looked at, and when to look
// again at the others.
func (t *turn) releaseSome(to *buyer.Prospect, part []int64) (looked int, lookAgainAt time.Time, err error) {
	s, err := t.standing(to.ID)
	if err != nil {
		return 0, time.Time{}, err
	}
	facts := buyer.Facts{Standing: *s, Used: func(period buyer.Period) (int, error) { return t.Used(to.ID, period) }}
	away, err := to.Away(facts, t.now)
	if err != nil || away.Rule != "" {
		return 0, away.Until, err
	}
	room, err := to.Room(facts, t.now, len(part))
	if err != nil {
		return 0, time.Time{}, err
	}
	for _, seq := range part {
		if room == 0 {
			return looked, earlier(lookAgainAt, t.now.Add(soon)), nil
		}
		released, later, err := t.releaseOne(to, seq, t.now.Add(time.Duration(looked)*time.Microsecond)) // in their order
		if err != nil {
			return 0, time.Time{}, err
		}
		lookAgainAt = earlier(lookAgainAt, later)
		if looked++; released {
			room--
		}
	}
	return looked, lookAgainAt, nil
}

// releaseOne puts a lead on its way again, unless the buyer would not be asked about it. If it was asked a short while ago,
// and has not changed since, the time comes later.
func (t *turn) releaseOne(to *buyer.Prospect, seq int64, at time.Time) (released bool, later time.Time, err error) {
	l, err := t.LeadAt(seq)
	if err != nil || l.Status != lead.Collected {
		return false, later, err
	}
	past, err := t.past(buyer.Errand{Lead: seq, Since: at, Token: 1}, &l)
	if err != nil {
		return false, later, err
	}
	if x, err := t.exclusion(to, l, past); err != nil || x.Rule != "" {
		return false, x.Until, err
	}
	for _, o := range past.offers {
		if o.Buyer == to.ID && o.At.After(to.UpdatedAt) && patience(o).After(at) {
			return false, patience(o), nil
		}
	}
	change := lead.Change{At: at, Status: lead.Received, Actor: lead.ByService, Reason: "a buyer that covers it can be asked"}
	if err := t.Change(seq, lead.Collected, change); err != nil {
		return false, later, err
	}
	return true, later, t.Queue(seq, at)
}

// patience is until when a buyer is not asked again about a lead that it did not take.
func patience(o buyer.Offer) time.Time {
	if o.State == buyer.Declined {
		return o.At.Add(afterCap)
	}
	return o.At.Add(afterFailure)
}
