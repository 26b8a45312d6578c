package operations

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"foyer/internal/audit"
	"foyer/internal/console/operation"
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

var leadID = []operation.Field{{Name: "lead_id", Kind: operation.Text, Required: true, Help: "The lead's id, the id that a buyer has for it, or that of an offer."}}

var leadOperations = []operation.Operation{
	{
		Method: get, Path: "/leads", ID: "listLeads", Tag: tagLeads, Summary: "Find leads, newest first",
		Description: "A lead has to match every filter. Where a filter has several values, separated by commas, one of them has to match. The words are those of foyer leads list. " +
			"What is personal does not belong into an address: to find leads by phone, email or name, use the search.",
		Query: append(filterFields(false), contactField, operation.LimitField, operation.CursorField), Answer: operation.Answer{Name: "FoundLead", Sample: foundLead(), List: true},
		Run: findLeads,
	},
	{
		Method: post, Path: "/leads/search", ID: "searchLeads", Tag: tagLeads, Summary: "Find leads, also by what is personal",
		Description: "The same as listing leads, with the filters in the body. Only a token with personal data may search by phone, email and name.",
		Body:        append(filterFields(true), contactField, operation.LimitField, operation.CursorField), Answer: operation.Answer{Name: "FoundLead", Sample: foundLead(), List: true},
		Run: findLeads,
	},
	{
		Method: get, Path: "/leads/{lead_id}", ID: "getLead", Tag: tagLeads, Summary: "Everything about a lead",
		Description: "What was requested and how it came in, every status, every offer with who was passed over and why, and every message. For a token without personal data the lead looks as if its person were erased: " +
			"no name, phone number, email, street, notes, city, address of the client, browser, page or campaign, and nothing that buyers wrote.",
		InPath: leadID, Answer: operation.Answer{Name: "Lead", Sample: report.SampleLead().Object()}, Run: getLead,
	},
	{
		Method: get, Path: "/leads/{lead_id}/route", ID: "routeLead", Tag: tagLeads, Summary: "Who would be asked about a lead now, and why the others would not",
		InPath: leadID, Answer: operation.Answer{Name: "LeadRoute", Sample: report.Route(query.Route{Lead: new(lead.Lead), Stops: []query.Stop{{}}})},
		Run: func(c *operation.Call) (any, error) {
			r, err := c.Op.RouteLead(c.Ctx, c.In.Text("lead_id"))
			return report.Route(r), err
		},
	},
	{
		Method: post, Path: "/leads/{lead_id}/close", ID: "closeLead", Tag: tagLeads, Write: true, Summary: "Take a lead off the market for good",
		Description: "It is never offered again and cannot be reopened. Its personal details are kept. Only leads that are received or collected can be closed, and only if no buyer may have the contact.",
		InPath:      leadID, Body: []operation.Field{{Name: "why", Kind: operation.Text, Required: true, Help: "Why, in at most 100 characters. It stays when the lead is erased: no personal details."}},
		Answer: operation.Answer{Name: "ClosedLead", Sample: wire.Object{{"lead_id", ""}, {"closed", true}}}, Run: closeLead,
	},
	{
		Method: post, Path: "/leads/{lead_id}/erase", ID: "eraseLead", Tag: tagLeads, Write: true, Summary: "Erase who sent a lead",
		Description: "Name, phone number, email, street and notes are deleted, and the address, browser and page that the request came from. A lead that might still be sold leaves the market. A lead under a legal hold is refused.",
		InPath:      leadID, Answer: operation.Answer{Name: "ErasedLead", Sample: wire.Object{{"lead_id", ""}, {"erased", true}}},
		Run: func(c *operation.Call) (any, error) {
			id, err := c.Op.Erase(c.Ctx, c.By(), c.In.Text("lead_id"))
			return wire.Object{{"lead_id", id}, {"erased", true}}, err
		},
	},
	{
		Method: post, Path: "/leads/{lead_id}/release", ID: "releaseLead", Tag: tagLeads, Write: true, Summary: "Put a lead in error, or a held one, on its way again",
		InPath: leadID, Answer: operation.Answer{Name: "ReleasedLead", Sample: wire.Object{{"lead_id", ""}, {"status", lead.Status("")}}},
		Run: func(c *operation.Call) (any, error) {
			l, err := c.Op.Release(c.Ctx, c.By(), c.In.Text("lead_id"))
			return wire.Object{{"lead_id", l.ID}, {"status", l.Status}}, err
		},
	},
	{
		Method: post, Path: "/leads/{lead_id}/replay", ID: "replayLead", Tag: tagLeads, Write: true, Summary: "Send a lead in error again to the buyer that accepted it",
		InPath: leadID, Answer: operation.Answer{Name: "ReplayedLead", Sample: report.Replayed(operator.Replayed{})},
		Run: func(c *operation.Call) (any, error) {
			r, err := c.Op.Replay(c.Ctx, c.By(), c.In.Text("lead_id"))
			return report.Replayed(r), err
		},
	},
	{
		Method: post, Path: "/leads/replay", ID: "replayLeads", Tag: tagLeads, Write: true, Summary: "Send all leads in error again that were received in a range of time",
		Body: []operation.Field{
			{Name: "from", Kind: operation.Timestamp, Required: true, Help: "Received from this time on."},
			{Name: "to", Kind: operation.Timestamp, Help: "Received before this time. Default: now."},
			{Name: "dry_run", Kind: operation.Boolean, DefaultValue: false, Help: "Only say what would be sent."},
		},
		Answer: operation.Answer{Name: "ReplayedLead", Sample: report.Replayed(operator.Replayed{}), List: true}, Run: replayLeads,
	},
	{
		Method: get, Path: "/route", ID: "route", Tag: tagLeads, Summary: "Who would be asked about a service in a ZIP code, and why the others would not",
		Query: []operation.Field{
			{Name: "service", Kind: operation.Text, Required: true, Choices: operation.Texts(lead.Services), Help: "The service."},
			{Name: "zip", Kind: operation.Text, Required: true, Help: "The ZIP code, such as 33139."},
		},
		Answer: operation.Answer{Name: "Route", Sample: report.Route(query.Route{Stops: []query.Stop{{}}})}, Run: route,
	},
}

