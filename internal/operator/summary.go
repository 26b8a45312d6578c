package operator

import (
	"cmp"
	"context"
	"slices"

	"foyer/internal/buyer"
	"foyer/internal/operator/query"
	"foyer/internal/store"
)

// List returns the summaries of all buyers, those that are asked first at the top.
func (op *Operator) List(ctx context.Context) (summaries []query.Summary, err error) {
	buyers, _, err := op.Store.Buyers(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(buyers, func(a, b buyer.Buyer) int { return cmp.Compare(a.Terms.Priority, b.Terms.Priority) })
	err = op.Store.View(ctx, func(tx *store.Tx) error {
		for _, b := range buyers {
			s, err := query.SummaryOf(tx, b, op.now())
			if err != nil {
				return err
			}
			summaries = append(summaries, s)
		}
		return nil
	})
	return summaries, err
}

// Show returns the summary of one buyer.
func (op *Operator) Show(ctx context.Context, id string) (s query.Summary, err error) {
	err = op.Store.View(ctx, func(tx *store.Tx) error {
		b, err := tx.Buyer(id)
		if err != nil {
			return err
		}
		s, err = query.SummaryOf(tx, b, op.now())
		return err
	})
	return s, err
}
