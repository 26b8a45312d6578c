package query

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
)

// Route is which buyers would be asked about a lead, in which order, and why the others would not.
type Route struct {
	Lead     *lead.Lead // nil for a question about a service and a ZIP code
	Service  lead.Service
	ZIP      string
	At       time.Time
	Nobody   string          // why no buyer is asked at all, or ""
	Delivery *buyer.Delivery // nil if the lead is not queued
	Stops    []Stop
}

// Stop is one buyer on a route.
type Stop struct {
	Buyer     buyer.Buyer
	Place     int // 1 is asked first; 0 means not asked
	Asked     time.Time
	Exclusion buyer.Exclusion
	Note      string
}

func NewStop(b buyer.Buyer, x buyer.Exclusion, health buyer.Health) Stop {
	st := Stop{Buyer: b, Exclusion: x, Asked: health.Asked}
	if x.Rule == buyer.RuleState && b.Why != "" {
		st.Exclusion.Reason += ": " + b.Why
	}
	if x.Rule == "" {
		st.Note = strings.Join(entered.Wants(b.Terms.Demands), ", ")
	}
	return st
}

// Order sorts the buyers that are asked to the front, by priority and then by who was asked least recently, as the
// forwarder does. The input is already sorted by priority and id.
func (r *Route) Order() {
	slices.SortStableFunc(r.Stops, func(a, b Stop) int {
		return cmp.Or(a.excluded()-b.excluded(), cmp.Compare(a.Buyer.Terms.Priority, b.Buyer.Terms.Priority), a.Asked.Compare(b.Asked))
	})
	for i := range r.Stops {
		if r.Stops[i].excluded() == 0 {
			r.Stops[i].Place = i + 1
		}
	}
}

// excluded returns 1 for a buyer that is not asked, and 0 otherwise.
func (s Stop) excluded() int {
	if s.Exclusion.Rule != "" {
		return 1
	}
	return 0
}
