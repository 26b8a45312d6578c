// Package source describes where leads come from: partners and campaigns, each with a public key. It says what a key is worth on a
// request, and what a lead costs.
//
// It is pure, like package lead. It never refuses a request: a person does not answer for the key in an address.
package source

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// Source is a partner or a campaign that sends leads.
type Source struct {
	Key       string // public: it stands in addresses and headers
	Terms     Terms
	State     State
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Terms are what was agreed on with a source. They are stored as JSON.
type Terms struct {
	Name     string      `json:"name"`
	Cost     buyer.Cents `json:"cost_cents,omitzero"` // for each lead
	CapDay   int         `json:"cap_day,omitzero"`    // leads of a day that are paid for; 0 means no cap
	CapMonth int         `json:"cap_month,omitzero"`  // the same for a month
	Origins  []string    `json:"origins,omitempty"`   // the websites that may use the key; none means all
	Consent  string      `json:"consent,omitempty"`   // the wording that its visitors are shown; "" for the usual one
	Hold     bool        `json:"hold,omitzero"`       // while it is blocked, its leads are held
}

// State says whether a key counts.
type State string

// The states.
const (
	Active  State = "active"
	Blocked State = "blocked"
)

// Direct is what reports call the source of leads that have none.
const Direct = "direct"

// Admits reports whether a request may use the key. own is whether it was sent from a page of ours; a program names no origin.
func (s *Source) Admits(origin string, own bool) bool {
	return s.State == Active && (own || origin == "" || len(s.Terms.Origins) == 0 || slices.Contains(s.Terms.Origins, origin))
}

// Mark returns the mark of a request that names a source, which is nil if there is none with that key. It is "" if the lead counts for
// the source.
func Mark(s *Source, origin string, own bool) lead.Mark {
	switch {
	case s == nil:
		return lead.SourceUnknown
	case s.Admits(origin, own):
		return ""
	case s.Terms.Hold:
		return lead.SourceHeld
	}
	return lead.SourceBlocked
}

// ConsentShown is the wording of its own that visitors of our form are shown who came from the source.
func (s *Source) ConsentShown() lead.ConsentText { return s.consent("shown-") }

// ConsentStated is the same wording as a sender states that it showed it: on a page of the partner, or in a conversation.
func (s *Source) ConsentStated() lead.ConsentText { return s.consent("stated-") }

func (s *Source) consent(grade string) lead.ConsentText {
	text := lead.ConsentText{Text: s.Terms.Consent}
	text.Version = grade + lead.PartnerWording + text.Ref().Hash[:8]
	return text
}

// Price is what was agreed on from a time on.
type Price struct {
	Since            time.Time
	Cost             buyer.Cents
	CapDay, CapMonth int
}

// Price returns what the terms say about money.
func (t Terms) Price(since time.Time) Price { return Price{since, t.Cost, t.CapDay, t.CapMonth} }

// Same reports whether two prices differ in nothing but their time.
func (p Price) Same(other Price) bool {
	p.Since = other.Since
	return p == other
}

// CostAt returns what a lead costs that came at a time, if others of its day and its month are paid for already. prices are in the order
// of their times.
func CostAt(prices []Price, at time.Time, paidOfDay, paidOfMonth int64) buyer.Cents {
	cost := buyer.Cents(0)
	for _, p := range prices {
		if p.Since.After(at) {
			break
		}
		if cost = p.Cost; p.CapDay > 0 && paidOfDay >= int64(p.CapDay) || p.CapMonth > 0 && paidOfMonth >= int64(p.CapMonth) {
			cost = 0
		}
	}
	return cost
}

// Costs reports whether a lead that stands so is paid for: one that could have been sold.
func Costs(o buyer.Outcome) bool {
	return !slices.Contains([]buyer.Outcome{buyer.OutcomeCalled, buyer.OutcomeWithheld, buyer.OutcomeClosed, buyer.OutcomePractice}, o)
}

// Campaign names the advertisement of a lead for reports. Terms and contents are left out: tools write there what tells one person from
// another. "" means that there is none.
func Campaign(c lead.Campaign) string {
	if c.Source == "" && c.Medium == "" && c.Name == "" {
		return ""
	}
	parts := []string{c.Source, c.Medium, c.Name}
	for i, p := range parts {
		switch {
		case p == "":
			parts[i] = "(none)"
		case mayBePersonal(p):
			parts[i] = "(not shown)"
		}
	}
	return strings.Join(parts, " / ")
}

// phoneOrEmail matches a US phone number, and an e-mail address that may be encoded twice. Ids of campaigns have other lengths, or begin
// with a digit that no area code has.
var phoneOrEmail = regexp.MustCompile(`(^|[^0-9])(\+?1[ .-]?)?\(?[2-9][0-9]{2}\)?[ .-]?[2-9][0-9]{2}[ .-]?[0-9]{4}($|[^0-9])|[^@ ](@|%40)[^@ ]+\.`)

// mayBePersonal reports whether the name of a campaign looks like an address or a phone number: some newsletters put them there.
func mayBePersonal(text string) bool { return phoneOrEmail.MatchString(text) }
