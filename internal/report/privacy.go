package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/store"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// Contact says which buyers have seen the contact of a lead. It is zero without a lead.
type Contact struct {
	seen   buyer.Seen
	buyers []string // names of those that have, or else of those that may have
}

// ReadContact determines which buyers have seen the contact of a lead.
func ReadContact(tx *store.Tx, leadID string) (Contact, error) {
	if leadID == "" {
		return Contact{}, nil
	}
	offers, err := tx.Timeline().Offers(leadID)
	attempts, attemptsErr := tx.Timeline().Attempts(leadID)
	c := Contact{seen: buyer.NotSeen}
	for _, o := range offers {
		name := cmp.Or(terminal.OneLine(o.BuyerName), o.Buyer)
		switch seen := operator.Saw(o.Offer, attempts); {
		case seen == buyer.NotSeen, seen == buyer.MaybeSeen && c.seen == buyer.HasSeen:
		case seen != c.seen:
			c = Contact{seen, []string{name}}
		case !slices.Contains(c.buyers, name):
			c.buyers = append(c.buyers, name)
		}
	}
	return c, errors.Join(err, attemptsErr)
}

// String describes the contact in one line.
func (c Contact) String() string {
	switch c.seen {
	case buyer.HasSeen:
		return "a buyer has the contact: " + strings.Join(c.buyers, ", ")
	case buyer.MaybeSeen:
		return "a buyer may have the contact: " + strings.Join(c.buyers, ", ")
	case buyer.NotSeen:
		return "no buyer has seen the contact"
	}
	return ""
}

// member is the contact as JSON.
func (c Contact) member() wire.Member {
	if c.seen == "" {
		return wire.Member{"contact", (*wire.Object)(nil)}
	}
	return wire.Member{"contact", &wire.Object{{"seen", c.seen}, {"buyers", c.buyers}}}
}

// PrivacyRow is a privacy request in a JSON list, without its phone number, and with who has seen the contact of the lead it names, and
// the legal holds that keep it open.
func PrivacyRow(r lead.PrivacyRequest, c Contact, keptOpen []lead.LegalHold) wire.Object {
	return append(privacyFields(r, keptOpen), c.member())
}

func privacyFields(r lead.PrivacyRequest, keptOpen []lead.LegalHold) wire.Object {
	return wire.Object{
		{"privacy_request_id", r.ID},
		{"at", r.At},
		{"due_at", wire.TimeOrNull(r.DueAt())},
		{"kind", r.Kind},
		{"lead_id", wire.OrNull(r.LeadID)},
		{"state", r.State},
		{"kept_open_by", lead.HoldIDs(keptOpen)},
	}
}

// PrivacyCase is a privacy request with the leads of its phone number, and which buyers have seen the contact of each of
// them and of the lead that the request names. KeptOpen are the legal holds because of which it cannot be settled.
type PrivacyCase struct {
	lead.PrivacyRequest
	KeptOpen []lead.LegalHold
	leads    []lead.Lead
	contacts map[string]Contact
	held     map[string]bool // whether a lead is under a legal hold
}

// ReadPrivacyCase reads a privacy request and what concerns it.
func ReadPrivacyCase(tx *store.Tx, id string) (rc PrivacyCase, err error) {
	if rc.PrivacyRequest, err = tx.PrivacyRequests().Find(id); err != nil {
		return rc, err
	}
	var seqs []int64
	if rc.Phone != "" { // a settled request has no number
		if seqs, err = tx.LeadsWithPhone(false, func(other string) bool { return other == rc.Phone }); err != nil {
			return rc, err
		}
	}
	about := []string{rc.LeadID}
	for _, seq := range seqs {
		l, err := tx.LeadBySeq(seq)
		if err != nil {
			return rc, err
		}
		rc.leads, about = append(rc.leads, l), append(about, l.ID)
	}
	held, err := tx.LegalHolds().Persons()
	if err != nil {
		return rc, err
	}
	rc.KeptOpen, rc.held = rc.KeptOpenBy(held), make(map[string]bool)
	for _, h := range held {
		rc.held[h.LeadID] = true
	}
	rc.contacts = make(map[string]Contact)
	for _, id := range about {
		if rc.contacts[id], err = ReadContact(tx, id); err != nil {
			return rc, err
		}
	}
	return rc, nil
}

// Leads are the leads with its phone number.
func (rc PrivacyCase) Leads() []lead.Lead { return rc.leads }

// ContactOf says which buyers have seen the contact of one of its leads.
func (rc PrivacyCase) ContactOf(leadID string) Contact { return rc.contacts[leadID] }

// UnderLegalHold reports whether one of its leads is under a legal hold.
func (rc PrivacyCase) UnderLegalHold(leadID string) bool { return rc.held[leadID] }

// ownershipProven reports whether the sender knew both the phone number of a lead and its reference.
func (rc PrivacyCase) ownershipProven() bool {
	return slices.ContainsFunc(rc.leads, func(l lead.Lead) bool { return l.ID == rc.LeadID })
}

