package main

import (
	"cmp"
	"fmt"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/wire"
)

// cardObject is a buyer for programs. What is told only once comes after its id.
func cardObject(c operator.Summary, once ...wire.Member) wire.Object {
	t := c.Terms
	return append(append(wire.Object{{"id", c.ID}}, once...), wire.Object{
		{"name", t.Name},
		{"state", c.State},
		{"why", orNull(c.Why)},
		{"url", t.URL},
		{"services", t.Services},
		{"zips", patterns(t.Area.ZIPs)},
		{"exclude_zips", patterns(t.Area.Excluded)},
		{"states", orEmpty(t.Area.States)},
		{"hours", orNull(t.Hours.Text)},
		{"time_zone", orNull(t.Hours.Zone)},
		{"caps", wire.Object{{"hour", t.Caps.Hour}, {"day", t.Caps.Day}, {"month", t.Caps.Month}, {"total", t.Caps.Total}}},
		{"priority", t.Priority},
		{"payout", orNull(t.Payout)},
		{"payout_public", t.PayoutShown},
		{"own_form_only", t.Demands.OwnForm},
		{"plausible_phones_only", t.Demands.PlausiblePhone},
		{"no_duplicates", t.Demands.NoDuplicates},
		{"street_required", t.Demands.Street},
		{"one_step", t.OneStep},
		{"accept_plain", t.PlainAccept},
		{"held_since", orNever(t.HeldSince)},
		{"secrets", len(c.Secrets)},
		{"failures", c.Health.Failures},
		{"breaker_open_until", orNever(c.Health.OpenUntil)},
		{"left_alone_until", orNever(c.LeftAlone())},
		{"last_asked_at", orNever(c.Health.Asked)},
		{"used", usedObject(c.Use)},
		{"counts", countsObject(c.Use)},
		{"delivering", c.Delivering},
		{"created_at", c.CreatedAt},
		{"updated_at", c.UpdatedAt},
	}...)
}

// cardRow is a buyer in a list for programs. Areas are counted, not listed: they may be long.
func cardRow(c operator.Summary) wire.Object {
	return wire.Object{
		{"id", c.ID},
		{"name", c.Terms.Name},
		{"state", c.State},
		{"why", orNull(c.Why)},
		{"services", c.Terms.Services},
		{"zip_patterns", operator.Patterns(c.Terms.Area.ZIPs)},
		{"exclude_zip_patterns", operator.Patterns(c.Terms.Area.Excluded)},
		{"states", orEmpty(c.Terms.Area.States)},
		{"priority", c.Terms.Priority},
		{"breaker_open_until", orNever(c.Health.OpenUntil)},
		{"left_alone_until", orNever(c.LeftAlone())},
		{"used", usedObject(c.Use)},
		{"counts", countsObject(c.Use)},
	}
}

// countsObject tells what became of offers, for each period.
func countsObject(all []operator.Use) wire.Object {
	o := wire.Object{}
	for _, u := range all {
		o = append(o, wire.Member{u.Period, wire.Object{{"offered", u.Offered}, {"accepted", u.Accepted}, {"delivered", u.Delivered}, {"returned", u.Returned}}})
	}
	return o
}

func usedObject(all []operator.Use) wire.Object {
	o := wire.Object{}
	for _, u := range all {
		o = append(o, wire.Member{u.Period, u.Used})
	}
	return o
}

func patterns(zips string) []string {
	if zips == "" {
		return []string{}
	}
	return strings.Split(zips, ",")
}

func orEmpty(list []string) []string { return append([]string{}, list...) }

