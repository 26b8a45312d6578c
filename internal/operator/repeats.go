package operator

import (
	"context"
	"time"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// closeRepeatsBatch is how many repeats one transaction closes, so that no client waits long for it.
const closeRepeatsBatch = 500

// repeatsTime is how long repeats are looked for that only the search index knows. It is only too short while the index is being filled
// from the beginning. What is not found then, the operator closes, who has the request and suppresses the number.
const repeatsTime = time.Second

// withdrawAll withdraws repeats as the lead that the person names. It returns how many it closed: one that a buyer may have stays.
func (op *Operator) withdrawAll(tx *store.Tx, repeats []int64, c lead.Change) (closed int, err error) {
	for _, seq := range repeats {
		status, err := tx.StatusOf(seq)
		if err != nil {
			return closed, err
		}
		if w, _, err := op.withdraw(tx, Requesting, seq, lead.Lead{Status: status}, c); err != nil {
			return closed, err
		} else if w.Status != "" {
			closed++
		}
	}
	return closed, nil
}

// withdrawOthers withdraws the repeats that were never on the market, and so have no fingerprint there: nobody covered them, or they have
// just arrived. It looks for them outside the transactions that close them, so that no writer waits for the search.
func (op *Operator) withdrawOthers(ctx context.Context, r lead.PrivacyRequest, taken lead.Request, c lead.Change) error {
	began := time.Now()
	page := store.LeadPage{Limit: closeRepeatsBatch, Ended: func() bool { return time.Since(began) > repeatsTime }}
	for {
		var repeats []int64
		if err := op.Store.View(ctx, func(tx *store.Tx) (err error) {
			repeats, page.Before, err = tx.FindUnsold(taken, op.Persons.Key, page)
			return err
		}); err != nil || len(repeats) == 0 {
			return err
		}
		if err := op.Store.UpdateUrgent(ctx, func(tx *store.Tx) error {
			closed, err := op.withdrawAll(tx, repeats, c)
			if err != nil || closed == 0 {
				return err
			}
			return recordPrivacy(tx, r, audit.Detail{"repeats_closed": closed})
		}); err != nil || page.Before == 0 {
			return err
		}
	}
}
