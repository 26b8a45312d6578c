package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/query"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// Buyer is a buyer as JSON. Members that are shown only once follow the id.
func Buyer(sum query.Summary, once ...wire.Member) wire.Object {
	t := sum.Terms
	used, counts := useObjects(sum.Use)
	return append(append(wire.Object{{"id", sum.ID}}, once...), wire.Object{
		{"name", t.Name},
		{"state", sum.State},
		{"practice", t.Practice},
		{"why", wire.OrNull(sum.Why)},
		{"url", t.URL},
		{"services", t.Services},
		{"zips", entered.Patterns(t.Area.ZIPs)},
		{"exclude_zips", entered.Patterns(t.Area.Excluded)},
		{"states", t.Area.States},
		{"hours", wire.OrNull(t.Hours.Text)},
		{"time_zone", wire.OrNull(t.Hours.Zone)},
		{"caps", wire.Object{{"hour", t.Caps.Hour}, {"day", t.Caps.Day}, {"month", t.Caps.Month}, {"total", t.Caps.Total}, {"money_day_cents", t.Caps.MoneyDay}, {"money_month_cents", t.Caps.MoneyMonth}}},
		{"price_cents", priceObject(t)},
		{"credit_limit_cents", t.CreditLimit},
		{"owed_cents", sum.Owed},
		{"reserved_cents", sum.Reserved()},
		{"return_days", int(t.Returns.Window() / (24 * time.Hour))},
		{"approve_returns", t.Returns.Approve},
		{"deny_returns", t.Returns.Deny},
		{"priority", t.Priority},
		{"max_in_flight", t.InFlight()},
		{"payout", wire.OrNull(t.Payout)},
		{"payout_public", t.PayoutShown},
		{"own_form_only", t.Demands.OwnForm},
		{"plausible_phones_only", t.Demands.PlausiblePhone},
		{"no_duplicates", t.Demands.NoDuplicates},
		{"street_required", t.Demands.Street},
		{"one_step", t.OneStep},
		{"accept_plain", t.PlainAccept},
		{"held_since", wire.TimeOrNull(t.HeldSince)},
		{"secrets", len(sum.Secrets)},
		{"failures", sum.Health.Failures},
		{"breaker_open_until", wire.TimeOrNull(sum.Health.OpenUntil)},
		{"left_alone_until", wire.TimeOrNull(sum.QuietUntil())},
		{"last_asked_at", wire.TimeOrNull(sum.Health.Asked)},
		{"used", used},
		{"counts", counts},
		{"delivering", sum.Delivering},
		{"created_at", sum.CreatedAt},
		{"updated_at", sum.UpdatedAt},
	}...)
}

// BuyerRow is a buyer in a JSON list. Areas are counted, not listed, because they may be long.
func BuyerRow(sum query.Summary) wire.Object {
	used, counts := useObjects(sum.Use)
	return wire.Object{
		{"id", sum.ID},
		{"name", sum.Terms.Name},
		{"state", sum.State},
		{"practice", sum.Terms.Practice},
		{"why", wire.OrNull(sum.Why)},
		{"services", sum.Terms.Services},
		{"zip_patterns", len(entered.Patterns(sum.Terms.Area.ZIPs))},
		{"exclude_zip_patterns", len(entered.Patterns(sum.Terms.Area.Excluded))},
		{"states", sum.Terms.Area.States},
		{"priority", sum.Terms.Priority},
		{"breaker_open_until", wire.TimeOrNull(sum.Health.OpenUntil)},
		{"left_alone_until", wire.TimeOrNull(sum.QuietUntil())},
		{"no_room", wire.OrNull(sum.NoRoom.Reason)},
		{"owed_cents", sum.Owed},
		{"used", used},
		{"counts", counts},
	}
}

// useObjects returns how much of each cap is used, and counts the outcomes of offers in each period.
func useObjects(all []query.Use) (used, counts wire.Object) {
	for _, u := range all {
		used = append(used, wire.Member{u.Period, u.Used.Leads})
		outcomes := wire.Object{
			{"offered", u.Offered},
			{"accepted", u.Accepted},
			{"delivered", u.Delivered},
			{"returned", u.Returned},
			{"charged_cents", u.Charged},
			{"credited_cents", u.Credited},
		}
		counts = append(counts, wire.Member{u.Period, outcomes})
	}
	return used, counts
}

