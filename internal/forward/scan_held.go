package forward

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

const (
	scanBatch    = 2000                   // held leads that one query reads
	releaseBatch = 25                     // leads that one transaction releases, so that the intake never waits long
	busyBatch    = 10                     // the same while clients keep the store busy
	releasePause = 10 * time.Millisecond  // after a batch, for the intake
	aheadPause   = 10 * time.Millisecond  // before looking again whether fewer wait
	maxPause     = 250 * time.Millisecond // for a buyer that is too slow: the next buyer needs the scan's slot
	scanLease    = 15 * time.Second       // a scan without a renewal for so long is taken over by another process
	scanRenewal  = 5 * time.Second        // how often a scan renews its lease
	rescanDelay  = time.Second            // when to scan again if a buyer had less room than there are leads
	maxScans     = 8                      // scans that run concurrently
)

// wake starts a scan of the held leads for every buyer that may take leads again. Each buyer has its own scan, so that a long one
// does not delay the others.
func (f *Forwarder) wake(ctx context.Context) error {
	ids, err := f.Store.BuyersToWake(ctx, f.Now())
	if err != nil || len(ids) == 0 {
		return err
	}
	if err := f.Refresh(ctx); err != nil { // the scan needs the current buyer
		return err
	}
	for _, id := range ids {
		if !f.scans.acquire(id) {
			continue
		}
		f.workers.Go(func() {
			defer f.scans.release(id)
			if err := f.runScan(ctx, id); err != nil {
				f.logError(ctx, "could not scan held leads for "+id+"; will retry", err)
			}
		})
	}
	return nil
}

// coverageSettle is how long after a change of a buyer another process may still decide by the old coverage: until it knows
// of the change, and until the transaction that it began just before has committed, for which a client waits three seconds at most.
const coverageSettle = MaxStaleness + 4*time.Second

// scan is one scan of the held leads for a buyer.
type scan struct {
	*Forwarder
	to    *buyer.Candidate
	until time.Time  // when the lease ends, as last written
	next  time.Time  // when to scan again: the earliest time at which the buyer may be asked about a lead that was passed over
	room  buyer.Room // after the last release; before the first, Money has no bound
}

// runScan scans the held leads in order, and queues those that a buyer covers for delivery again.
func (f *Forwarder) runScan(ctx context.Context, id string) error {
	s, err := f.beginScan(ctx, id)
	if err != nil || s == nil {
		return err
	}
	err = s.run(ctx)
	if errors.Is(err, errTakenOver) {
		return nil
	}
	if err != nil {
		s.next = f.Now().Add(rescanDelay) // if this cannot be written either, the lease expires
	}
	return errors.Join(err, s.end(context.WithoutCancel(ctx)))
}

// run releases the leads that a buyer covers.
func (s *scan) run(ctx context.Context) error {
	if settled := s.to.UpdatedAt.Add(coverageSettle); settled.After(s.Now()) {
		s.next = settled
	}
	var covered []int64
	for after, more := int64(0), true; more; {
		held, err := s.Store.HeldPlaces(ctx, after, scanBatch)
		if err != nil {
			return err
		}
		for _, h := range held {
			after = h.Lead
			switch price := s.to.Terms.Price(h.Service); {
			case !s.to.Covers(h.Service, h.ZIP):
			case !s.room.Affords(price):
				s.next = earlier(s.next, s.room.TooDear(price).Until)
			default:
				covered = append(covered, h.Lead)
			}
		}
		more = len(held) == scanBatch
		for len(covered) >= releaseBatch || !more && len(covered) > 0 {
			chunk := covered[:min(s.batch(), len(covered))]
			if full, err := s.releaseChunk(ctx, chunk); err != nil || full {
				return err
			}
			covered = covered[len(chunk):]
			s.Notify()
			if err := s.awaitSent(ctx); err != nil {
				return err
			}
		}
		if s.until.Sub(s.Now()) < scanLease-scanRenewal { // it released no lead for a while, which also renews the lease
			if err := s.step(ctx, func(*txn) error { return nil }); err != nil {
				return err
			}
		}
	}
	return nil
}

