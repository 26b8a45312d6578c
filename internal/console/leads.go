package console

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/query"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/wire"
)

const (
	tagLeads = "leads"
	get      = http.MethodGet
	post     = http.MethodPost
)

var leadID = []field{{name: "lead_id", kind: text, required: true, help: "The lead's id, the id that a buyer has for it, or that of an offer."}}

var leadOperations = []operation{
	{
		method: get, path: "/leads", id: "listLeads", tag: tagLeads, summary: "Find leads, newest first",
		description: "A lead has to match every filter. Where a filter has several values, separated by commas, one of them has to match. The words are those of foyer leads list. " +
			"What is personal does not belong into an address: to find leads by phone, email or name, use the search.",
		query: append(filterFields(false), contactField, limitField, cursorField), answer: answer{"FoundLead", foundLead(), true},
		run: (*call).findLeads,
	},
	{
		method: post, path: "/leads/search", id: "searchLeads", tag: tagLeads, summary: "Find leads, also by what is personal",
		description: "The same as listing leads, with the filters in the body. Only a token with personal data may search by phone, email and name.",
		body:        append(filterFields(true), contactField, limitField, cursorField), answer: answer{"FoundLead", foundLead(), true},
		run: (*call).findLeads,
	},
	{
		method: get, path: "/leads/{lead_id}", id: "getLead", tag: tagLeads, summary: "Everything about a lead",
		description: "What was requested and how it came in, every status, every offer with who was passed over and why, and every message. For a token without personal data the lead looks as if its person were erased: " +
			"no name, phone number, email, street, notes, city, address of the client, browser, page or campaign, and nothing that buyers wrote.",
		inPath: leadID, answer: answer{"Lead", report.SampleLead().Object(), false}, run: (*call).getLead,
	},
	{
		method: get, path: "/leads/{lead_id}/route", id: "routeLead", tag: tagLeads, summary: "Who would be asked about a lead now, and why the others would not",
		inPath: leadID, answer: answer{"LeadRoute", report.Route(query.Route{Lead: new(lead.Lead), Stops: []query.Stop{{}}}), false},
		run: func(c *call) (any, error) {
			r, err := c.op.RouteLead(c.ctx, c.in.text("lead_id"))
			return report.Route(r), err
		},
	},
	{
		method: post, path: "/leads/{lead_id}/close", id: "closeLead", tag: tagLeads, write: true, summary: "Take a lead off the market for good",
		description: "It is never offered again and cannot be reopened. Its personal details are kept. Only leads that are received or collected can be closed, and only if no buyer may have the contact.",
		inPath:      leadID, body: []field{{name: "why", kind: text, required: true, help: "Why, in at most 100 characters. It stays when the lead is erased: no personal details."}},
		answer: answer{"ClosedLead", object{{"lead_id", ""}, {"closed", true}}, false}, run: (*call).closeLead,
	},
	{
		method: post, path: "/leads/{lead_id}/erase", id: "eraseLead", tag: tagLeads, write: true, summary: "Erase who sent a lead",
		description: "Name, phone number, email, street and notes are deleted, and the address, browser and page that the request came from. A lead that might still be sold leaves the market.",
		inPath:      leadID, answer: answer{"ErasedLead", object{{"lead_id", ""}, {"erased", true}}, false},
		run: func(c *call) (any, error) {
			id, err := c.op.Erase(c.ctx, c.by(), c.in.text("lead_id"))
			return object{{"lead_id", id}, {"erased", true}}, err
		},
	},
	{
		method: post, path: "/leads/{lead_id}/release", id: "releaseLead", tag: tagLeads, write: true, summary: "Put a lead in error, or a held one, on its way again",
		inPath: leadID, answer: answer{"ReleasedLead", object{{"lead_id", ""}, {"status", lead.Status("")}}, false},
		run: func(c *call) (any, error) {
			l, err := c.op.Release(c.ctx, c.by(), c.in.text("lead_id"))
			return object{{"lead_id", l.ID}, {"status", l.Status}}, err
		},
	},
	{
		method: post, path: "/leads/{lead_id}/replay", id: "replayLead", tag: tagLeads, write: true, summary: "Send a lead in error again to the buyer that accepted it",
		inPath: leadID, answer: answer{"ReplayedLead", report.Replayed(operator.Replayed{}), false},
		run: func(c *call) (any, error) {
			r, err := c.op.Replay(c.ctx, c.by(), c.in.text("lead_id"))
			return report.Replayed(r), err
		},
	},
	{
		method: post, path: "/leads/replay", id: "replayLeads", tag: tagLeads, write: true, summary: "Send all leads in error again that were received in a range of time",
		body: []field{
			{name: "from", kind: timestamp, required: true, help: "Received from this time on."},
			{name: "to", kind: timestamp, help: "Received before this time. Default: now."},
			{name: "dry_run", kind: boolean, defaultValue: false, help: "Only say what would be sent."},
		},
		answer: answer{"ReplayedLead", report.Replayed(operator.Replayed{}), true}, run: (*call).replayLeads,
	},
	{
		method: get, path: "/route", id: "route", tag: tagLeads, summary: "Who would be asked about a service in a ZIP code, and why the others would not",
		query: []field{
			{name: "service", kind: text, required: true, choices: texts(lead.Services), help: "The service."},
			{name: "zip", kind: text, required: true, help: "The ZIP code, such as 33139."},
		},
		answer: answer{"Route", report.Route(query.Route{Stops: []query.Stop{{}}}), false}, run: (*call).route,
	},
}

