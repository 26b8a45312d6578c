package buyer

import (
	"cmp"
	"iter"
	"slices"

	"foyer/internal/lead"
)

// Coverage says which buyers cover a ZIP code. It is computed when a buyer changes. A query walks the buyers of the service, and
// looks up one bit of each: a thousand buyers take some microseconds.
type Coverage struct {
	Version    int64        // of the list of buyers, as the store counts it; 0 if the caller did not set it
	candidates []*Candidate // by priority, then by id
	byService  map[lead.Service][]*Candidate
	byID       map[string]*Candidate
}

// Candidate is a buyer with its area and hours computed.
type Candidate struct {
	Buyer
	area     *zipSet
	calendar calendar
}

// NewCoverage computes the coverage of buyers.
func NewCoverage(buyers []Buyer) *Coverage {
	c := &Coverage{byService: map[lead.Service][]*Candidate{}, byID: make(map[string]*Candidate, len(buyers))}
	for _, b := range buyers {
		cand := &Candidate{Buyer: b, area: b.Terms.Area.toSet(), calendar: b.Terms.Hours.calendar()}
		c.candidates, c.byID[b.ID] = append(c.candidates, cand), cand
	}
	slices.SortFunc(c.candidates, func(a, b *Candidate) int {
		return cmp.Or(cmp.Compare(a.Terms.Priority, b.Terms.Priority), cmp.Compare(a.ID, b.ID))
	})
	for _, s := range lead.Services {
		for _, cand := range c.candidates {
			if cand.Terms.Takes(s) {
				c.byService[s] = append(c.byService[s], cand)
			}
		}
	}
	return c
}

// In yields the buyers that cover a service at a ZIP code, in any state, by priority and then by id.
func (c *Coverage) In(s lead.Service, zip string) iter.Seq[*Candidate] {
	return func(yield func(*Candidate) bool) {
		n := zipNumber(zip)
		if c == nil || n < 0 {
			return
		}
		for _, cand := range c.byService[s] {
			if cand.area.has(n) && !yield(cand) {
				return
			}
		}
	}
}

// first returns the first active buyer that covers a service at a ZIP code, or nil.
func (c *Coverage) first(s lead.Service, zip string) *Candidate {
	for cand := range c.In(s, zip) {
		if cand.State == Active {
			return cand
		}
	}
	return nil
}

// Covers reports whether an active buyer covers a service at a ZIP code.
func (c *Coverage) Covers(s lead.Service, zip string) bool { return c.first(s, zip) != nil }

// CoversPaused reports whether a buyer that is paused or switched off covers a service at a ZIP code.
func (c *Coverage) CoversPaused(s lead.Service, zip string) bool {
	for cand := range c.In(s, zip) {
		if cand.State == Paused || cand.State == Off {
			return true
		}
	}
	return false
}

// PayoutShown returns the payout hint of the first active buyer, or nil if the operator did not make it public.
func (c *Coverage) PayoutShown(s lead.Service, zip string) *string {
	cand := c.first(s, zip)
	if cand == nil || !cand.Terms.PayoutShown || cand.Terms.Payout == "" {
		return nil
	}
	return &cand.Terms.Payout
}

// Services lists the services that an active buyer covers anywhere.
func (c *Coverage) Services() []lead.Service {
	var covered []lead.Service
	for _, s := range lead.Services {
		if c != nil && slices.ContainsFunc(c.byService[s], func(cand *Candidate) bool { return cand.State == Active }) {
			covered = append(covered, s)
		}
	}
	return covered
}

// Find returns the buyer with an id, or nil.
func (c *Coverage) Find(id string) *Candidate {
	if c == nil {
		return nil
	}
	return c.byID[id]
}

// All lists every buyer, by priority and then by id.
func (c *Coverage) All() []*Candidate {
	if c == nil {
		return nil
	}
	return c.candidates
}
