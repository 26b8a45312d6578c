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

// In yields the buyers that cover a service at a ZIP code, in any state, by priority and then by id. A practice buyer covers nothing
// but numbers that no person can have: it is not among them without a phone number.
func (c *Coverage) In(s lead.Service, zip, phone string) iter.Seq[*Candidate] {
	return func(yield func(*Candidate) bool) {
		n := zipNumber(zip)
		if c == nil || n < 0 {
			return
		}
		for _, cand := range c.byService[s] {
			if cand.area.has(n) && cand.Terms.AcceptsPhone(phone) && !yield(cand) {
				return
			}
		}
	}
}

// first returns the first active buyer that covers a service at a ZIP code for a phone number, or nil.
func (c *Coverage) first(s lead.Service, zip, phone string) *Candidate {
	for cand := range c.In(s, zip, phone) {
		if cand.State == Active {
			return cand
		}
	}
	return nil
}

// FirstAsked tells where a buyer, taken as active, is asked first about leads of a service: for a ZIP code, it returns how many buyers take turns
// there, the buyer included, or 0 if the buyer does not cover it or if others are asked before. Like Covers, it knows nothing of hours, caps and
// answers. A practice buyer is asked about no lead of a person.
func (c *Coverage) FirstAsked(id string, s lead.Service) func(zip string) int {
	own := c.Find(id)
	if own == nil || !own.Terms.Takes(s) || !own.Terms.AcceptsPhone("") {
		return func(string) int { return 0 }
	}
	before, equals := new(zipSet), []*zipSet{}
	for _, cand := range c.byService[s] {
		switch {
		case cand == own || cand.State != Active || !cand.Terms.AcceptsPhone(""):
		case cand.Terms.Priority < own.Terms.Priority:
			for i, bits := range cand.area {
				before[i] |= bits
			}
		case cand.Terms.Priority == own.Terms.Priority:
			equals = append(equals, cand.area)
		}
	}
	return func(zip string) int {
		n := zipNumber(zip)
		if n < 0 || !own.area.has(n) || before.has(n) {
			return 0
		}
		turns := 1
		for _, other := range equals {
			if other.has(n) {
				turns++
			}
		}
		return turns
	}
}

// Covers reports whether an active buyer covers a service at a ZIP code for a phone number.
func (c *Coverage) Covers(s lead.Service, zip, phone string) bool {
	return c.first(s, zip, phone) != nil
}

// CoversPractice reports whether a lead would go to a practice buyer: one covers it, and no other buyer that would be asked does.
func (c *Coverage) CoversPractice(s lead.Service, zip, phone string) bool {
	return c.first(s, zip, "") == nil && c.Covers(s, zip, phone)
}

// CoversPaused reports whether a buyer that is paused or switched off covers a service at a ZIP code. A practice buyer does not count.
func (c *Coverage) CoversPaused(s lead.Service, zip string) bool {
	for cand := range c.In(s, zip, "") {
		if cand.State == Paused || cand.State == Off {
			return true
		}
	}
	return false
}

// PayoutShown returns the payout hint of the first active buyer that is not for practice, or nil if the operator did not make it public.
func (c *Coverage) PayoutShown(s lead.Service, zip string) *string {
	cand := c.first(s, zip, "")
	if cand == nil || !cand.Terms.PayoutShown || cand.Terms.Payout == "" {
		return nil
	}
	return &cand.Terms.Payout
}

// Services lists the services that an active buyer covers anywhere. The public is told of them, so a practice buyer does not count.
func (c *Coverage) Services() []lead.Service {
	var covered []lead.Service
	for _, s := range lead.Services {
		if c != nil && slices.ContainsFunc(c.byService[s], func(cand *Candidate) bool { return cand.State == Active && !cand.Terms.Practice }) {
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
