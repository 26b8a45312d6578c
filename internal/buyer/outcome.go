package buyer

import (
	"slices"

	"foyer/internal/lead"
)

// Outcome says where a lead stands, for reports: every lead has one at a time. That of a held lead is what kept it
// from being sold, and it keeps that outcome when it was held for too long.
type Outcome string

// The outcomes.
const (
	OutcomeSold       Outcome = "sold"            // a buyer acknowledged the contact
	OutcomeCalled     Outcome = "call_to_connect" // the person got a number to call
	OutcomeWaiting    Outcome = "waiting"         // buyers are being asked
	OutcomeError      Outcome = "error"           // a buyer may have the contact
	OutcomeClosed     Outcome = "closed"          // it is off the market for good
	OutcomeWithheld   Outcome = "withheld"        // held, because it repeats another one, is one too many, looks automated, or names a blocked source
	OutcomeUncovered  Outcome = "uncovered"       // held, because nobody covers it
	OutcomeNoMoney    Outcome = "no_money"        // held, because a buyer has no money left for it, or not today
	OutcomeCapped     Outcome = "capped"          // held, because a buyer has had its leads of the hour, day or month
	OutcomeAfterHours Outcome = "after_hours"     // held, because a buyer has closed, or asked for a pause
	OutcomeUnanswered Outcome = "unanswered"      // held, because a buyer does not answer
	OutcomePaused     Outcome = "paused"          // held, because a buyer is paused or switched off
	OutcomeUnwanted   Outcome = "unwanted"        // held, because no buyer wants leads of this kind
	OutcomeDeclined   Outcome = "declined"        // held, because every buyer that was asked declined it
	OutcomePractice   Outcome = "practice"        // made up, and the practice buyer has it: no report counts it
)

// OnMarket reports whether buyers are or were asked about a lead, or would have been if one could be: its person did not dial a number, and
// it was neither kept off the market nor closed, nor is it for practice.
func (o Outcome) OnMarket() bool {
	return o != "" && o != OutcomeCalled && o != OutcomeWithheld && o != OutcomeClosed && o != OutcomePractice
}

// Outcomes are the outcomes that reports count, in their order.
var Outcomes = []Outcome{OutcomeSold, OutcomeCalled, OutcomeWaiting, OutcomeUncovered, OutcomeNoMoney, OutcomeCapped, OutcomeAfterHours, OutcomeUnanswered, OutcomePaused, OutcomeDeclined, OutcomeUnwanted, OutcomeWithheld, OutcomeError, OutcomeClosed}

// heldOutcomes are the outcomes of a held lead by the rules that kept buyers from being asked. Those come first that change something
// most easily: with a higher cap the lead might be sold, whoever else declined it.
var heldOutcomes = []struct {
	outcome Outcome
	rules   []string
}{
	{OutcomeNoMoney, []string{RuleMoneyCap, RuleBalance}},
	{OutcomeCapped, []string{RuleCap}},
	{OutcomeAfterHours, []string{RuleHours, RuleQuiet}},
	{OutcomeUnanswered, []string{RuleBreaker}},
	{OutcomePaused, []string{RuleState, RuleHeld}},
	{OutcomeDeclined, []string{RuleDeclined}},
	{OutcomeUnwanted, []string{RuleDemands, RuleDuplicate}},
}

// Standing is what decides where a lead stands.
type Standing struct {
	Status     lead.Status
	Expired    bool // it was closed because it was held for too long
	Marks      []lead.Mark
	Held       bool   // whether a round ended without a sale; otherwise a held lead was held when it came
	Reason     string // of the last such round
	PassedOver []PassedOver
	Declined   bool // whether a buyer declined it, for good or for now
	Practice   bool // whether the buyer that has it is for practice
}

// Outcome returns where a lead stands.
func (s Standing) Outcome() Outcome {
	switch {
	case s.Status == lead.Forwarded && s.Practice:
		return OutcomePractice
	case s.Status == lead.Forwarded:
		return OutcomeSold
	case s.Status == lead.CallToConnect:
		return OutcomeCalled
	case s.Status == lead.Received:
		return OutcomeWaiting
	case s.Status == lead.Errored:
		return OutcomeError
	case s.Status == lead.Rejected && !s.Expired:
		return OutcomeClosed
	}
	if lead.IsWithholdReason(s.Reason) || !s.Held && (slices.Contains(s.Marks, lead.Automated) || slices.Contains(s.Marks, lead.SourceHeld)) {
		return OutcomeWithheld
	}
	for _, h := range heldOutcomes {
		if slices.ContainsFunc(s.PassedOver, func(p PassedOver) bool { return slices.Contains(h.rules, p.Rule) }) {
			return h.outcome
		}
	}
	switch {
	case len(s.PassedOver) == 0:
		return OutcomeUncovered
	case s.Declined:
		return OutcomeDeclined
	}
	return OutcomeUnanswered // it was asked, and may be asked again later
}
