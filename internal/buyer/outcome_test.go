package buyer_test

import (
	"slices"
	"testing"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

func TestOutcomes(t *testing.T) {
	t.Parallel()
	passed := func(rules ...string) (list []buyer.PassedOver) {
		for _, rule := range rules {
			list = append(list, buyer.PassedOver{Buyer: "buyer_1", Rule: rule})
		}
		return list
	}
	held := func(rules ...string) buyer.Standing {
		return buyer.Standing{Status: lead.Collected, Held: true, Reason: "nobody who covers it took it", PassedOver: passed(rules...)}
	}
	seen := make(map[buyer.Outcome]bool)
	for name, c := range map[string]struct {
		standing buyer.Standing
		want     buyer.Outcome
	}{
		"sold":                         {buyer.Standing{Status: lead.Forwarded, Held: true, PassedOver: passed(buyer.RuleCap)}, buyer.OutcomeSold},
		"sold for practice":            {buyer.Standing{Status: lead.Forwarded, Practice: true}, buyer.OutcomePractice},
		"held beside practice":         {buyer.Standing{Status: lead.Collected, Practice: true}, buyer.OutcomeUncovered},
		"who dials":                    {buyer.Standing{Status: lead.CallToConnect}, buyer.OutcomeCalled},
		"on its way":                   {buyer.Standing{Status: lead.Received}, buyer.OutcomeWaiting},
		"on its way again":             {buyer.Standing{Status: lead.Received, Held: true, PassedOver: passed(buyer.RuleCap)}, buyer.OutcomeWaiting},
		"in error":                     {buyer.Standing{Status: lead.Errored}, buyer.OutcomeError},
		"closed by the operator":       {buyer.Standing{Status: lead.Rejected}, buyer.OutcomeClosed},
		"nobody covers it":             {buyer.Standing{Status: lead.Collected}, buyer.OutcomeUncovered},
		"nobody covered it":            {buyer.Standing{Status: lead.Rejected, Expired: true}, buyer.OutcomeUncovered},
		"nobody covers it anymore":     {held(), buyer.OutcomeUncovered},
		"held when it came, automated": {buyer.Standing{Status: lead.Collected, Marks: []lead.Mark{lead.Automated}}, buyer.OutcomeWithheld},
		"automated, and offered":       {buyer.Standing{Status: lead.Collected, Held: true, Marks: []lead.Mark{lead.Automated}, PassedOver: passed(buyer.RuleCap)}, buyer.OutcomeCapped},
		"a repeat":                     {buyer.Standing{Status: lead.Collected, Held: true, Reason: lead.WithholdReasons[lead.Duplicate]}, buyer.OutcomeWithheld},
		"one too many":                 {buyer.Standing{Status: lead.Collected, Held: true, Reason: lead.WithholdReasons[lead.ManyRequests]}, buyer.OutcomeWithheld},
		"a cap":                        {held(buyer.RuleCap), buyer.OutcomeCapped},
		"a cap until it was too old":   {buyer.Standing{Status: lead.Rejected, Expired: true, Held: true, PassedOver: passed(buyer.RuleCap)}, buyer.OutcomeCapped},
		"a money cap":                  {held(buyer.RuleMoneyCap), buyer.OutcomeNoMoney},
		"no balance":                   {held(buyer.RuleBalance), buyer.OutcomeNoMoney},
		"a closed buyer":               {held(buyer.RuleHours), buyer.OutcomeAfterHours},
		"a buyer that wants a pause":   {held(buyer.RuleQuiet), buyer.OutcomeAfterHours},
		"a buyer that fails":           {held(buyer.RuleBreaker), buyer.OutcomeUnanswered},
		"a buyer that gave no answer":  {held(buyer.RuleTried), buyer.OutcomeUnanswered},
		"declined for now":             {buyer.Standing{Status: lead.Collected, Held: true, PassedOver: passed(buyer.RuleTried), Declined: true}, buyer.OutcomeDeclined},
		"a paused buyer":               {held(buyer.RuleState), buyer.OutcomePaused},
		"declined by all":              {held(buyer.RuleDeclined, buyer.RuleDeclined), buyer.OutcomeDeclined},
		"declined, and a cap":          {held(buyer.RuleDeclined, buyer.RuleCap), buyer.OutcomeCapped},
		"a cap, and no money":          {held(buyer.RuleCap, buyer.RuleBalance), buyer.OutcomeNoMoney},
		"only other leads are wanted":  {held(buyer.RuleDemands), buyer.OutcomeUnwanted},
		"it has the person already":    {held(buyer.RuleDuplicate), buyer.OutcomeUnwanted},
	} {
		got := c.standing.Outcome()
		if seen[got] = true; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	for _, o := range buyer.Outcomes {
		if !seen[o] {
			t.Errorf("no lead is ever %s", o)
		}
	}
	if !seen[buyer.OutcomePractice] || slices.Contains(buyer.Outcomes, buyer.OutcomePractice) {
		t.Error("practice is counted")
	}
	delete(seen, buyer.OutcomePractice)
	if len(seen) != len(buyer.Outcomes) || len(slices.Compact(slices.Sorted(slices.Values(buyer.Outcomes)))) != len(seen) {
		t.Errorf("%d outcomes of %d", len(seen), len(buyer.Outcomes))
	}
}
