package operator

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// checkTerms adds the problems of the terms as a whole.
func checkTerms(t buyer.Terms, problems *Problems) {
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
			problems.add(FieldError{x.term, x.text}, x.but...)
		}
	}
}

// forwardable lists the services that are forwarded to buyers.
var forwardable = slices.DeleteFunc(slices.Clone(lead.Services), lead.Service.Live)

var servicesHint = join(forwardable) + ", separated by commas, or all"

func join[T ~string](list []T) string {
	texts := make([]string, len(list))
	for i, x := range list {
		texts[i] = string(x)
	}
	return strings.Join(texts, ", ")
}

// Services parses a list of services and returns them in their public order.
func Services(text string) ([]lead.Service, error) {
	var chosen []lead.Service
	var wrong, dialed []string
	for word := range strings.FieldsFuncSeq(text, isSeparator) {
		if word == "all" {
			chosen = append(chosen, forwardable...)
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
	return slices.DeleteFunc(slices.Clone(forwardable), func(s lead.Service) bool { return !slices.Contains(chosen, s) }), nil
}

// Service parses one service.
func Service(word string) (lead.Service, error) {
	s, known := parseService(word)
	if !known {
		return "", fmt.Errorf("%q is not a service: write one of %s", word, join(lead.Services))
	}
	return s, nil
}

func parseService(word string) (lead.Service, bool) {
	s := lead.Service(normalizeWord(word))
	return s, slices.Contains(lead.Services, s)
}

// normalizeWord accepts hyphens for underscores, and any case.
func normalizeWord(word string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimSpace(word), "-", "_"))
}

func isSeparator(r rune) bool { return r == ',' || r == ' ' || r == ';' }

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
		if code, known := parseState(strings.Join(words[:taken], " ")); known {
			return code, taken
		}
	}
	return "", 1
}

// Area describes an area in a few words.
func Area(a buyer.Area) string {
	where := "everywhere"
	if n := len(Patterns(a.ZIPs)); n == 1 && a.ZIPs != "*" {
		where = a.ZIPs
	} else if n > 1 {
		where = fmt.Sprintf("%d patterns", n)
	}
	if n := len(Patterns(a.Excluded)); n > 0 {
		where += fmt.Sprintf(" less %d", n)
	}
	if len(a.States) > 0 {
		where += " in " + strings.Join(a.States, " ")
	}
	return where
}

// Patterns splits a list of ZIP patterns.
func Patterns(zips string) []string { return strings.FieldsFunc(zips, isSeparator) }

// Wants describes demands in words.
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

// auditedTerm is a term of a buyer as the audit trail shows it.
type auditedTerm struct {
	name  string
	value any // compared
	shown any // recorded
}

// changedTerms returns the terms that differ, each with its old and its new value. It leaves out what an entry must not hold: the
// name, which may be a person's, and all of the URL but its host, because the rest may contain a key.
func changedTerms(before, after buyer.Buyer) audit.Detail {
	changed := audit.Detail{}
	old := auditedTerms(before)
	for i, term := range auditedTerms(after) {
		switch {
		case term.value == old[i].value:
		case term.shown == nil:
			changed[term.name] = "changed"
		default:
			changed[term.name] = []any{old[i].shown, term.shown}
		}
	}
	return changed
}

func auditedTerms(b buyer.Buyer) []auditedTerm {
	t := b.Terms
	same := func(name string, value any) auditedTerm { return auditedTerm{name, value, value} }
	text := func(name, value string) auditedTerm { return auditedTerm{name, value, audit.Text(value)} }
	zips := func(name, list string) auditedTerm {
		if n := len(Patterns(list)); n > maxQuoted {
			return auditedTerm{name, list, fmt.Sprintf("%d patterns", n)}
		}
		return text(name, list)
	}
	return []auditedTerm{
		same("state", string(b.State)),
		{"name", t.Name, nil},
		{"url", t.URL, hostOf(t.URL)},
		text("services", join(t.Services)),
		zips("zips", t.Area.ZIPs),
		zips("exclude-zips", t.Area.Excluded),
		text("states", join(t.Area.States)),
		text("hours", t.Hours.Text),
		text("time-zone", t.Hours.Zone),
		same("cap-hour", t.Caps.Hour),
		same("cap-day", t.Caps.Day),
		same("cap-month", t.Caps.Month),
		same("cap-total", t.Caps.Total),
		text("money-cap-day", t.Caps.MoneyDay.String()),
		text("money-cap-month", t.Caps.MoneyMonth.String()),
		text("price", Prices(t)),
		text("credit-limit", CreditLimit(t)),
		same("return-days", t.Returns.Days),
		text("approve-returns", join(t.Returns.Approve)),
		text("deny-returns", join(t.Returns.Deny)),
		same("priority", t.Priority),
		same("max-in-flight", t.InFlight()),
		text("payout", t.Payout),
		same("payout-public", t.PayoutShown),
		same("own-form-only", t.Demands.OwnForm),
		same("plausible-phones-only", t.Demands.PlausiblePhone),
		same("no-duplicates", t.Demands.NoDuplicates),
		same("street-required", t.Demands.Street),
		same("one-step", t.OneStep),
		same("accept-plain", t.PlainAccept),
		same("held-since", timeOrNothing(t.HeldSince)),
		same("practice", t.Practice),
	}
}

// hostOf returns scheme and host of a URL.
func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return ""
	}
	return audit.Text(u.Scheme + "://" + u.Host)
}

func timeOrNothing(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