// Fields list the privacy request, and how it came in.
func (rc PrivacyCase) Fields() wire.Object {
	var proven *bool // of a settled request nobody can tell anymore, and of one without a lead there is nothing to tell
	if rc.State == lead.PrivacyOpen && rc.LeadID != "" {
		proven = new(rc.ownershipProven())
	}
	ev := rc.Evidence
	return append(privacyFields(rc.PrivacyRequest, rc.KeptOpen), wire.Object{
		{"phone", wire.OrNull(rc.Phone)},
		{"note", wire.OrNull(rc.Note)},
		{"phone_and_lead_belong_together", proven},
		{"client", wire.OrNull(ev.Client)},
		{"user_agent", wire.OrNull(ev.UserAgent)},
		{"page", wire.OrNull(ev.Page)},
		{"origin", wire.OrNull(ev.Origin)},
		{"sec_fetch_site", wire.OrNull(ev.FetchSite)},
		{"request_id", wire.OrNull(ev.RequestID)},
	}...)
}

// Print prints the request, the leads with its phone number, and what to type to fulfill it.
func (rc PrivacyCase) Print(w io.Writer, database string) error {
	if err := PrintFields(w, append(rc.Fields(), wire.Member{"contact", rc.contacts[rc.LeadID].String()})); err != nil {
		return err
	}
	if len(rc.leads) > 0 {
		var rows [][]any
		for _, l := range rc.leads {
			hold := "-"
			if rc.held[l.ID] {
				hold = "yes"
			}
			rows = append(rows, []any{l.ID, terminal.Time(l.CreatedAt), l.Request.Service, l.Status, hold, rc.contacts[l.ID]})
		}
		if err := terminal.Table(w, "\nLEADS WITH THIS NUMBER\tRECEIVED\tSERVICE\tSTATUS\tLEGAL HOLD\tCONTACT", rows); err != nil {
			return err
		}
	}
	if rc.State != lead.PrivacyOpen {
		return nil
	}
	if !rc.ownershipProven() {
		fmt.Fprintln(w, "\nThe phone number and the reference do not match, or there is no reference: make sure that the person owns the number.")
	}
	for i, h := range rc.KeptOpen {
		if i == 0 {
			fmt.Fprintf(w, "\nIt stays open: a lead of its number is under a legal hold, and nothing of that lead may be deleted. Tell the person by %s that their data is kept, and why.\n",
				rc.DueAt().Format(time.DateOnly))
		}
		fmt.Fprintln(w, "  "+h.LeadID+": "+LegalHoldLine(h))
	}
	fmt.Fprintln(w, "\nTo fulfill it:")
	for _, line := range rc.commands(database) {
		fmt.Fprintln(w, "  "+line)
	}
	for _, l := range rc.leads {
		if c := rc.contacts[l.ID]; c.seen != buyer.NotSeen {
			fmt.Fprintf(w, "%s: %s. Pass the request on to them; foyer leads show %s says what was sent.\n", l.ID, c, l.ID)
		}
	}
	return nil
}

// commands returns the commands that fulfill the request, on a database as a shell reads it, as far as legal holds allow. Erasing does not
// block later requests, and withdrawing consent erases nothing.
func (rc PrivacyCase) commands(database string) []string {
	if rc.State != lead.PrivacyOpen {
		return nil
	}
	var all []string
	if rc.Kind == lead.Withdraw || len(rc.KeptOpen) > 0 {
		all = append(all, "foyer suppress add "+rc.Phone)
	}
	if rc.Kind == lead.EraseAll {
		for _, l := range rc.leads {
			if !rc.held[l.ID] {
				all = append(all, "foyer leads erase "+l.ID)
			}
		}
	}
	if len(rc.KeptOpen) == 0 {
		all = append(all, "foyer privacy settle "+rc.ID)
	}
	for i := range all {
		all[i] += " --database " + database
	}
	return all
}

// Object is all of it as JSON, with the commands that fulfill it.
func (rc PrivacyCase) Object(database string) wire.Object {
	return append(rc.Answer(), wire.Member{"commands", rc.commands(database)})
}

// Answer is all of it as JSON, for programs that do not type commands.
func (rc PrivacyCase) Answer() wire.Object {
	var leads []wire.Object
	for _, l := range rc.leads {
		leads = append(leads, wire.Object{{"lead_id", l.ID}, {"status", l.Status}, {"under_legal_hold", rc.held[l.ID]}, rc.contacts[l.ID].member()})
	}
	return append(rc.Fields(), rc.contacts[rc.LeadID].member(), wire.Member{"leads", leads})
}

// WithoutPerson returns the case without what tells who the person is.
func (rc PrivacyCase) WithoutPerson() PrivacyCase {
	rc.Evidence = lead.Evidence{}
	rc.Phone = ""
	return rc
}

// SamplePrivacyCase is a case with one of everything, to describe what it holds.
func SamplePrivacyCase() PrivacyCase {
	return PrivacyCase{PrivacyRequest: lead.PrivacyRequest{LeadID: "lead_1"}, leads: []lead.Lead{{ID: "lead_1"}}, contacts: map[string]Contact{"lead_1": SampleContact()}}
}

// SampleContact is a contact with everything, to describe what it holds.
func SampleContact() Contact { return Contact{seen: buyer.NotSeen, buyers: []string{}} }
