package buyer

import (
	"fmt"
	"time"

	"foyer/internal/lead"
)

// Facts are what has to be known about a lead and a buyer together, besides their own words.
type Facts struct {
	Health    Health
	Offers    []Offer   // of this lead to this buyer, oldest first
	Round     time.Time // when the lead began to look for a buyer
	Duplicate bool      // it accepted another lead of the same person for the same work
	Used      func(Period) (int, error)
}

// Exclusion is the first rule that keeps a buyer from being asked. The zero value excludes nobody.
type Exclusion struct {
	Rule   string
	Reason string
	Until  time.Time // when the rule may no longer hold; zero where only a change helps
}

// The rules, in the order in which they are asked.
const (
	RuleState     = "state"
	RuleService   = "service"
	RuleArea      = "area"
	RuleHeld      = "held"
	RuleDemands   = "demands"
	RuleDeclined  = "declined"
	RuleDuplicate = "duplicate"
	RuleOffers    = "offers"
	RuleTried     = "tried"
	RuleHours     = "hours"
	RuleQuiet     = "retry_after"
	RuleBreaker   = "breaker"
	RuleCap       = "cap"
)

// Exclude finds the first rule by which a buyer is not asked about a lead now.
func (p *Candidate) Exclude(l lead.Lead, f Facts, now time.Time) (Exclusion, error) {
	if x := p.notCovered(l); x.Rule != "" {
		return x, nil
	}
	if since := p.Terms.HeldSince; l.CreatedAt.Before(since) {
		return Exclusion{Rule: RuleHeld, Reason: "it takes no leads from before " + since.UTC().Format("2006-01-02 15:04") + " UTC"}, nil
	}
	if unmet := p.Terms.Demands.unmet(l); unmet != "" {
		return Exclusion{Rule: RuleDemands, Reason: unmet}, nil
	}
	if x := p.excludedByOffers(f, now); x.Rule != "" {
		return x, nil
	}
	return p.Unavailable(f, now)
}

// excludedByOffers says whether what a buyer was offered before keeps it from being asked.
func (p *Candidate) excludedByOffers(f Facts, now time.Time) Exclusion {
	for _, o := range f.Offers {
		if o.State == OfferDeclined && o.Code.ForGood() {
			return Exclusion{Rule: RuleDeclined, Reason: "it declined this lead"}
		}
	}
	switch {
	case f.Duplicate:
		return Exclusion{Rule: RuleDuplicate, Reason: "it accepted another lead of this person for the same work"}
	case len(f.Offers) >= MaxOffers:
		return Exclusion{Rule: RuleOffers, Reason: fmt.Sprintf("it was offered this lead %d times", len(f.Offers))}
	case len(f.Offers) == 0:
		return Exclusion{}
	}
	last, again := f.Offers[len(f.Offers)-1], p.askAgainAt(f.Offers)
	switch {
	case !last.At.Before(f.Round):
		return Exclusion{RuleTried, "it was asked in this round", again}
	case again.After(now) && last.At.After(p.UpdatedAt): // what it was when it was asked, it is still
		return Exclusion{RuleTried, "it was asked a short while ago", again}
	}
	return Exclusion{}
}

// notCovered says whether a lead is none of a buyer's business.
func (p *Candidate) notCovered(l lead.Lead) Exclusion {
	zip := zipNumber(l.Request.ZIP)
	switch {
	case p.State != Active:
		return Exclusion{Rule: RuleState, Reason: p.State.Explained()}
	case !p.Terms.Takes(l.Request.Service):
		return Exclusion{Rule: RuleService, Reason: fmt.Sprintf("it does not take %s", l.Request.Service)}
	case zip < 0 || !p.area.has(zip):
		return Exclusion{Rule: RuleArea, Reason: fmt.Sprintf("it does not cover %s", l.Request.ZIP)}
	}
	return Exclusion{}
}

// Unavailable says whether a buyer takes no lead at all now, and until when.
func (p *Candidate) Unavailable(f Facts, now time.Time) (Exclusion, error) {
	if !p.calendar.open(now) {
		return Exclusion{RuleHours, "it is closed", p.calendar.reopens(now)}, nil
	}
	if f.Health.QuietUntil.After(now) {
		return Exclusion{RuleQuiet, "it asked not to be sent anything for a while", f.Health.QuietUntil}, nil
	}
	if !f.Health.Answers(now) {
		return Exclusion{RuleBreaker, "it did not answer several times", f.Health.OpenUntil}, nil
	}
	for _, period := range p.Terms.Caps.cappedPeriods(now, p.calendar.zone) {
		used, err := f.Used(period)
		if err != nil {
			return Exclusion{}, err
		}
		if used >= period.Cap {
			return Exclusion{RuleCap, fmt.Sprintf("its cap of %d for the %s is reached", period.Cap, period.Name), period.End}, nil
		}
	}
	return Exclusion{}, nil
}

// Room is how many leads a buyer can take now before a cap stops it, at most a bound; only one while it is being probed.
func (p *Candidate) Room(f Facts, now time.Time, most int) (int, error) {
	if f.Health.Probing(now) {
		most = 1
	}
	for _, period := range p.Terms.Caps.cappedPeriods(now, p.calendar.zone) {
		used, err := f.Used(period)
		if err != nil {
			return 0, err
		}
		most = min(most, max(period.Cap-used, 0))
	}
	return most, nil
}

// Covers says whether a service at a ZIP code is a buyer's business.
func (p *Candidate) Covers(s lead.Service, zip string) bool {
	n := zipNumber(zip)
	return n >= 0 && p.Terms.Takes(s) && p.area.has(n)
}
