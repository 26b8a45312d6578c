package forward

import (
	"context"
	"errors"
	"slices"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

const (
	scanTime     = 2000                   // how many held leads are looked at together
	releaseBatch = 50                     // how many are released in one transaction, so that the intake never waits long
	scanPause    = 100 * time.Millisecond // between two of them: what is held has waited already, and what comes in now has not
	scanLease    = 15 * time.Second       // after how long without a sign of life another process takes a walk over
	renewal      = 5 * time.Second        // after how long a walk gives one
	soon         = time.Second            // when to look again where a buyer had less room than there is to do
)

// wake looks at what is held for every buyer that may take leads again.
func (f *Forwarder) wake(ctx context.Context) error {
	ids, err := f.Store.BuyersToWake(ctx, f.Now())
	if err != nil || len(ids) == 0 {
		return err
	}
	if err := f.Refresh(ctx); err != nil { // a buyer is known before it is woken
		return err
	}
	for _, id := range ids {
		if !f.scans.begin(id) {
			continue
		}
		f.working.Go(func() {
			defer f.scans.end(id)
			if err := f.release(ctx, id); err != nil {
				f.logError(ctx, "what is held for "+id+" could not be looked through; it is tried again", err)
			}
		})
	}
	return nil
}

// settling is how long after a change of a buyer another process may still decide by the old coverage: until it knows of the
// change, and until what it began just before is in the books.
const settling = MaxStaleness + time.Second

// release walks through what is held, in its order, and puts what a buyer covers on its way again.
func (f *Forwarder) release(ctx context.Context, id string) error {
	to, err := f.beginScan(ctx, id)
	if err != nil || to == nil {
		return err
	}
	next, err := f.scanHeld(ctx, to)
	if errors.Is(err, errTakenOver) {
		return nil
	}
	if err != nil {
		next = f.Now().Add(soon) // where this cannot be written down either, the lease ends by itself
	}
	return errors.Join(err, f.endScan(context.WithoutCancel(ctx), id, next))
}

// scanHeld releases what a buyer covers, and says when to look again: the earliest time at which it may be asked about a lead that was
// passed over.
func (f *Forwarder) scanHeld(ctx context.Context, to *buyer.Candidate) (lookAgainAt time.Time, err error) {
	if settled := to.UpdatedAt.Add(settling); settled.After(f.Now()) {
		lookAgainAt = settled
	}
	renewed := f.Now()
	for after, more := int64(0), true; more; {
		held, err := f.Store.HeldAfter(ctx, after, scanTime)
		if err != nil {
			return lookAgainAt, err
		}
		var theirs []int64
		for _, h := range held {
			if after = h.Lead; to.Covers(h.Service, h.ZIP) {
				theirs = append(theirs, h.Lead)
			}
		}
		passedOver, full, err := f.releaseAll(ctx, to, theirs)
		if err != nil {
			return lookAgainAt, err
		}
		lookAgainAt = earlier(lookAgainAt, passedOver)
		more = len(held) == scanTime && !full
		if now := f.Now(); len(theirs) > 0 { // which gave a sign of life
			renewed = now
		} else if now.Sub(renewed) > renewal {
			if err := f.renewScan(ctx, to.ID); err != nil {
				return lookAgainAt, err
			}
			renewed = now
		}
	}
	return lookAgainAt, nil
}

// earlier is the earlier of two times. One that is zero does not count.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// beginScan takes a walk, so that no other process walks at the same time, and one does if this one dies. It takes the alarm that
// rang with it: one that is asked for from here on is not for this walk, and stays. It returns the buyer as it is in this
// transaction, or nil where there is nothing to be looked through.
func (f *Forwarder) beginScan(ctx context.Context, id string) (to *buyer.Candidate, err error) {
	var until time.Time
	err = f.Store.Update(ctx, func(p Tx) error {
		t := f.newTxn(p)
		s, err := t.health(id)
		if err != nil {
			return err
		}
		to, until = nil, t.now.Add(scanLease)
		if s.ScanUntil.After(t.now) {
			return nil // another process was faster
		}
		if to, err = t.buyerNow(id); err != nil {
			return err
		}
		t.dirty[id] = true
		s.WakeAt, s.ScanUntil = time.Time{}, until
		if to == nil || to.State != buyer.Active {
			to, s.ScanUntil = nil, time.Time{}
		}
		return t.save()
	})
	if err == nil && to != nil {
		f.scans.lease(id, until)
	}
	return to, err
}

// errTakenOver says that another process looks through what is held: this one gave no sign of life for too long.
var errTakenOver = errors.New("another process took the walk over")

// renewScan says that a walk is still under way.
func (f *Forwarder) renewScan(ctx context.Context, id string) error {
	return f.scanning(ctx, id, func(*txn) error { return nil })
}

// scanning does one step of a walk, and moves the end of its lease on.
func (f *Forwarder) scanning(ctx context.Context, id string, do func(*txn) error) error {
	var until time.Time
	err := f.Store.Update(ctx, func(p Tx) error {
		t := f.newTxn(p)
		s, err := t.health(id)
		switch {
		case err != nil:
			return err
		case !s.ScanUntil.Equal(f.scans.until(id)):
			return errTakenOver
		}
		until = t.now.Add(scanLease)
		s.ScanUntil, t.dirty[id] = until, true
		if err := do(t); err != nil {
			return err
		}
		return t.save()
	})
	if err == nil {
		f.scans.lease(id, until)
	}
	return err
}

// endScan ends a walk, and sets the alarm for the next look. One that was asked for meanwhile stays, unless this one rings earlier. A
// walk that another process took over goes on.
func (f *Forwarder) endScan(ctx context.Context, id string, next time.Time) error {
	return f.Store.Update(ctx, func(p Tx) error {
		s, err := p.Health(id)
		if err != nil || s == (buyer.Health{}) { // removed meanwhile
			return err
		}
		if s.ScanUntil.Equal(f.scans.until(id)) {
			s.ScanUntil = time.Time{}
		}
		s.WakeAt = earlier(s.WakeAt, next)
		return p.PutHealth(id, s)
	})
}

// releaseAll releases leads by the handful. It says when to look again, at those that were passed over or because the buyer
// has no more room.
func (f *Forwarder) releaseAll(ctx context.Context, to *buyer.Candidate, theirs []int64) (lookAgainAt time.Time, full bool, err error) {
	for part := range slices.Chunk(theirs, releaseBatch) {
		passedOver, full, err := f.releasePart(ctx, to, part)
		if err != nil {
			return time.Time{}, false, err
		}
		lookAgainAt = earlier(lookAgainAt, passedOver)
		if full {
			return lookAgainAt, true, nil
		}
		f.Notify()
		select {
		case <-ctx.Done():
			return lookAgainAt, false, ctx.Err()
		case <-time.After(scanPause):
		}
	}
	return lookAgainAt, false, nil
}

// releasePart releases leads in one transaction. Where one of them cannot be read, each gets a transaction of its own, and that one
// is left out.
func (f *Forwarder) releasePart(ctx context.Context, to *buyer.Candidate, part []int64) (lookAgainAt time.Time, full bool, err error) {
	var looked int
	err = f.scanning(ctx, to.ID, func(t *txn) (err error) {
		looked, lookAgainAt, err = t.releaseSome(to, part)
		return err
	})
	switch {
	case err == nil:
		return lookAgainAt, looked < len(part), nil
	case ctx.Err() != nil || lead.KindOf(err) == lead.Unavailable || errors.Is(err, errTakenOver):
		return lookAgainAt, false, err
	case len(part) == 1:
		f.Log.Error("a held lead cannot be looked at: it is tried again in an hour", "row", part[0], "cause", err)
		return f.Now().Add(setAside), false, nil
	}
	for i := range part {
		later, full, err := f.releasePart(ctx, to, part[i:i+1])
		lookAgainAt = earlier(lookAgainAt, later)
		if err != nil || full {
			return lookAgainAt, full, err
		}
	}
	return lookAgainAt, false, nil
}

// releaseSome releases as many of the leads as the buyer has room for, and says how many were looked at, and when to look
// again at the others.
func (t *txn) releaseSome(to *buyer.Candidate, part []int64) (looked int, lookAgainAt time.Time, err error) {
	s, err := t.health(to.ID)
	if err != nil {
		return 0, time.Time{}, err
	}
	facts := buyer.Facts{Health: *s, Used: func(period buyer.Period) (int, error) { return t.Used(to.ID, period) }}
	away, err := to.Unavailable(facts, t.now)
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

// releaseOne puts a lead on its way again, unless the buyer would not be asked about it, or the lead is kept off the market. If the
// buyer was asked a short while ago, the time comes later.
func (t *txn) releaseOne(to *buyer.Candidate, seq int64, at time.Time) (released bool, later time.Time, err error) {
	l, err := t.LeadBySeq(seq)
	if err != nil || l.Status != lead.Collected {
		return false, later, err
	}
	past, err := t.past(buyer.Delivery{Lead: seq, Since: at, Token: 1}, l)
	if err != nil {
		return false, later, err
	}
	if off, err := t.offMarket(seq, l, past); err != nil || off {
		return false, later, err
	}
	if x, err := t.exclusion(to, l, past); err != nil || x.Rule != "" {
		return false, x.Until, err
	}
	change := lead.Change{At: at, Status: lead.Received, Actor: lead.ByService, Reason: "a buyer that covers it can be asked"}
	if err := t.Change(seq, lead.Collected, change); err != nil {
		return false, later, err
	}
	return true, later, t.Queue(seq, at)
}

// offMarket says whether a held lead is kept off the market. One that was on it before, and meets a repeat of its own there now, is
// kept off it from here on.
func (t *txn) offMarket(seq int64, l lead.Lead, past *past) (bool, error) {
	if mark, err := t.Withheld(seq); err != nil || mark != "" {
		return true, err
	}
	if slices.Contains(l.Marks, lead.Released) {
		return false, nil
	}
	if !past.entered {
		return t.people.HoldAutomated && slices.Contains(l.Marks, lead.Automated), nil // else it is looked at when it is claimed
	}
	mark := t.withhold(l, past)
	if mark == "" {
		return false, nil
	}
	if err := t.mark(seq, &l, mark); err != nil {
		return true, err
	}
	return true, t.Withhold(seq, mark, past.fingerprint, l.CreatedAt)
}