// BuyerFields is a buyer as text. Fields that are not set are left out.
func BuyerFields(sum query.Summary) wire.Object {
	t := sum.Terms
	fields := wire.Object{
		{"id", sum.ID},
		{"name", t.Name},
		{"state", StateNow(sum)},
		{"practice", practiceText(t)},
		{"why", sum.Why},
		{"url", t.URL},
		{"services", Services(t.Services)},
		{"area", entered.Area(t.Area)},
		{"zips", shortList(t.Area.ZIPs)},
		{"exclude zips", shortList(t.Area.Excluded)},
		{"hours", cmp.Or(t.Hours.Text, "always")},
		{"time zone", cmp.Or(t.Hours.Zone, "UTC")},
		{"priority", fmt.Sprint(t.Priority)},
		{"in flight", fmt.Sprintf("at most %d", t.InFlight())},
		{"prices", entered.Prices(t)},
		{"balance", balanceText(sum)},
		{"returns", returnsText(t.Returns)},
		{"payout", payoutText(t)},
		{"demands", strings.Join(entered.Wants(t.Demands), ", ")},
		{"steps", stepsText(t)},
		{"secrets", secretsText(sum.Buyer)},
		{"last asked", terminal.Time(sum.Health.Asked)},
		{"breaker", breakerText(sum)},
		{"left alone", quietText(sum)},
		{"held leads", heldText(t)},
		{"delivering", sum.Delivering},
	}
	for _, u := range sum.Use {
		fields = append(fields, wire.Member{periodNames[u.Period], countsText(u)})
	}
	return append(fields, wire.Member{"added", terminal.Time(sum.CreatedAt)}, wire.Member{"changed", terminal.Time(sum.UpdatedAt)})
}

// periodNames are the cap periods in words.
var periodNames = map[string]string{"hour": "this hour", "day": "today", "month": "this month", "total": "all time"}

// Services lists services in words.
func Services(services []lead.Service) string {
	if len(services) == len(lead.Services)-1 {
		return "all"
	}
	return words(services)
}

// FewServices lists services for a line of a table: the first two, and how many more.
func FewServices(services []lead.Service) string {
	const most = 2
	if len(services) <= most+1 || len(services) == len(lead.Services)-1 {
		return Services(services)
	}
	return fmt.Sprintf("%s and %d more", words(services[:most]), len(services)-most)
}

// shortList lists as many patterns as fit on a few lines.
func shortList(zips string) string {
	const most = 60
	list := entered.Patterns(zips)
	if len(list) > most {
		list = append(list[:most:most], fmt.Sprintf("… (%d in all; --json lists them)", len(list)))
	}
	var lines []string
	for line := range slices.Chunk(list, 12) {
		lines = append(lines, strings.Join(line, " "))
	}
	return strings.Join(lines, "\n")
}

// practiceText says what a practice buyer is.
func practiceText(t buyer.Terms) string {
	if !t.Practice {
		return ""
	}
	return "it takes only made-up numbers (555-01xx), and this program answers for it: nobody is promised anything"
}

func payoutText(t buyer.Terms) string {
	switch {
	case t.Payout == "":
		return ""
	case t.PayoutShown:
		return t.Payout + " (public)"
	}
	return t.Payout + " (private)"
}

// priceObject lists the prices in the public order of the services.
func priceObject(t buyer.Terms) wire.Object {
	prices := wire.Object{}
	for _, s := range lead.Services {
		if price, agreed := t.Prices[s]; agreed {
			prices = append(prices, wire.Member{string(s), price})
		}
	}
	return prices
}

// balanceText says what a buyer owes or has left, what is reserved, and how much it may owe.
func balanceText(sum query.Summary) string {
	if len(sum.Terms.Prices) == 0 && sum.Owed == 0 {
		return ""
	}
	text := "it owes " + sum.Owed.String()
	if sum.Owed < 0 {
		text = (-sum.Owed).String() + " left of what it paid"
	}
	if reserved := sum.Reserved(); reserved > 0 {
		text += ", " + reserved.String() + " reserved for open offers"
	}
	return text + "; credit limit: " + entered.CreditLimit(sum.Terms)
}

