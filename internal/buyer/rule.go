package buyer

import (
	"fmt"
	"math"
	"time"

	"foyer/internal/lead"
)

// Facts is what the rules need to know about a lead and a buyer besides their own data.
type Facts struct {
	Health    Health
	Offers    []Offer   // of this lead to this buyer, oldest first
	Round     time.Time // when the current round of offers began
	Duplicate bool      // the buyer accepted another lead of the same person for the same work
	Used      func(Period) (Usage, error)
}

// Exclusion is the first rule that keeps a buyer from being asked. The zero value excludes no buyer.
type Exclusion struct {
	Rule   string
	Reason string
	Until  time.Time // when the rule may no longer apply; zero if only a change can lift it
}

// The rules, in the order of evaluation.
const (
	RuleState     = "state"
	RuleService   = "service"
	RuleArea      = "area"
	RulePractice  = "practice"
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
	RuleMoneyCap  = "money_cap"
	RuleBalance   = "balance"
)

// Exclude returns the first rule that keeps a buyer from being asked about a lead now.
func (c *Candidate) Exclude(l lead.Lead, f Facts, now time.Time) (Exclusion, error) {
	if excl := c.notCovered(l); excl.Rule != "" {
		return excl, nil
	}
	if since := c.Terms.HeldSince; l.CreatedAt.Before(since) {
		return Exclusion{Rule: RuleHeld, Reason: "it takes no leads from before " + since.UTC().Format("2006-01-02 15:04") + " UTC"}, nil
	}
	if unmet := c.Terms.Demands.unmet(l); unmet != "" {
		return Exclusion{Rule: RuleDemands, Reason: unmet}, nil
	}
	if excl := c.excludedByOffers(f, now); excl.Rule != "" {
		return excl, nil
	}
	room, none, err := c.Room(f, now, 1)
	if price := c.Terms.Price(l.Request.Service); err == nil && (none.Rule == "" || none == room.tight) && !room.Affords(price) {
		none = room.TooDear(price)
	}
	return none, err
}

// excludedByOffers returns the rule about earlier offers that keeps a buyer from being asked, if any.
func (c *Candidate) excludedByOffers(f Facts, now time.Time) Exclusion {
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
	last, again := f.Offers[len(f.Offers)-1], c.askAgainAt(f.Offers)
	switch {
	case !last.At.Before(f.Round):
		return Exclusion{RuleTried, "it was asked in this round", again}
	case again.After(now) && last.At.After(c.UpdatedAt): // the buyer has not changed since it was asked
		return Exclusion{RuleTried, "it was asked a short while ago", again}
	}
	return Exclusion{}
}

// notCovered returns the rule about state, service, area or practice that excludes a buyer, if any.
func (c *Candidate) notCovered(l lead.Lead) Exclusion {
	zip := zipNumber(l.Request.ZIP)
	switch {
	case c.State != Active:
		return Exclusion{Rule: RuleState, Reason: c.State.Explained()}
	case !c.Terms.Takes(l.Request.Service):
		return Exclusion{Rule: RuleService, Reason: fmt.Sprintf("it does not take %s", l.Request.Service)}
	case zip < 0 || !c.area.has(zip):
		return Exclusion{Rule: RuleArea, Reason: fmt.Sprintf("it does not cover %s", l.Request.ZIP)}
	case !c.Terms.AcceptsPhone(l.Request.Contact.Phone):
		return Exclusion{Rule: RulePractice, Reason: "it is for practice and takes only made-up numbers (555-01xx)"}
	}
	return Exclusion{}
}

// Room returns what a buyer can take now: at most limit leads, and only one for a probe. If it takes none, Room also returns the rule,
// and until when it applies.
func (c *Candidate) Room(f Facts, now time.Time, limit int) (room Room, none Exclusion, err error) {
	room = Room{Leads: limit, Money: math.MaxInt64}
	switch {
	case !c.calendar.open(now):
		return Room{}, Exclusion{RuleHours, "it is closed", c.calendar.reopens(now)}, nil
	case f.Health.QuietUntil.After(now):
		return Room{}, Exclusion{RuleQuiet, "it asked not to be sent anything for a while", f.Health.QuietUntil}, nil
	case !f.Health.MayBeAsked(now):
		return Room{}, Exclusion{RuleBreaker, "it did not answer several times", f.Health.OpenUntil}, nil
	case f.Health.Probing(now):
		room.Leads = 1
	}
	if !c.Terms.Limited() { // the periods take longer to compute than all of the above
		return room, Exclusion{}, nil
	}
	for _, period := range c.Terms.Caps.periods(now, c.calendar.zone) {
		if period.Cap == 0 && period.MoneyCap == 0 {
			continue
		}
		used, err := f.Used(period)
		if err != nil {
			return Room{}, Exclusion{}, err
		}
		if period.Cap > 0 {
			room.Leads = min(room.Leads, period.Cap-used.Leads)
		}
		if room.Leads <= 0 {
			return Room{}, Exclusion{RuleCap, fmt.Sprintf("its cap of %d for the %s is reached", period.Cap, period.Name), period.End}, nil
		}
		if period.MoneyCap > 0 {
			left := period.MoneyCap - used.Money
			room.limitMoney(left, Exclusion{RuleMoneyCap, fmt.Sprintf("its money cap of %s for the %s leaves %s", period.MoneyCap, period.Name, max(left, 0)), period.End})
		}
	}
	if err := c.limitToBalance(&room, f); err != nil {
		return Room{}, Exclusion{}, err
	}
	if !room.Affords(c.Terms.LowestPrice()) {
		return room, room.tight, nil
	}
	return room, Exclusion{}, nil
}

// limitToBalance lowers the money of a room to what the buyer has paid or may owe.
func (c *Candidate) limitToBalance(room *Room, f Facts) error {
	if c.Terms.CreditLimit == nil {
		return nil
	}
	used, err := f.Used(Period{})
	if err != nil {
		return err
	}
	balance := c.Funds - used.Money
	reason := fmt.Sprintf("its balance is %s", balance)
	if limit := *c.Terms.CreditLimit; limit > 0 {
		reason += fmt.Sprintf(" with a credit limit of %s", limit)
	}
	room.limitMoney(balance+*c.Terms.CreditLimit, Exclusion{Rule: RuleBalance, Reason: reason})
	return nil
}

// Covers reports whether a buyer covers a service at a ZIP code.
func (c *Candidate) Covers(s lead.Service, zip string) bool {
	n := zipNumber(zip)
	return n >= 0 && c.Terms.Takes(s) && c.area.has(n)
}