// batch returns how many leads the next transaction releases.
func (s *scan) batch() int {
	if s.Store.Busy() {
		return busyBatch
	}
	return releaseBatch
}

// earlier returns the earlier of two times. A zero time does not count.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// beginScan takes the lease of a scan, so that no other process scans at the same time, and one takes over if this one dies. It
// clears WakeAt: a wake-up that is scheduled from here on is not for this scan, and stays. The scan has the buyer as of this
// transaction. It is nil if there is nothing to scan.
func (f *Forwarder) beginScan(ctx context.Context, id string) (s *scan, err error) {
	err = f.update(ctx, f.Store.Update, func(t *txn) error {
		s = nil
		h, err := t.health(id)
		if err != nil || h.ScanUntil.After(t.now) { // another process began it first
			return err
		}
		to, err := t.buyerNow(id)
		if err != nil {
			return err
		}
		h.WakeAt, h.ScanUntil = time.Time{}, time.Time{}
		if to != nil && to.State == buyer.Active {
			h.ScanUntil = t.now.Add(scanLease)
			s = &scan{Forwarder: f, to: to, until: h.ScanUntil, room: buyer.Room{Money: math.MaxInt64}}
		}
		t.changed[id] = h
		return nil
	})
	return s, err
}

// errTakenOver means that another process took over the scan, because this one did not renew its lease in time.
var errTakenOver = errors.New("another process took the scan over")

// step runs one transaction of a scan, which also extends its lease.
func (s *scan) step(ctx context.Context, do func(*txn) error) error {
	var until time.Time
	err := s.update(ctx, s.Store.Update, func(t *txn) error {
		h, err := t.health(s.to.ID)
		switch {
		case err != nil:
			return err
		case !h.ScanUntil.Equal(s.until):
			return errTakenOver
		}
		until = t.now.Add(scanLease)
		h.ScanUntil = until
		t.changed[s.to.ID] = h
		return do(t)
	})
	if err == nil {
		s.until = until
	}
	return err
}

// end ends a scan and schedules the next one. A wake-up that was scheduled meanwhile stays, unless next is earlier. A scan
// that another process took over goes on.
func (s *scan) end(ctx context.Context) error {
	return s.update(ctx, s.Store.Update, func(t *txn) error {
		h, err := t.health(s.to.ID)
		if err != nil || h == (buyer.Health{}) { // removed meanwhile
			return err
		}
		if h.ScanUntil.Equal(s.until) {
			h.ScanUntil = time.Time{}
		}
		h.WakeAt = earlier(h.WakeAt, s.next)
		t.changed[s.to.ID] = h
		return nil
	})
}

// awaitSent pauses for the intake, and then waits until most of the leads released so far were sent: a new lead for the same buyer waits
// behind the others. Some have to wait, or the buyer would have to.
func (s *scan) awaitSent(ctx context.Context) error {
	if s.inTurn {
		return nil
	}
	if err := sleep(ctx, releasePause); err != nil {
		return err
	}
	ahead := releaseBatch + 2*s.to.Terms.InFlight()
	for range maxPause / aheadPause {
		waiting, err := s.Store.Waiting(ctx, s.to.ID, s.Now(), ahead)
		if err != nil || waiting < ahead {
			return err
		}
		if err := sleep(ctx, aheadPause); err != nil {
			return err
		}
	}
	return nil
}

// sleep returns early, with an error, if ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// releaseChunk releases leads in one transaction. If one of them cannot be read, it releases each in its own transaction, and
// skips that one.
func (s *scan) releaseChunk(ctx context.Context, chunk []int64) (full bool, err error) {
	var looked int
	var room buyer.Room
	var rescanAt time.Time
	err = s.step(ctx, func(t *txn) (err error) {
		looked, room, rescanAt, err = t.releaseSome(s.to, chunk)
		return err
	})
	switch {
	case err == nil:
		s.room, s.next = room, earlier(s.next, rescanAt)
		return looked < len(chunk), nil
	case isTemporary(ctx, err):
		return false, err
	case len(chunk) == 1:
		s.Log.Error("cannot read a held lead; will retry in an hour", "row", chunk[0], "cause", err)
		s.next = earlier(s.next, s.Now().Add(setAsideFor))
		return false, nil
	}
	for i := range chunk {
		if full, err = s.releaseChunk(ctx, chunk[i:i+1]); err != nil || full {
			return full, err
		}
	}
	return false, nil
}

