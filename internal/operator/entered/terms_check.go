package entered

import (
	"fmt"
	"slices"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/place"
)

func ParseState(text string) (string, bool) {
	code, known := place.StateCode(text)
	return code, known && buyer.HasZIPs(code)
}

// CheckTerms adds the problems of the terms as a whole.
func CheckTerms(t buyer.Terms, problems *Problems) {
	var unpriced []string
	for _, s := range t.Services {
		if _, agreed := t.Prices[s]; !agreed && len(t.Prices) > 0 {
			unpriced = append(unpriced, string(s))
		}
	}
	for _, x := range []struct {
		wrong      bool
		term, text string
		but        []string // skipped if one of these terms has a problem of its own
	}{
		{t.Name == "", "name", "missing: write what you call this buyer", nil},
		{t.URL == "", "url", "missing: write its address, such as https://buyer.example.com/leads", nil},
		{len(t.Services) == 0, "services", "missing: write " + servicesHint, nil},
		{t.Hours.Text != "" && t.Hours.Zone == "", "time-zone", "missing: opening hours need one, such as America/New_York", nil},
		{len(unpriced) > 0, "price", quoteList(unpriced, "has no price", "have no price") + ": list every service that it takes, with 0.00 for one that costs nothing", []string{"services"}},
		{len(t.Prices) == 0 && (t.Caps.MoneyDay > 0 || t.Caps.MoneyMonth > 0), "price", "missing: a money cap needs prices, such as hvac=45.00", []string{"money-cap-day", "money-cap-month"}},
		{len(t.Prices) == 0 && t.CreditLimit != nil, "price", "missing: a credit limit needs prices, such as hvac=45.00", []string{"credit-limit"}},
		{decidedTwice(t.Returns) != "", "deny-returns", string(decidedTwice(t.Returns)) + " is approved and denied at once: list it once", []string{"approve-returns"}},
		{t.PlainAccept && !t.OneStep, "accept-plain", "only with one-step: an offer must be answered with a decision before a contact is sent", nil},
		{t.Practice && t.URL != buyer.PracticeURL, "url", "the practice buyer has no other address: add a buyer for this one", nil},
		{!t.Practice && t.URL == buyer.PracticeURL, "url", "this is the address of the practice buyer: add that with foyer buyers practice", nil},
		{t.Practice && t.OneStep, "one-step", "the practice buyer gets an offer first: leave this out", nil},
		{t.Practice && len(t.Prices) > 0, "price", "the practice buyer pays nothing, or reports would tell of money that nobody owes: leave this out", nil},
		{t.PayoutShown && t.Payout == "", "payout-public", "there is no payout to show: write one with payout", []string{"payout"}},
		{t.Area.Empty(), "", "the area is empty: zips, exclude-zips and states together leave no ZIP code", []string{"zips", "exclude-zips", "states"}},
	} {
		if x.wrong {
			problems.Add(FieldError{x.term, x.text}, x.but...)
		}
	}
}

// Forwardable lists the services that are forwarded to buyers.
var Forwardable = slices.DeleteFunc(slices.Clone(lead.Services), lead.Service.Live)

var servicesHint = Join(Forwardable) + ", separated by commas, or all"

// Services parses a list of services and returns them in their public order.
func Services(text string) ([]lead.Service, error) {
	var chosen []lead.Service
	var wrong, dialed []string
	for word := range strings.FieldsFuncSeq(text, isSeparator) {
		if word == "all" {
			chosen = append(chosen, Forwardable...)
			continue
		}
		s, known := parseService(word)
		switch {
		case !known:
			wrong = append(wrong, word)
		case s.Live():
			dialed = append(dialed, fmt.Sprintf("%s cannot be bought: people dial a number for it themselves, and it is never passed on", s))
		}
		chosen = append(chosen, s)
	}
	problems := dialed
	if len(wrong) > 0 {
		problems = append([]string{quoteList(wrong, "is not a service", "are not services")}, dialed...)
	}
	switch {
	case len(problems) > 0:
		return nil, fmt.Errorf("%s: write %s", strings.Join(slices.Compact(problems), "; "), servicesHint)
	case len(chosen) == 0:
		return nil, fmt.Errorf("%q names no service: write %s", text, servicesHint)
	}
	return slices.DeleteFunc(slices.Clone(Forwardable), func(s lead.Service) bool { return !slices.Contains(chosen, s) }), nil
}

// Service parses one service.
func Service(word string) (lead.Service, error) {
	s, known := parseService(word)
	if !known {
		return "", fmt.Errorf("%q is not a service: write one of %s", word, Join(lead.Services))
	}
	return s, nil
}

func parseService(word string) (lead.Service, bool) {
	s := lead.Service(NormalizeWord(word))
	return s, slices.Contains(lead.Services, s)
}

// parseStates parses a list of states. It accepts only states whose ZIP codes are known: any other would cover nothing.
func parseStates(text string) ([]string, error) {
	var list, wrong []string
	for words := strings.FieldsFunc(text, isSeparator); len(words) > 0; {
		code, taken := firstState(words)
		if code == "" {
			wrong = append(wrong, words[0])
		}
		list, words = append(list, code), words[taken:]
	}
	if len(wrong) > 0 {
		return nil, fmt.Errorf("%s: write codes or names such as FL or Florida, separated by commas", quoteList(wrong, "is not a state with ZIP codes of its own", "are not states with ZIP codes of their own"))
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// firstState finds the state that a list begins with, by its code or its name of up to three words. It returns "" and 1 if that is none.
func firstState(words []string) (code string, taken int) {
	for taken = min(3, len(words)); taken > 0; taken-- {
		if code, known := ParseState(strings.Join(words[:taken], " ")); known {
			return code, taken
		}
	}
	return "", 1
}
