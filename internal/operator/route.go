package operator

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
)

// Route is who would be asked about a lead, in which order, and why others would not.
type Route struct {
	Lead     *lead.Lead // nil where the question is about a service and a place
	Service  lead.Service
	ZIP      string
	At       time.Time
	Nobody   string          // why nobody is asked at all, or ""
	Delivery *buyer.Delivery // where the lead is on its way
	Stops    []Stop
}

// Stop is one buyer on a route.
type Stop struct {
	Buyer     buyer.Buyer
	Place     int // 1 is asked first; 0 is not asked
	Asked     time.Time
	Exclusion buyer.Exclusion
	Note      string
}

// Route explains who would be asked about a service at a ZIP code now. What buyers demand of a lead is noted: there is
// none that could meet it.
func (d *Operator) Route(ctx context.Context, s lead.Service, zip string) (Route, error) {
	r := Route{Service: s, ZIP: zip, At: d.now()}
	if s.Live() {
		r.Nobody = "people dial a number for " + string(s) + " themselves: it is never passed on"
		return r, nil
	}
	coverage, err := d.coverage(ctx)
	if err != nil {
		return r, err
	}
	var l lead.Lead
	l.Request.Service, l.Request.ZIP, l.CreatedAt = s, zip, r.At
	err = d.view(ctx, func(p Tx) error {
		r.Stops = nil
		for _, to := range coverage.All() {
			standing, err := p.Health(to.ID)
			if err != nil {
				return err
			}
			easy := *to
			easy.Terms.Demands = buyer.Demands{}
			x, err := easy.Exclude(l, buyer.Facts{Health: standing, Used: func(period buyer.Period) (int, error) { return p.Used(to.ID, period) }}, r.At)
			if err != nil {
				return err
			}
			r.Stops = append(r.Stops, stop(to.Buyer, x, standing))
		}
		return nil
	})
	r.order()
	return r, err
}

var errLocked = errors.New("what would be after its release has to be supposed")

// RouteLead explains who would be asked about a lead now, with its past: of one in error, after its release.
func (d *Operator) RouteLead(ctx context.Context, id string) (Route, error) {
	r := Route{At: d.now()}
	coverage, err := d.coverage(ctx)
	if err != nil {
		return r, err
	}
	explain := func(p Tx, released bool) error {
		r.Delivery, r.Stops = nil, nil
		seq, l, err := find(p, id)
		if err != nil {
			return err
		}
		r.Lead, r.Service, r.ZIP = &l, l.Request.Service, l.Request.ZIP
		if r.Nobody = over[l.Status]; r.Nobody != "" {
			return nil
		}
		if e, found, err := p.Delivery(seq); err != nil {
			return err
		} else if found {
			r.Delivery = &e
		}
		if l.Status == lead.Errored {
			if !released {
				return errLocked
			}
			if err := releaseHeld(p, seq, r.At); err != nil {
				return err
			}
		}
		var views []forward.View
		if r.Nobody, views, err = forward.Explain(p, coverage, d.Persons, d.Suppressed, seq, r.At); err != nil {
			return err
		}
		for _, v := range views {
			r.Stops = append(r.Stops, stop(v.To.Buyer, v.Exclusion, v.Health))
		}
		return nil
	}
	if err = d.view(ctx, func(p Tx) error { return explain(p, false) }); errors.Is(err, errLocked) {
		err = d.dryRun(ctx, func(p Tx) error { return explain(p, true) })
	}
	r.order()
	return r, err
}

// over says why nobody is asked about leads that are at their end.
var over = map[lead.Status]string{
	lead.Forwarded:     "a buyer has it",
	lead.Rejected:      "it was closed",
	lead.CallToConnect: "the person dials a number themselves",
}

func (d *Operator) coverage(ctx context.Context) (*buyer.Coverage, error) {
	buyers, _, err := d.Store.Buyers(ctx)
	return buyer.NewCoverage(buyers, nil), err
}

func stop(b buyer.Buyer, x buyer.Exclusion, s buyer.Health) Stop {
	st := Stop{Buyer: b, Exclusion: x, Asked: s.Asked}
	if x.Rule == buyer.RuleState && b.Why != "" {
		st.Exclusion.Reason += ": " + b.Why
	}
	if x.Rule == "" {
		st.Note = strings.Join(Wants(b.Terms.Demands), ", ")
	}
	return st
}

// order puts those that are asked first, by priority and then by who waited longest, as the forwarder goes through them.
// They come by priority and id already.
func (r *Route) order() {
	slices.SortStableFunc(r.Stops, func(a, b Stop) int {
		return cmp.Or(a.excluded()-b.excluded(), cmp.Compare(a.Buyer.Terms.Priority, b.Buyer.Terms.Priority), a.Asked.Compare(b.Asked))
	})
	for i := range r.Stops {
		if r.Stops[i].excluded() == 0 {
			r.Stops[i].Place = i + 1
		}
	}
}

// excluded is 1 for a buyer that is not asked.
func (s Stop) excluded() int {
	if s.Exclusion.Rule != "" {
		return 1
	}
	return 0
}
