package operator

import (
	"context"
	"errors"
	"slices"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/query"
	"foyer/internal/store"
)

// Effect says what terms would do: those of a new buyer if id is "", or the changes of another one's. It saves nothing. The error has the problems
// that saving them would have; if they leave the numbers alone, such as a missing name, the effect has numbers as well.
func (op *Operator) Effect(ctx context.Context, id string, n New) (e query.Effect, err error) {
	buyers, problems, err := op.edited(ctx, id, n)
	if err != nil {
		return e, err
	}
	e.Buyer = buyers[slices.IndexFunc(buyers, func(b buyer.Buyer) bool { return b.ID == id })]
	if slices.ContainsFunc(problems, func(p entered.FieldError) bool { return slices.Contains(decidingTerms, p.Term) }) {
		return e, problems
	}
	if err = op.Store.View(ctx, func(tx *store.Tx) (err error) { e, err = query.EffectOf(tx, buyers, id, op.now()); return err }); err != nil {
		return e, err
	}
	return e, problems.OrNil()
}

// decidingTerms are the terms that decide about the numbers of an effect.
var decidingTerms = []string{
	"", "services", "zips", "exclude-zips", "states", "time-zone", "cap-hour", "cap-day", "cap-month", "cap-total", "money-cap-day", "money-cap-month", "price", "priority",
}

// edited returns the buyers with the terms of one as they would be saved, and the problems that saving would have.
func (op *Operator) edited(ctx context.Context, id string, n New) (buyers []buyer.Buyer, problems entered.Problems, err error) {
	if buyers, _, err = op.Store.Buyers(ctx); err != nil {
		return nil, nil, err
	}
	buyers = slices.Clone(buyers)
	if id == "" {
		b := buyer.Buyer{State: buyer.Testing}
		b.Terms, err = n.Check(op.CheckURL, op.CheckSecret)
		buyers = append(buyers, b)
	}
	i := slices.IndexFunc(buyers, func(b buyer.Buyer) bool { return b.ID == id })
	if i < 0 {
		return nil, nil, lead.NotFoundError("buyer with this id")
	}
	if id != "" {
		buyers[i].Terms, err = n.Terms.Change(buyers[i].Terms, op.CheckURL)
	}
	problems, _ = errors.AsType[entered.Problems](err)
	if n.Terms.Name != nil {
		if taken, is := errors.AsType[entered.Problems](checkNameFree(buyers, buyers[i])); is {
			problems.Add(taken[0])
		}
	}
	return buyers, problems, nil
}
