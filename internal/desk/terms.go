package desk

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// sound says what is wrong with terms as a whole, if anything is.
func sound(t buyer.Terms) error {
	switch {
	case t.Name == "":
		return &Wrong{"name", "missing: write what you call this buyer"}
	case t.URL == "":
		return &Wrong{"url", "missing: write its address, such as https://buyer.example.com/leads"}
	case len(t.Services) == 0:
		return &Wrong{"services", "missing: write " + sold}
	case t.Hours.Text != "" && t.Hours.Zone == "":
		return &Wrong{"time-zone", "missing: opening hours need one, such as America/New_York"}
	case t.PlainAccept && !t.OneStep:
		return &Wrong{"accept-plain", "only with one-step: an offer must be answered with a decision before anybody is given a contact"}
	case t.PayoutShown && t.Payout == "":
		return &Wrong{"payout-public", "there is no payout to be shown: write one with payout"}
	case t.Area.Empty():
		return errors.New("the area is empty: zips, exclude-zips and states together leave no ZIP code")
	}
	return nil
}

// passedOn are the services that buyers can be asked about.
var passedOn = slices.DeleteFunc(slices.Clone(lead.Services), lead.Service.Live)

var sold = listed(passedOn) + ", separated by commas, or all"

func listed[T ~string](list []T) string {
	texts := make([]string, len(list))
	for i, x := range list {
		texts[i] = string(x)
	}
	return strings.Join(texts, ", ")
}

// Services reads a list of services, and puts them in their public order.
func Services(text string) ([]lead.Service, error) {
	var chosen []lead.Service
	for word := range strings.FieldsFuncSeq(text, between) {
		if word == "all" {
			return slices.Clone(passedOn), nil
		}
		s, known := service(word)
		switch {
		case !known:
			return nil, fmt.Errorf("%q is not a service: write %s", word, sold)
		case s.Live():
			return nil, fmt.Errorf("%s cannot be bought: people dial a number for it themselves, and it is never passed on; write %s", s, sold)
		}
		chosen = append(chosen, s)
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("%q names no service: write %s", text, sold)
	}
	return slices.DeleteFunc(slices.Clone(passedOn), func(s lead.Service) bool { return !slices.Contains(chosen, s) }), nil
}

// Service reads one service.
func Service(word string) (lead.Service, error) {
	s, known := service(word)
	if !known {
		return "", fmt.Errorf("%q is not a service: write one of %s", word, listed(lead.Services))
	}
	return s, nil
}

// service knows a service in whatever way its words are joined.
func service(word string) (lead.Service, bool) {
	s := lead.Service(strings.ToLower(strings.ReplaceAll(strings.TrimSpace(word), "-", "_")))
	return s, slices.Contains(lead.Services, s)
}

func between(r rune) bool { return r == ',' || r == ' ' || r == ';' }

// states reads a list of states. Only those will do whose ZIP codes are known: any other would cover nothing.
func states(text string) ([]string, error) {
	var list []string
	for word := range strings.FieldsFuncSeq(strings.ToUpper(text), between) {
		if !buyer.HasZIPs(word) {
			return nil, fmt.Errorf("%q is not a state with ZIP codes of its own: write USPS codes such as FL, separated by commas", word)
		}
		list = append(list, word)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// Area puts an area into a few words.
func Area(a buyer.Area) string {
	where := "everywhere"
	if n := Patterns(a.ZIPs); n == 1 && a.ZIPs != "*" {
		where = a.ZIPs
	} else if n > 1 {
		where = fmt.Sprintf("%d patterns", n)
	}
	if n := Patterns(a.Excluded); n > 0 {
		where += fmt.Sprintf(" less %d", n)
	}
	if len(a.States) > 0 {
		where += " in " + strings.Join(a.States, " ")
	}
	return where
}

// Patterns counts ZIP patterns.
func Patterns(zips string) int {
	if zips == "" {
		return 0
	}
	return strings.Count(zips, ",") + 1
}

// Wants puts demands into words.
func Wants(d buyer.Demands) []string {
	var wants []string
	for _, w := range []struct {
		wanted bool
		words  string
	}{
		{d.OwnForm, "only leads from our own form"},
		{d.PlausiblePhone, "only plausible phone numbers"},
		{d.NoDuplicates, "no duplicates"},
		{d.Street, "only with a street address"},
	} {
		if w.wanted {
			wants = append(wants, w.words)
		}
	}
	return wants
}
