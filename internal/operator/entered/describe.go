package entered

import (
	"fmt"
	"strconv"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/source"
)

// Prices lists the prices of a buyer, in the public order of the services.
func Prices(t buyer.Terms) string {
	var list []string
	for _, s := range lead.Services {
		if price, agreed := t.Prices[s]; agreed {
			list = append(list, fmt.Sprintf("%s %s", s, price))
		}
	}
	return strings.Join(list, ", ")
}

// CreditLimit says how much a buyer may owe.
func CreditLimit(t buyer.Terms) string {
	switch {
	case t.CreditLimit == nil:
		return "none"
	case *t.CreditLimit == 0:
		return "$0.00: it pays in advance"
	}
	return t.CreditLimit.String()
}

// TermTexts writes terms as they are typed, by the names of their flags: read again, they are the same terms. A term that is not set is "".
func TermTexts(t buyer.Terms) map[string]string {
	return map[string]string{
		"name": t.Name, "url": t.URL, "services": Join(t.Services), "zips": t.Area.ZIPs, "exclude-zips": t.Area.Excluded, "states": Join(t.Area.States),
		"hours": t.Hours.Text, "time-zone": t.Hours.Zone,
		"cap-hour": numberText(t.Caps.Hour), "cap-day": numberText(t.Caps.Day), "cap-month": numberText(t.Caps.Month), "cap-total": numberText(t.Caps.Total),
		"money-cap-day": amountText(t.Caps.MoneyDay), "money-cap-month": amountText(t.Caps.MoneyMonth), "price": priceText(t), "credit-limit": limitText(t.CreditLimit),
		"return-days": numberText(t.Returns.Days), "approve-returns": Join(t.Returns.Approve), "deny-returns": Join(t.Returns.Deny),
		"priority": strconv.Itoa(t.Priority), "payout": t.Payout, "payout-public": strconv.FormatBool(t.PayoutShown),
		"own-form-only": strconv.FormatBool(t.Demands.OwnForm), "plausible-phones-only": strconv.FormatBool(t.Demands.PlausiblePhone),
		"no-duplicates": strconv.FormatBool(t.Demands.NoDuplicates), "street-required": strconv.FormatBool(t.Demands.Street),
		"max-in-flight": numberText(t.MaxInFlight), "one-step": strconv.FormatBool(t.OneStep), "accept-plain": strconv.FormatBool(t.PlainAccept),
	}
}

// SourceTexts writes the terms of a source as they are typed, by the names of their flags.
func SourceTexts(t source.Terms) map[string]string {
	return map[string]string{
		"name": t.Name, "cost": amountText(t.Cost), "cap-day": numberText(t.CapDay), "cap-month": numberText(t.CapMonth), "origins": strings.Join(t.Origins, ", "), "consent": t.Consent,
	}
}

// numberText is "" for 0, which is none.
func numberText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func amountText(c buyer.Cents) string {
	if c == 0 {
		return ""
	}
	return c.Decimal()
}

func limitText(limit *buyer.Cents) string {
	if limit == nil {
		return ""
	}
	return limit.Decimal()
}

func priceText(t buyer.Terms) string {
	var list []string
	for _, s := range lead.Services {
		if price, agreed := t.Prices[s]; agreed {
			list = append(list, string(s)+"="+price.Decimal())
		}
	}
	return strings.Join(list, ", ")
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
