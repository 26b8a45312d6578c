package operator

import (
	"context"
	"slices"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// practiceName is what a practice buyer is called until somebody gives it another name.
const practiceName = "Practice buyer"

// StartPractice adds a practice buyer, which is active at once: it has no endpoint to be tested, and can get nobody's lead. It is asked
// last. There is one at most.
func (op *Operator) StartPractice(ctx context.Context, by audit.Actor) (buyer.Buyer, error) {
	b := buyer.Buyer{ID: op.NewID(entered.BuyerIDPrefix), State: buyer.Active, Secrets: []string{op.NewSecret()}, Terms: buyer.Terms{
		Practice: true, Name: practiceName, URL: buyer.PracticeURL, Services: slices.Clone(entered.Forwardable), Priority: entered.MaxPriority,
	}}
	err := op.Store.Update(ctx, func(tx *store.Tx) error {
		if err := op.save(tx, by, audit.BuyerAdd, buyer.Buyer{}, &b, buyer.Health{}); err != nil {
			return err
		}
		buyers, err := tx.Ledger().Buyers() // after the buyer was saved, as checkSavedName wants
		for _, other := range buyers {
			if other.ID != b.ID && other.State != buyer.Removed && other.Terms.Practice {
				return entered.Refuse("there is a practice buyer already: %s (%s), which is %s", other.ID, other.Terms.Name, other.State)
			}
		}
		if err != nil {
			return err
		}
		return checkSavedName(tx, b)
	})
	return b, err
}

// RecordTestLead records who sent a made-up lead, which came in like any other.
func (op *Operator) RecordTestLead(ctx context.Context, by audit.Actor, id string) error {
	return op.Store.Update(ctx, func(tx *store.Tx) error { return op.record(tx, by, audit.LeadTest, id, nil) })
}
