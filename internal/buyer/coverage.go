package buyer

import (
	"cmp"
	"iter"
	"slices"

	"foyer/internal/lead"
)

// Coverage says which buyers cover a ZIP code. It is computed when a buyer changes, so that a query is a lookup: it lists the
// buyers of each ZIP code, and keeps those that cover a large part of the country in a separate list.
type Coverage struct {
	candidates []*Candidate // by priority
	byID       map[string]*Candidate
	local      []uint32 // indexes into candidates, grouped by ZIP code
	start      []uint32 // where each ZIP code starts in local
	broad      []uint32
}

// Candidate is a buyer with its area and hours computed.
type Candidate struct {
	Buyer
	area     *zipSet
	calendar calendar
}

// broadThreshold is how many ZIP codes put a buyer in the broad list, which every query checks, instead of under each ZIP code.
const broadThreshold = 20_000

// NewCoverage computes the coverage of buyers. It reuses the areas that have not changed since previous.
func NewCoverage(buyers []Buyer, previous *Coverage) *Coverage {
	c := &Coverage{byID: make(map[string]*Candidate, len(buyers))}
	for _, b := range buyers {
		cand := &Candidate{Buyer: b, calendar: b.Terms.Hours.calendar()}
		if cand.area = previous.knownArea(b); cand.area == nil {
			cand.area = b.Terms.Area.toSet()
		}
		c.candidates, c.byID[b.ID] = append(c.candidates, cand), cand
	}
	slices.SortFunc(c.candidates, func(a, b *Candidate) int {
		return cmp.Or(cmp.Compare(a.Terms.Priority, b.Terms.Priority), cmp.Compare(a.ID, b.ID))
	})
	c.buildIndex()
	return c
}

func (c *Coverage) knownArea(b Buyer) *zipSet {
	if c == nil || c.byID[b.ID] == nil {
		return nil
	}
	known := c.byID[b.ID]
	a, before := b.Terms.Area, known.Terms.Area
	if a.ZIPs != before.ZIPs || a.Excluded != before.Excluded || !slices.Equal(a.States, before.States) {
		return nil
	}
	return known.area
}

// buildIndex fills local and broad: it counts the buyers of each ZIP code, and then places them.
func (c *Coverage) buildIndex() {
	var local []*Candidate
	c.start = make([]uint32, allZIPs+1)
	for i, cand := range c.candidates {
		if cand.area.count() >= broadThreshold {
			c.broad = append(c.broad, uint32(i))
			continue
		}
		local = append(local, cand)
		for zip := range cand.area.all() {
			c.start[zip+1]++
		}
	}
	for zip := range allZIPs {
		c.start[zip+1] += c.start[zip]
	}
	c.local = make([]uint32, c.start[allZIPs])
	next := slices.Clone(c.start)
	for i, cand := range c.candidates {
		if len(local) > 0 && local[0] == cand {
			local = local[1:]
			for zip := range cand.area.all() {
				c.local[next[zip]] = uint32(i)
				next[zip]++
			}
		}
	}
}

// In yields the buyers that cover a service at a ZIP code, in any state, by priority and then by id.
func (c *Coverage) In(s lead.Service, zip string) iter.Seq[*Candidate] {
	return func(yield func(*Candidate) bool) {
		n := zipNumber(zip)
		if c == nil || n < 0 {
			return
		}
		local, broad := c.local[c.start[n]:c.start[n+1]], c.broad
		for len(local) > 0 || len(broad) > 0 {
			var i uint32
			if len(broad) == 0 || len(local) > 0 && local[0] < broad[0] {
				i, local = local[0], local[1:]
			} else {
				i, broad = broad[0], broad[1:]
			}
			if cand := c.candidates[i]; cand.Terms.Takes(s) && cand.area.has(n) && !yield(cand) {
				return
			}
		}
	}
}

// Covers reports whether an active buyer covers a service at a ZIP code.
func (c *Coverage) Covers(s lead.Service, zip string) bool {
	for cand := range c.In(s, zip) {
		if cand.State == Active {
			return true
		}
	}
	return false
}

// PayoutShown returns the payout hint of the first active buyer, or nil if the operator did not make it public.
func (c *Coverage) PayoutShown(s lead.Service, zip string) *string {
	for cand := range c.In(s, zip) {
		if cand.State == Active {
			if cand.Terms.PayoutShown && cand.Terms.Payout != "" {
				return &cand.Terms.Payout
			}
			return nil
		}
	}
	return nil
}

// Services lists the services that an active buyer covers anywhere.
func (c *Coverage) Services() []lead.Service {
	var covered []lead.Service
	for _, s := range lead.Services {
		if c != nil && slices.ContainsFunc(c.candidates, func(cand *Candidate) bool { return cand.State == Active && cand.Terms.Takes(s) }) {
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
