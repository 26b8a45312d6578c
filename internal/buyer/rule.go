package buyer

import (
	"fmt"
	"time"

	"foyer/internal/lead"
)

// Facts are what has to be known about a lead and a buyer together, besides their own words.
type Facts struct {
	Standing Standing
	Refused  bool // it declined this lead for good
	Tried    bool // it was asked about this lead in this round
	Twin     bool // it accepted an earlier lead of the same person for the same work
	Used     func(Period) (int, error)
}

// Exclusion is the first rule that keeps a buyer from being asked. The zero value excludes nobody.
type Exclusion struct {
	Rule   string
	Reason string
	Until  time.Time // when the rule may no longer hold; zero where only a change helps
}

// The rules, in the order in which they are asked.
const (
	RuleState    = "state"
	RuleService  = "service"
	RuleArea     = "area"
	RuleHeld     = "held"
	RuleDemands  = "demands"
	RuleDeclined = "declined"
	RuleTwin     = "duplicate"
	RuleTried    = "tried"
	RuleHours    = "hours"
	RuleBreaker  = "breaker"
	RuleCap      = "cap"
)

// Exclude finds the first rule by which a buyer is not asked about a lead now.
func (p *Prospect) Exclude(l lead.Lead, f Facts, now time.Time) (Exclusion, error) {
	if x := p.foreign(l); x.Rule != "" {
		return x, nil
	}
	if since := p.Terms.HeldSince; l.CreatedAt.Before(since) {
		return Exclusion{Rule: RuleHeld, Reason: "it takes no leads from before " + since.UTC().Format("2006-01-02 15:04") + " UTC"}, nil
	}
	if unmet := p.Terms.Demands.unmet(l); unmet != "" {
		return Exclusion{Rule: RuleDemands, Reason: unmet}, nil
	}
	switch {
	case f.Refused:
		return Exclusion{Rule: RuleDeclined, Reason: "it declined this lead"}, nil
	case f.Twin:
		return Exclusion{Rule: RuleTwin, Reason: "it accepted an earlier lead of this person for the same work"}, nil
	case f.Tried:
		return Exclusion{Rule: RuleTried, Reason: "it was asked in this round"}, nil
	}
	return p.Away(f, now)
}

// foreign says whether a lead is none of a buyer's business.
func (p *Prospect) foreign(l lead.Lead) Exclusion {
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

// Away says whether a buyer takes no lead at all now, and until when.
func (p *Prospect) Away(f Facts, now time.Time) (Exclusion, error) {
	if !p.calendar.open(now) {
		return Exclusion{RuleHours, "it is closed", p.calendar.reopens(now)}, nil
	}
	if !f.Standing.Answers(now) {
		return Exclusion{RuleBreaker, "it did not answer several times", f.Standing.Shut}, nil
	}
	for _, period := range p.Terms.Caps.periods(now, p.calendar.zone) {
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
func (p *Prospect) Room(f Facts, now time.Time, most int) (int, error) {
	if f.Standing.Probing(now) {
		most = 1
	}
	for _, period := range p.Terms.Caps.periods(now, p.calendar.zone) {
		used, err := f.Used(period)
		if err != nil {
			return 0, err
		}
		most = min(most, max(period.Cap-used, 0))
	}
	return most, nil
}

// Covers says whether a service at a ZIP code is a buyer's business.
func (p *Prospect) Covers(s lead.Service, zip string) bool {
	n := zipNumber(zip)
	return n >= 0 && p.Terms.Takes(s) && p.area.has(n)
}
