package operator

import (
	"context"
	"math"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// Waiting counts the held leads that a buyer covers.
type Waiting struct {
	Covered int       // all that it covers
	Chosen  int       // those that it would get
	Oldest  time.Time // of all covered; zero if there are none
}

// heldPage is how many held leads one query reads, so that counting millions needs little memory.
const heldPage = 2000

// HeldFor counts the held leads that a buyer covers. Its demands, hours and caps still decide about each lead.
func (op *Operator) HeldFor(ctx context.Context, id string, held entered.Held) (w Waiting, err error) {
	w, _, err = op.countHeld(ctx, id, held.Since(op.now()), math.MaxInt)
	return w, err
}

// HeldAmong counts the held leads that a buyer covers among some of them, those that wait longest, and reports whether these are all.
func (op *Operator) HeldAmong(ctx context.Context, id string, most int) (w Waiting, all bool, err error) {
	return op.countHeld(ctx, id, time.Time{}, most)
}

// countHeld reads held leads until it has read enough of them.
func (op *Operator) countHeld(ctx context.Context, id string, since time.Time, most int) (w Waiting, all bool, err error) {
	var b buyer.Buyer
	err = op.Store.View(ctx, func(tx *store.Tx) (err error) { b, err = tx.Buyer(id); return err })
	if err == nil {
		err = checkStart(b)
	}
	if err != nil {
		return w, false, err
	}
	to := buyer.NewCoverage([]buyer.Buyer{b}).Find(id)
	for after, read := int64(0), 0; read < most; {
		held, err := op.Store.HeldAfter(ctx, after, min(heldPage, most-read))
		if err != nil {
			return w, false, err
		}
		for _, h := range held {
			after = h.Lead
			if !to.Covers(h.Service, h.ZIP) {
				continue
			}
			if w.Covered++; w.Oldest.IsZero() || h.At.Before(w.Oldest) {
				w.Oldest = h.At
			}
			if !h.At.Before(since) {
				w.Chosen++
			}
		}
		if len(held) < min(heldPage, most-read) {
			return w, true, nil
		}
		read += len(held)
	}
	return w, false, nil
}

// Start makes a buyer active, and sets which held leads it gets. A paused buyer must be resumed instead: the operator
// should first know why it was paused. Held leads may be sold at once, so a start that offers them cannot be undone.
func (op *Operator) Start(ctx context.Context, by audit.Actor, id string, held entered.Held) (buyer.Buyer, error) {
	if held != (entered.Held{}) {
		op = op.notUndoable()
	}
	return op.change(ctx, by, audit.BuyerStart, id, func(_ *store.Tx, b *buyer.Buyer, s *buyer.Health) error {
		if err := checkStart(*b); err != nil {
			return err
		}
		b.State, b.Why, b.Terms.HeldSince = buyer.Active, "", held.Since(op.now())
		s.Failures, s.Opened, s.OpenUntil = 0, 0, time.Time{}
		return nil
	})
}

// StartTested starts a buyer if it answers a test offer and, should it accept that, acknowledges a test delivery.
func (op *Operator) StartTested(ctx context.Context, by audit.Actor, id string, held entered.Held) (buyer.Buyer, error) {
	t, err := op.Try(ctx, id, Test{Deliver: true})
	if err != nil {
		return t.Buyer, err
	}
	if !t.Usable() {
		return t.Buyer, entered.Refuse("%s (%s) is not started, because its test failed: %s", id, t.Buyer.Terms.Name, t.why())
	}
	return op.Start(ctx, by, id, held)
}

// checkStart refuses buyers that are not to be started.
func checkStart(b buyer.Buyer) error {
	switch {
	case b.Terms.Practice:
		return entered.Refuse("%s (%s) is for practice: it was active from the beginning, and gets only made-up leads. Pause it or resume it", b.ID, b.Terms.Name)
	case b.State == buyer.Paused:
		return entered.Refuse("%s (%s) is paused: resume it, and it is asked again", b.ID, b.Terms.Name)
	}
	return nil
}