var contactField = field{name: "contact", kind: boolean, defaultValue: false, help: "List names, phone numbers, addresses, notes and campaigns, too. Only for a token with personal data; the audit trail tells of it."}

// foundLead is a lead in a list, with a contact that may be missing.
func foundLead() object { return report.FoundLeadWithContact(store.FoundLead{}) }

// filterFields are the words by which leads are filtered.
func filterFields(personal bool) (fields []field) {
	for _, w := range query.FilterWords {
		if personal || !personalFilters[w.Name] {
			fields = append(fields, field{name: w.Name, kind: list, help: flagNames.ReplaceAllStringFunc(w.Help, memberName)})
		}
	}
	return fields
}

// given are the filters of a request.
func (c *call) given() map[string][]string {
	given := make(map[string][]string)
	for _, w := range query.FilterWords {
		if v, ok := c.in[w.Name]; ok && v != nil {
			if given[w.Name] = c.in.list(w.Name); len(given[w.Name]) == 0 {
				given[w.Name] = []string{""} // refused like an empty text: no value is not every value
			}
		}
	}
	return given
}

// findLeads lists a page of leads.
func (c *call) findLeads() (any, error) {
	given, contact := c.given(), c.in.flag("contact")
	if err := c.caller.allow(false, contact || namesPerson(given)); err != nil {
		return nil, err
	}
	filter, err := query.ParseFilter(given, time.Now(), c.Zone)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	at := store.LeadPage{Limit: c.in.number("limit"), Ended: func() bool { return time.Since(began) > query.SearchTime }}
	if cursor := c.in.text("cursor"); cursor != "" {
		if at.Before, err = strconv.ParseInt(cursor, 10, 64); err != nil || at.Before < 1 {
			return nil, errCursor
		}
	}
	if err := c.recordSearch(given, contact); err != nil {
		return nil, err
	}
	var found store.FoundLeads
	if err := c.op.Store.View(c.ctx, func(tx *store.Tx) error { found, err = filter.Find(tx, c.SearchKey, at); return err }); err != nil {
		return nil, err
	}
	next := ""
	if found.Next != 0 {
		next = strconv.FormatInt(found.Next, 10)
	}
	items := make([]object, len(found.Leads))
	for i, l := range found.Leads {
		if !contact {
			l.Lead = l.WithoutPerson()
		}
		items[i] = report.FoundLeadWithContact(l)
	}
	return page(items, next, wire.Member{"searched_back_to", wire.TimeOrNull(found.SearchedTo)}, wire.Member{"time_zone", c.Zone.String()}), nil
}

// namesPerson reports whether a filter is about a person.
func namesPerson(given map[string][]string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(given)), func(name string) bool { return personalFilters[name] })
}

// recordSearch records who sees persons, or searches for one, before anything is read.
func (c *call) recordSearch(given map[string][]string, contact bool) error {
	switch {
	case contact:
		return c.op.RecordExport(c.ctx, c.by(), given)
	case namesPerson(given):
		return c.op.RecordSearch(c.ctx, c.by(), given)
	}
	return nil
}

// getLead shows a lead. A token with personal data is recorded before it gets any.
func (c *call) getLead() (any, error) {
	var d report.LeadDetail
	err := c.op.Store.View(c.ctx, func(tx *store.Tx) (err error) { d, err = report.ReadLead(tx, c.in.text("lead_id")); return err })
	if err != nil {
		return nil, err
	}
	if !c.caller.PersonalData {
		return d.WithoutPerson().Object(), nil
	}
	return d.Object(), c.op.RecordRead(c.ctx, c.by(), audit.LeadRead, d.Lead.ID, nil)
}

// closeLead closes a lead. One that cannot be closed is a conflict.
func (c *call) closeLead() (any, error) {
	id := c.in.text("lead_id")
	if err := c.op.Store.View(c.ctx, func(tx *store.Tx) error { _, err := tx.Lead(id); return err }); err != nil {
		return nil, err
	}
	closed, err := c.op.CloseLead(c.ctx, c.by(), id, c.in.text("why"))
	if err == nil && closed.Left != "" {
		err = entered.Refusal(closed.Lead + " was not closed: " + closed.Left)
	}
	return object{{"lead_id", closed.Lead}, {"closed", true}}, err
}

func (c *call) replayLeads() (any, error) {
	from, to := c.in.time("from"), c.in.time("to")
	if to.IsZero() {
		to = time.Now()
	}
	if !from.Before(to) {
		return nil, lead.InvalidField("to", "to: the range ends before it begins. Send a later time.")
	}
	all, err := c.op.ReplayAll(c.ctx, c.by(), from, to, c.in.flag("dry_run"))
	var items []object
	for _, r := range all {
		items = append(items, report.Replayed(r))
	}
	return page(items, ""), err
}

// zip reads a ZIP code.
func (c *call) zip() (string, error) {
	zip, ok := lead.ZIP(c.in.text("zip"))
	if !ok {
		return "", lead.InvalidField("zip", "zip: this is not a ZIP code. Send five digits such as 33139.")
	}
	return zip, nil
}

func (c *call) route() (any, error) {
	zip, err := c.zip()
	if err != nil {
		return nil, err
	}
	r, err := c.op.Route(c.ctx, lead.Service(c.in.text("service")), zip)
	return report.Route(r), err
}