// returnsText says how long leads can be returned, and what is decided without a look.
func returnsText(t buyer.ReturnTerms) string {
	text := fmt.Sprintf("within %d days", int(t.Window()/(24*time.Hour)))
	if len(t.Approve) > 0 {
		text += "; approved without a look: " + words(t.Approve)
	}
	if len(t.Deny) > 0 {
		text += "; denied without a look: " + words(t.Deny)
	}
	return text
}

// words lists words with commas between them.
func words[T ~string](list []T) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ", ")
}

func stepsText(t buyer.Terms) string {
	switch {
	case t.PlainAccept:
		return "one: the contact is sent right away, and any 2xx accepts it"
	case t.OneStep:
		return "one: the contact is sent right away, and the answer is the decision"
	}
	return "two: an offer first, then the contact if the buyer accepts"
}

func secretsText(b buyer.Buyer) string {
	if len(b.Secrets) > 1 {
		return fmt.Sprintf("%d: a rotation is under way, and messages carry both signatures", len(b.Secrets))
	}
	return fmt.Sprint(len(b.Secrets))
}

func breakerText(sum query.Summary) string {
	s := sum.Health
	switch {
	case !s.MayBeAsked(sum.At):
		return fmt.Sprintf("open until %s after %d failures in a row", terminal.Time(s.OpenUntil), s.Failures)
	case s.Probing(sum.At):
		return "half open: the next lead is a trial"
	case s.Failures > 0:
		return fmt.Sprintf("closed; failures in a row: %d", s.Failures)
	}
	return "closed"
}

// quietText says until when a buyer asked not to be contacted, if that time has not passed.
func quietText(sum query.Summary) string {
	if sum.QuietUntil().IsZero() {
		return ""
	}
	return "until " + terminal.Time(sum.QuietUntil()) + ", as it asked (Retry-After)"
}

// heldText says which held leads a buyer gets, unless it gets all.
func heldText(t buyer.Terms) string {
	if t.HeldSince.IsZero() {
		return ""
	}
	return "only those received since " + terminal.Time(t.HeldSince)
}

// countsText describes the outcomes of a period's offers, and how much of its cap is used.
func countsText(u query.Use) string {
	text := fmt.Sprintf("offered %d, accepted %d, delivered %d, returned %d", u.Offered, u.Accepted, u.Delivered, u.Returned)
	if u.Charged > 0 {
		text += fmt.Sprintf("; charged %s, credited %s", u.Charged, u.Credited)
	}
	if u.Cap == 0 && u.MoneyCap == 0 {
		return text
	}
	if u.Cap > 0 {
		text += "; cap: " + Cap(u)
	}
	if u.MoneyCap > 0 {
		text += fmt.Sprintf("; money cap: %s of %s", u.Used.Money, u.MoneyCap)
	}
	if u.Ends.IsZero() {
		return text
	}
	return text + " until " + terminal.Time(u.Ends)
}

// State returns a buyer's state in words.
func State(s buyer.State) string {
	if s == buyer.Testing {
		return "in test"
	}
	return string(s)
}

// StateNow returns a buyer's state, and whether it is for practice or has stopped answering.
func StateNow(sum query.Summary) string {
	switch {
	case sum.Terms.Practice:
		return State(sum.State) + ", practice"
	case sum.Health.Down():
		return State(sum.State) + ", not answering"
	}
	return State(sum.State)
}

// Why says why a buyer gets no leads, if so.
func Why(sum query.Summary) string {
	switch rule := sum.NoRoom.Rule; {
	case sum.Why != "":
	case sum.Health.Down():
		return "does not answer; asked again after " + terminal.Time(sum.Health.OpenUntil)
	case !sum.QuietUntil().IsZero():
		return "asked for time until " + terminal.Time(sum.QuietUntil())
	case rule == buyer.RuleHours && !sum.NoRoom.Until.IsZero():
		return "closed until " + terminal.Time(sum.NoRoom.Until)
	case rule == buyer.RuleCap || rule == buyer.RuleMoneyCap || rule == buyer.RuleBalance:
		return sum.NoRoom.Reason
	}
	return terminal.OneLine(sum.Why)
}

// Cap says how much of a cap is used.
func Cap(u query.Use) string {
	if u.Cap == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d", u.Used.Leads, u.Cap)
}

// Owes says what a buyer owes. A negative amount is what it has left.
func Owes(sum query.Summary) string {
	if len(sum.Terms.Prices) == 0 && sum.Owed == 0 {
		return "-"
	}
	return sum.Owed.String()
}
