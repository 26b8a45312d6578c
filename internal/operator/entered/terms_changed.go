package entered

import (
	"fmt"
	"net/url"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
)

// auditedTerm is a term of a buyer as the audit trail shows it.
type auditedTerm struct {
	name  string
	value any // compared
	shown any // recorded
}

// ChangedTerms returns the terms that differ, each with its old and its new value. It leaves out what an entry must not hold: the
// name, which may be a person's, and all of the URL but its host, because the rest may contain a key.
func ChangedTerms(before, after buyer.Buyer) audit.Detail {
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
		if n := len(Patterns(list)); n > MaxQuoted {
			return auditedTerm{name, list, fmt.Sprintf("%d patterns", n)}
		}
		return text(name, list)
	}
	return []auditedTerm{
		same("state", string(b.State)),
		{"name", t.Name, nil},
		{"url", t.URL, hostOf(t.URL)},
		text("services", Join(t.Services)),
		zips("zips", t.Area.ZIPs),
		zips("exclude-zips", t.Area.Excluded),
		text("states", Join(t.Area.States)),
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
		text("approve-returns", Join(t.Returns.Approve)),
		text("deny-returns", Join(t.Returns.Deny)),
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