// cardSheet is a buyer for people. What is not set is left out.
func cardSheet(c operator.Summary) wire.Object {
	t := c.Terms
	sheet := wire.Object{
		{"id", c.ID},
		{"name", t.Name},
		{"state", stateOf(c)},
		{"why", c.Why},
		{"url", t.URL},
		{"services", serviceList(t.Services)},
		{"area", operator.Area(t.Area)},
		{"zips", shortList(t.Area.ZIPs)},
		{"exclude zips", shortList(t.Area.Excluded)},
		{"hours", cmp.Or(t.Hours.Text, "always")},
		{"time zone", cmp.Or(t.Hours.Zone, "UTC")},
		{"priority", fmt.Sprint(t.Priority)},
		{"payout", payoutOf(t)},
		{"demands", strings.Join(operator.Wants(t.Demands), ", ")},
		{"steps", stepsOf(t)},
		{"secrets", secretsOf(c.Buyer)},
		{"last asked", clock(c.Health.Asked)},
		{"breaker", breakerOf(c)},
		{"left alone", leftAlone(c)},
		{"held leads", heldOf(t)},
		{"delivering", c.Delivering},
	}
	for _, u := range c.Use {
		sheet = append(sheet, wire.Member{spoken[u.Period], countsOf(u)})
	}
	return append(sheet, wire.Member{"added", clock(c.CreatedAt)}, wire.Member{"changed", clock(c.UpdatedAt)})
}

// spoken are the periods of caps as people call them.
var spoken = map[string]string{"hour": "this hour", "day": "today", "month": "this month", "total": "all time"}

func serviceList(services []lead.Service) string {
	if len(services) == len(lead.Services)-1 {
		return "all"
	}
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(services), "[]"), " ", ", ")
}

// shortList shows a list of patterns as far as it fits on a few lines.
func shortList(zips string) string {
	const most = 60
	list := patterns(zips)
	if len(list) > most {
		list = append(list[:most:most], fmt.Sprintf("… (%d in all; --json lists them)", len(list)))
	}
	var lines strings.Builder
	for i, p := range list {
		switch {
		case i > 0 && i%12 == 0:
			lines.WriteByte('\n')
		case i > 0:
			lines.WriteByte(' ')
		}
		lines.WriteString(p)
	}
	return lines.String()
}

func payoutOf(t buyer.Terms) string {
	switch {
	case t.Payout == "":
		return ""
	case t.PayoutShown:
		return t.Payout + " (public)"
	}
	return t.Payout + " (private)"
}

func stepsOf(t buyer.Terms) string {
	switch {
	case t.PlainAccept:
		return "one: the contact is sent right away, and any 2xx accepts it"
	case t.OneStep:
		return "one: the contact is sent right away, and the answer is the decision"
	}
	return "two: an offer first, then the contact if the buyer accepts"
}

func secretsOf(b buyer.Buyer) string {
	if len(b.Secrets) > 1 {
		return fmt.Sprintf("%d: a rotation is under way, and messages carry both signatures", len(b.Secrets))
	}
	return fmt.Sprint(len(b.Secrets))
}

func breakerOf(c operator.Summary) string {
	s := c.Health
	switch {
	case !s.Answers(c.At):
		return fmt.Sprintf("open until %s after %d failures in a row", clock(s.OpenUntil), s.Failures)
	case s.Probing(c.At):
		return "half open: the next lead is a trial"
	case s.Failures > 0:
		return fmt.Sprintf("closed; failures in a row: %d", s.Failures)
	}
	return "closed"
}

// leftAlone says until when a buyer asked for time, where that is not over.
func leftAlone(c operator.Summary) string {
	if c.LeftAlone().IsZero() {
		return ""
	}
	return "until " + clock(c.LeftAlone()) + ", as it asked (Retry-After)"
}

// heldOf says which held leads a buyer gets, where it does not get them all.
func heldOf(t buyer.Terms) string {
	if t.HeldSince.IsZero() {
		return ""
	}
	return "only those received since " + clock(t.HeldSince)
}

// countsOf tells what became of the offers of a period, and how much of its cap is used.
func countsOf(u operator.Use) string {
	text := fmt.Sprintf("offered %d, accepted %d, delivered %d, returned %d", u.Offered, u.Accepted, u.Delivered, u.Returned)
	if u.Cap == 0 {
		return text
	}
	if text += "; cap: " + capOf(u); u.Ends.IsZero() {
		return text
	}
	return text + " until " + clock(u.Ends)
}
