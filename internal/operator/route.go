package operator

import (
	"context"
	"errors"
	"slices"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/query"
	"foyer/internal/store"
)

// Trial is a buyer with edited terms, to see what they would change. The zero Trial changes nothing.
type Trial struct {
	Buyer string // its id
	Terms entered.Terms
	State buyer.State // "" for the state that it has
}

// Route explains which buyers would be asked about a service in a ZIP code now. Buyers' demands on leads are notes here,
// because there is no lead to check against them.
func (op *Operator) Route(ctx context.Context, s lead.Service, zip string) (query.Route, error) {
	return op.TryRoute(ctx, Trial{}, s, zip)
}

// TryRoute is Route with the edited terms of a buyer. The error has the problems that saving them would have.
func (op *Operator) TryRoute(ctx context.Context, trial Trial, s lead.Service, zip string) (query.Route, error) {
	r := query.Route{Service: s, ZIP: zip, At: op.now()}
	if s.Live() {
		r.Nobody = "people dial a number for " + string(s) + " themselves: it is never passed on"
		return r, nil
	}
	coverage, err := op.coverage(ctx, trial)
	if err != nil {
		return r, err
	}
	var l lead.Lead
	l.Request.Service, l.Request.ZIP, l.CreatedAt = s, zip, r.At
	err = op.Store.View(ctx, func(tx *store.Tx) error {
		r.Stops = nil
		for _, to := range coverage.All() {
			health, err := tx.Health(to.ID)
			if err != nil {
				return err
			}
			relaxed := *to
			relaxed.Terms.Demands = buyer.Demands{}
			x, err := relaxed.Exclude(l, buyer.Facts{Health: health, Used: func(period buyer.Period) (buyer.Usage, error) { return tx.Used(to.ID, period) }}, r.At)
			if err != nil {
				return err
			}
			r.Stops = append(r.Stops, query.NewStop(to.Buyer, x, health))
		}
		return nil
	})
	r.Order()
	return r, err
}

// RouteLead explains which buyers would be asked about a lead now, given its history.
func (op *Operator) RouteLead(ctx context.Context, id string) (query.Route, error) {
	return op.TryRouteLead(ctx, Trial{}, id)
}

// TryRouteLead is RouteLead with the edited terms of a buyer. The error has the problems that saving them would have.
func (op *Operator) TryRouteLead(ctx context.Context, trial Trial, id string) (query.Route, error) {
	r := query.Route{At: op.now()}
	coverage, err := op.coverage(ctx, trial)
	if err != nil {
		return r, err
	}
	err = op.Store.View(ctx, func(tx *store.Tx) error {
		seq, l, err := findLead(tx, id)
		if err != nil {
			return err
		}
		r.Lead, r.Service, r.ZIP = &l, l.Request.Service, l.Request.ZIP
		if r.Nobody = closedReason[l.Status]; r.Nobody != "" {
			return nil
		}
		if d, found, err := tx.Delivery(seq); err != nil {
			return err
		} else if found {
			r.Delivery = &d
		}
		var views []forward.View
		if r.Nobody, views, err = forward.Explain(tx, coverage, op.Persons, op.Suppressed, seq, r.At); err != nil {
			return err
		}
		for _, v := range views {
			r.Stops = append(r.Stops, query.NewStop(v.To.Buyer, v.Exclusion, v.Health))
		}
		return nil
	})
	r.Order()
	return r, err
}

// closedReason says why no buyer is asked about a lead with a status.
var closedReason = map[lead.Status]string{
	lead.Errored:       "it is in error, and a buyer may have the contact. Release it to let others be asked",
	lead.Forwarded:     "a buyer has it",
	lead.Rejected:      "it was closed",
	lead.CallToConnect: "the person dials a number themselves",
}

func (op *Operator) coverage(ctx context.Context, trial Trial) (*buyer.Coverage, error) {
	if trial.Buyer == "" {
		buyers, _, err := op.Store.Buyers(ctx)
		return buyer.NewCoverage(buyers), err
	}
	buyers, problems, err := op.edited(ctx, trial.Buyer, New{Terms: trial.Terms})
	if err := errors.Join(err, problems.OrNil()); err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(buyers, func(b buyer.Buyer) bool { return b.ID == trial.Buyer }); trial.State != "" {
		buyers[i].State, buyers[i].Why = trial.State, ""
	}
	return buyer.NewCoverage(buyers), nil
}
