package buyer

import (
	"cmp"
	"iter"
	"slices"

	"foyer/internal/lead"
)

// Coverage knows who covers a place. It is worked out when a buyer changes, so that to ask it is a look-up: for each ZIP
// code it lists the buyers there, and those that cover a large part of the country stand in one list of their own.
type Coverage struct {
	candidates []*Candidate // by priority
	byID       map[string]*Candidate
	local      []uint32 // places in prospects, those of one ZIP code behind another's
	start      []uint32 // where a ZIP code begins in local
	broad      []uint32
}

// Candidate is a buyer with its terms worked out.
type Candidate struct {
	Buyer
	area     *zipSet
	calendar calendar
}

// broadThreshold is how many ZIP codes make a buyer one that is looked at for every lead, instead of being listed under each.
const broadThreshold = 20_000

// NewCoverage works out who covers what. Areas that the previous coverage knows are not worked out again.
func NewCoverage(buyers []Buyer, previous *Coverage) *Coverage {
	c := &Coverage{byID: make(map[string]*Candidate, len(buyers))}
	for _, b := range buyers {
		p := &Candidate{Buyer: b, calendar: b.Terms.Hours.calendar()}
		if p.area = previous.knownArea(b); p.area == nil {
			p.area = b.Terms.Area.toSet()
		}
		c.candidates, c.byID[b.ID] = append(c.candidates, p), p
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
	a, was := b.Terms.Area, known.Terms.Area
	if a.ZIPs != was.ZIPs || a.Excluded != was.Excluded || !slices.Equal(a.States, was.States) {
		return nil
	}
	return known.area
}

// buildIndex counts the buyers of each ZIP code, and then writes them down behind each other.
func (c *Coverage) buildIndex() {
	var local []*Candidate
	c.start = make([]uint32, allZIPs+1)
	for i, p := range c.candidates {
		if p.area.count() >= broadThreshold {
			c.broad = append(c.broad, uint32(i))
			continue
		}
		local = append(local, p)
		for zip := range p.area.all() {
			c.start[zip+1]++
		}
	}
	for zip := range allZIPs {
		c.start[zip+1] += c.start[zip]
	}
	c.local = make([]uint32, c.start[allZIPs])
	next := slices.Clone(c.start)
	for i, p := range c.candidates {
		if len(local) > 0 && local[0] == p {
			local = local[1:]
			for zip := range p.area.all() {
				c.local[next[zip]] = uint32(i)
				next[zip]++
			}
		}
	}
}

// In lists the buyers that cover a service at a ZIP code, in whatever state they are: by priority, and then by id.
func (c *Coverage) In(s lead.Service, zip string) iter.Seq[*Candidate] {
	return func(yield func(*Candidate) bool) {
		n := zipNumber(zip)
		if c == nil || n < 0 {
			return
		}
		here, broad := c.local[c.start[n]:c.start[n+1]], c.broad
		for len(here) > 0 || len(broad) > 0 {
			var i uint32
			if len(broad) == 0 || len(here) > 0 && here[0] < broad[0] {
				i, here = here[0], here[1:]
			} else {
				i, broad = broad[0], broad[1:]
			}
			if p := c.candidates[i]; p.Terms.Takes(s) && p.area.has(n) && !yield(p) {
				return
			}
		}
	}
}

// Covers says whether there is somebody to be asked about a service at a ZIP code.
func (c *Coverage) Covers(s lead.Service, zip string) bool {
	for p := range c.In(s, zip) {
		if p.State == Active {
			return true
		}
	}
	return false
}

// PayoutShown is the payout hint of the first buyer that would be asked, where the operator made it public, or nil.
func (c *Coverage) PayoutShown(s lead.Service, zip string) *string {
	for p := range c.In(s, zip) {
		if p.State == Active {
			if p.Terms.PayoutShown && p.Terms.Payout != "" {
				return &p.Terms.Payout
			}
			return nil
		}
	}
	return nil
}

// Services lists the services that somebody covers somewhere.
func (c *Coverage) Services() []lead.Service {
	var covered []lead.Service
	for _, s := range lead.Services {
		if c != nil && slices.ContainsFunc(c.candidates, func(p *Candidate) bool { return p.State == Active && p.Terms.Takes(s) }) {
			covered = append(covered, s)
		}
	}
	return covered
}

// Find is the buyer with an id, or nil.
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