// releaseSome releases as many of the leads as the buyer has room for. It returns how many it examined, what room is left, and when to
// scan again for the others.
func (t *txn) releaseSome(to *buyer.Candidate, chunk []int64) (looked int, room buyer.Room, rescanAt time.Time, err error) {
	h, err := t.health(to.ID)
	if err != nil {
		return 0, room, time.Time{}, err
	}
	facts := buyer.Facts{Health: h, Used: func(period buyer.Period) (buyer.Usage, error) { return t.Used(to.ID, period) }}
	room, none, err := to.Room(facts, t.now, len(chunk))
	if err != nil || none.Rule != "" {
		return 0, room, none.Until, err
	}
	for _, seq := range chunk {
		if room.Leads == 0 || !room.Affords(to.Terms.LowestPrice()) {
			return looked, room, earlier(rescanAt, t.now.Add(rescanDelay)), nil
		}
		left, retryAt, err := t.releaseOne(to, seq, room, t.now.Add(time.Duration(looked)*time.Microsecond)) // keeps their order
		if err != nil {
			return 0, room, time.Time{}, err
		}
		rescanAt = earlier(rescanAt, retryAt)
		room = left
		looked++
	}
	return looked, room, rescanAt, nil
}

// releaseOne queues a lead for delivery again, unless the buyer would not be asked about it or the lead is withheld. It returns what room
// is left after it. If the buyer may be asked later, retryAt is when.
func (t *txn) releaseOne(to *buyer.Candidate, seq int64, room buyer.Room, at time.Time) (left buyer.Room, retryAt time.Time, err error) {
	l, err := t.LeadBySeq(seq)
	if err != nil || l.Status != lead.Collected || !to.Terms.AcceptsPhone(l.Request.Contact.Phone) {
		return room, retryAt, err
	}
	hist, err := t.history(buyer.Delivery{Lead: seq, Since: at, Token: 1}, l)
	if err != nil {
		return room, retryAt, err
	}
	if off, err := t.offMarket(seq, l, hist); err != nil || off {
		return room, retryAt, err
	}
	if v, err := t.consider(to, l, hist); err != nil || v.Exclusion.Rule != "" {
		return room, v.Exclusion.Until, err
	}
	price := to.Terms.Price(l.Request.Service)
	if !room.Affords(price) { // leads released before it may take the money: what becomes of them decides
		return room, t.now.Add(rescanDelay), nil
	}
	change := lead.Change{At: at, Status: lead.Received, Actor: lead.ByService, Reason: "a buyer that covers it can be asked"}
	if err := t.Change(seq, lead.Collected, change); err != nil {
		return room, retryAt, err
	}
	return room.Take(price), retryAt, t.Queue(seq, at)
}

// offMarket reports whether a held lead is withheld from the market. It also withholds a lead that was on the market before if
// a repeat of it is there now.
func (t *txn) offMarket(seq int64, l lead.Lead, hist *history) (bool, error) {
	if mark, err := t.Withheld(seq); err != nil || mark != "" {
		return true, err
	}
	if !hist.entered || slices.Contains(l.Marks, lead.Released) {
		return t.heldOnArrival(l, hist), nil // other rules apply when it is claimed
	}
	mark := t.withholdMark(l, hist)
	if mark == "" {
		return false, nil
	}
	why := lead.Change{At: t.now, Status: lead.Collected, Actor: lead.ByService, Reason: lead.WithholdReasons[mark]} // it was held for another reason
	if err := t.AddHistory(seq, why); err != nil {
		return true, err
	}
	return true, t.withhold(seq, l, hist, mark)
}

// heldOnArrival reports whether a lead is held since it came, until the operator releases it.
func (v *view) heldOnArrival(l lead.Lead, hist *history) bool {
	if hist.entered || slices.Contains(l.Marks, lead.Released) {
		return false
	}
	return slices.Contains(l.Marks, lead.SourceHeld) || v.persons.HoldAutomated && slices.Contains(l.Marks, lead.Automated)
}
