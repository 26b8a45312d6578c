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
	breath    = 100 * time.Millisecond // between two of them: buyers have waited, and who asks now has not
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
		if err := f.release(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// release walks through what is held, in its order, and puts what a buyer covers on its way again.
func (f *Forwarder) release(ctx context.Context, id string) error {
	to := f.Coverage().Find(id)
	alarm, err := f.begin(ctx, id)
	if err != nil || to == nil || to.State != buyer.Active {
		return f.done(ctx, id, alarm, time.Time{}, err)
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
		if again, full, err := f.releaseAll(ctx, to, theirs); err != nil || full {
			return f.done(ctx, id, alarm, again, err)
		}
		more = len(held) == walk
	}
	return f.done(ctx, id, alarm, time.Time{}, nil)
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

// done sets the alarm for the next look, unless somebody else has set it meanwhile.
func (f *Forwarder) done(ctx context.Context, id string, alarm, next time.Time, err error) error {
	if err != nil {
		return err
	}
	return f.Books.Turn(ctx, func(p Page) error {
		s, err := p.Standing(id)
		if err != nil || !s.WakeAt.Equal(alarm) {
			return err
		}
		s.WakeAt = next
		return p.PutStanding(id, s)
	})
}

// releaseAll releases leads by the handful. It says when to come again where the buyer has no more room.
func (f *Forwarder) releaseAll(ctx context.Context, to *buyer.Prospect, theirs []int64) (again time.Time, full bool, err error) {
	for len(theirs) > 0 {
		part := theirs[:min(len(theirs), handful)]
		var used int
		err := f.Books.Turn(ctx, func(p Page) error {
			var err error
			used, again, err = f.turn(p).releaseSome(to, part)
			return err
		})
		if err != nil || used < len(part) {
			return again, err == nil, err
		}
		theirs = theirs[used:]
		f.Call()
		select {
		case <-ctx.Done():
			return again, false, ctx.Err()
		case <-time.After(breath):
		}
	}
	return time.Time{}, false, nil
}

// releaseSome releases as many of the leads as the buyer has room for, and says how many were looked at.
func (t *turn) releaseSome(to *buyer.Prospect, part []int64) (looked int, again time.Time, err error) {
	s, err := t.standing(to.ID)
	if err != nil {
		return 0, again, err
	}
	facts := buyer.Facts{Standing: *s, Used: func(period buyer.Period) (int, error) { return t.Used(to.ID, period) }}
	away, err := to.Away(facts, t.now)
	if err != nil || away.Rule != "" {
		return 0, away.Until, err
	}
	room, err := to.Room(facts, t.now, len(part))
	if err != nil {
		return 0, again, err
	}
	for _, seq := range part {
		if room == 0 {
			return looked, t.now.Add(soon), nil
		}
		released, err := t.releaseOne(to, seq, t.now.Add(time.Duration(looked)*time.Microsecond)) // in their order
		if err != nil {
			return 0, again, err
		}
		if looked++; released {
			room--
		}
	}
	return looked, again, nil
}

// releaseOne puts a lead on its way again, unless the buyer would not be asked about it, or was a short while ago.
func (t *turn) releaseOne(to *buyer.Prospect, seq int64, at time.Time) (bool, error) {
	l, err := t.LeadAt(seq)
	if err != nil || l.Status != lead.Collected {
		return false, err
	}
	past, err := t.past(buyer.Errand{Lead: seq, Since: at, Token: 1}, &l)
	if err != nil {
		return false, err
	}
	if x, err := t.exclusion(to, l, past); err != nil || x.Rule != "" {
		return false, err
	}
	for _, o := range past.offers {
		lately := o.At.After(at.Add(-afterFailure)) && o.State == buyer.Dropped || o.At.After(at.Add(-afterCap)) && o.State == buyer.Declined
		if o.Buyer == to.ID && lately {
			return false, nil
		}
	}
	change := lead.Change{At: at, Status: lead.Received, Actor: lead.ByService, Reason: "a buyer that covers it can be asked"}
	if err := t.Change(seq, lead.Collected, change); err != nil {
		return false, err
	}
	return true, t.Queue(seq, at)
}