var contactField = operation.Field{Name: "contact", Kind: operation.Boolean, DefaultValue: false, Help: "List names, phone numbers, addresses, notes and campaigns, too. Only for a token with personal data; the audit trail tells of it."}

// foundLead is a lead in a list, with a contact that may be missing.
func foundLead() wire.Object { return report.FoundLeadWithContact(store.FoundLead{}) }

// filterFields are the words by which leads are filtered.
func filterFields(personal bool) (fields []operation.Field) {
	for _, w := range query.FilterWords {
		if personal || !operation.PersonalFilters[w.Name] {
			fields = append(fields, operation.Field{Name: w.Name, Kind: operation.List, Help: operation.FlagNames.ReplaceAllStringFunc(w.Help, operation.MemberName)})
		}
	}
	return fields
}

// givenFilters are the filters of a request.
func givenFilters(c *operation.Call) map[string][]string {
	given := make(map[string][]string)
	for _, w := range query.FilterWords {
		if v, ok := c.In[w.Name]; ok && v != nil {
			if given[w.Name] = c.In.List(w.Name); len(given[w.Name]) == 0 {
				given[w.Name] = []string{""} // refused like an empty text: no value is not every value
			}
		}
	}
	return given
}

// findLeads lists a page of leads.
func findLeads(c *operation.Call) (any, error) {
	given, contact := givenFilters(c), c.In.Flag("contact")
	if err := c.Caller.Allow(false, contact || namesPerson(given)); err != nil {
		return nil, err
	}
	filter, err := query.ParseFilter(given, time.Now(), c.Zone)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	at := store.LeadPage{Limit: c.In.Number("limit"), Ended: func() bool { return time.Since(began) > query.SearchTime }}
	if cursor := c.In.Text("cursor"); cursor != "" {
		if at.Before, err = strconv.ParseInt(cursor, 10, 64); err != nil || at.Before < 1 {
			return nil, operation.ErrCursor
		}
	}
	if err := recordSearch(c, given, contact); err != nil {
		return nil, err
	}
	var found store.FoundLeads
	if err := c.Op.Store.View(c.Ctx, func(tx *store.Tx) error { found, err = filter.Find(tx, c.SearchKey, at); return err }); err != nil {
		return nil, err
	}
	if contact && len(given["id"]) > 0 { // whoever names a lead looks at it
		for _, l := range found.Leads {
			if err := c.Op.RecordRead(c.Ctx, c.By(), audit.LeadRead, l.ID, nil); err != nil {
				return nil, err
			}
		}
	}
	next := ""
	if found.Next != 0 {
		next = strconv.FormatInt(found.Next, 10)
	}
	items := make([]wire.Object, len(found.Leads))
	for i, l := range found.Leads {
		if !contact {
			l.Lead = l.WithoutPerson()
		}
		items[i] = report.FoundLeadWithContact(l)
	}
	return operation.Page(items, next, wire.Member{"searched_back_to", wire.TimeOrNull(found.SearchedTo)}, wire.Member{"time_zone", c.Zone.String()}), nil
}

// namesPerson reports whether a filter is about a person.
func namesPerson(given map[string][]string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(given)), func(name string) bool { return operation.PersonalFilters[name] })
}

// recordSearch records who sees persons, or searches for one, before anything is read.
func recordSearch(c *operation.Call, given map[string][]string, contact bool) error {
	switch {
	case contact:
		return c.Op.RecordExport(c.Ctx, c.By(), given)
	case namesPerson(given):
		return c.Op.RecordSearch(c.Ctx, c.By(), given)
	}
	return nil
}

// getLead shows a lead. A token with personal data is recorded before it gets any.
func getLead(c *operation.Call) (any, error) {
	var d report.LeadDetail
	err := c.Op.Store.View(c.Ctx, func(tx *store.Tx) (err error) { d, err = report.ReadLead(tx, c.In.Text("lead_id")); return err })
	if err != nil {
		return nil, err
	}
	if !c.Caller.PersonalData {
		return d.WithoutPerson().Object(), nil
	}
	return d.Object(), c.Op.RecordRead(c.Ctx, c.By(), audit.LeadRead, d.Lead.ID, nil)
}

// closeLead closes a lead. One that cannot be closed is a conflict.
func closeLead(c *operation.Call) (any, error) {
	id := c.In.Text("lead_id")
	if err := c.Op.Store.View(c.Ctx, func(tx *store.Tx) error { _, err := tx.Lead(id); return err }); err != nil {
		return nil, err
	}
	closed, err := c.Op.CloseLead(c.Ctx, c.By(), id, c.In.Text("why"))
	if err == nil && closed.Left != "" {
		err = entered.Refusal(closed.Lead + " was not closed: " + closed.Left)
	}
	return wire.Object{{"lead_id", closed.Lead}, {"closed", true}}, err
}

func replayLeads(c *operation.Call) (any, error) {
	from, to := c.In.Time("from"), c.In.Time("to")
	if to.IsZero() {
		to = time.Now()
	}
	if !from.Before(to) {
		return nil, lead.InvalidField("to", "to: the range ends before it begins. Send a later time.")
	}
	all, err := c.Op.ReplayAll(c.Ctx, c.By(), from, to, c.In.Flag("dry_run"))
	var items []wire.Object
	for _, r := range all {
		items = append(items, report.Replayed(r))
	}
	return operation.Page(items, ""), err
}

// readZIP reads a ZIP code.
func readZIP(c *operation.Call) (string, error) {
	zip, ok := lead.ZIP(c.In.Text("zip"))
	if !ok {
		return "", lead.InvalidField("zip", "zip: this is not a ZIP code. Send five digits such as 33139.")
	}
	return zip, nil
}

func route(c *operation.Call) (any, error) {
	zip, err := readZIP(c)
	if err != nil {
		return nil, err
	}
	r, err := c.Op.Route(c.Ctx, lead.Service(c.In.Text("service")), zip)
	return report.Route(r), err
}
