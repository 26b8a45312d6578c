// Package work is the pages of the daily work: today, the leads and what is kept about each, where they come from, and those that buyers
// gave back. The buyers have a package of their own. It has no rules about leads: it asks packages operator and report.
package work

import (
	"cmp"
	"fmt"
	"slices"

	"foyer/internal/alert"
	"foyer/internal/buyer"
	"foyer/internal/catalog"
	"foyer/internal/console/pages/page"
	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

// Today says what needs a person, and how the day goes against the same day last week.
func Today(v *page.Visit) (page.View, error) {
	shown := page.View{Title: "Today", AsideFirst: true, Lede: v.Now().In(v.Zone).Format("Monday, 2 January")}
	buyers, err := v.Operator.List(v.Ctx)
	if err != nil {
		return shown, err
	}
	waiting, err := waitingTable(v, buyers)
	if err != nil {
		return shown, err
	}
	newest, err := newestLeads(v, 15)
	if err != nil {
		return shown, err
	}
	if beginning(buyers) || len(newest.Rows) == 0 || refusedPractice(v) {
		shown.Parts = append(shown.Parts, firstSteps(v, buyers))
	}
	days, err := readDays(v, 28)
	if err != nil {
		return shown, err
	}
	shown.Stats = withPractice(days.stats(), buyers)
	shown.Parts = append(shown.Parts, page.Panel{Title: "Leads an hour", Parts: []page.Part{days.hoursChart(v.Now())}, Fresh: "hours"}, page.Panel{Title: "Leads a day", Parts: []page.Part{days.chart()}, Fresh: "days"})
	shown.Aside = []page.Part{page.Panel{Title: "Needs you", Parts: []page.Part{waiting}, Fresh: "waiting"}}
	shown.Below = []page.Part{page.Panel{Title: "Newest leads", More: &page.Link{Text: "All leads", Href: v.Address("/leads")}, Parts: []page.Part{newest}}}
	return shown, nil
}

// enough is up to which number the things that wait are counted.
const enough = 100

// upTo writes a number that may be higher.
func upTo(n int) string {
	if n > enough {
		return fmt.Sprint("more than ", enough)
	}
	return fmt.Sprint(n)
}

// waitingTable lists what needs a person, the most urgent first.
func waitingTable(v *page.Visit, buyers []query.Summary) (t page.Table, err error) {
	t = page.Table{Caption: "What needs you", Keys: true, Empty: "Nothing waits for you."}
	add := func(tone, kind, what, href string) {
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.Tagged(kind, tone), page.To(what, v.Address(href))}, Href: v.Address(href)})
	}
	firing, err := v.Operator.Alerts().Firing(v.Ctx)
	if err != nil {
		return t, err
	}
	for _, rule := range urgentAlerts {
		for _, s := range firing {
			if s.Rule == rule {
				add("stop", todayKinds[rule], alert.Sentence(s.Title), s.Path)
			}
		}
	}
	var failed store.FoundLeads
	var requests []lead.PrivacyRequest
	err = v.Read(func(tx *store.Tx) (err error) {
		if failed, err = tx.FindLeads(store.LeadFilter{Statuses: []lead.Status{lead.Errored}}, v.API.SearchKey, store.LeadPage{Limit: enough + 1}); err != nil {
			return err
		}
		if requests, err = tx.PrivacyRequests().List(false); err != nil {
			return err
		}
		held, err := tx.LegalHolds().Persons()
		requests = lead.WaitingRequests(requests, held, v.Now())
		return err
	})
	if err != nil {
		return t, err
	}
	if n := len(failed.Leads); n > 0 {
		add("stop", "leads in error", upTo(n)+" to be released or sent again", "/leads?status=error")
	}
	if len(requests) > 0 {
		next := slices.MinFunc(requests, func(a, b lead.PrivacyRequest) int { return a.DueAt().Compare(b.DueAt()) })
		add("stop", "privacy", fmt.Sprintf("%d open, the next is due %s", len(requests), v.Clock(next.DueAt())), "/privacy")
	}
	returns, err := v.Operator.Returns(v.Ctx, store.ReturnFilter{State: buyer.ReturnWaiting, Limit: enough + 1})
	if err != nil {
		return t, err
	}
	if len(returns) > 0 {
		add("wait", "returns", upTo(len(returns))+" to decide, the oldest since "+v.Clock(returns[0].At), "/returns")
	}
	for _, b := range ownBuyers(buyers) {
		if tone, why := needsHelp(b); tone != "" {
			kind := report.StateNow(b)
			if b.State == buyer.Active && b.NoRoom.Rule == buyer.RuleBalance {
				kind = "no money"
			}
			if b.State == buyer.Active && b.Health.Failures > 0 {
				kind = "fails"
			}
			add(tone, kind, cmp.Or(page.Short(b.Terms.Name), b.ID)+": "+why, "/buyers/"+b.ID)
		}
	}
	for _, s := range firing {
		if kind := onToday(s, buyers); kind != "" && !slices.Contains(urgentAlerts, s.Rule) {
			add("wait", kind, alert.Sentence(s.Title), s.Path)
		}
	}
	if v.Brand.Number == catalog.DefaultNumber {
		add("wait", "made up", "The number for plumbing is reserved for fiction: callers reach nobody", "/health#people")
	}
	if v.Brand.Contact == catalog.DefaultContact {
		add("wait", "made up", "People are told to write to "+catalog.DefaultContact+", which reaches nobody", "/health#people")
	}
	slices.SortStableFunc(t.Rows, func(a, b page.Row) int { return cmp.Compare(a.Cells[0].Tone, b.Cells[0].Tone) }) // stop comes before wait
	return t, nil
}

// urgentAlerts are those that cost leads while they last, the worst first.
var urgentAlerts = []alert.Name{alert.DiskFull, alert.IntakeErrors, alert.NoSale}

// needsHelp says why a buyer is not asked, if somebody has to do something about it.
func needsHelp(b query.Summary) (tone, why string) {
	switch rule := b.NoRoom.Rule; {
	case b.State == buyer.Testing:
		return "wait", "test it and start it"
	case b.State == buyer.Paused || b.State == buyer.Off:
		return "stop", cmp.Or(page.Short(b.Why), "it gets no leads")
	case b.Health.Down():
		return "stop", fmt.Sprintf("%d failures in a row: it is not asked for a while", b.Health.Failures)
	case b.Health.Failures > 0:
		return "wait", terminal.Count(int64(b.Health.Failures), "failure") + " in a row"
	case rule == buyer.RuleBalance:
		return "wait", b.NoRoom.Reason
	}
	return "", ""
}

// newestLeads lists the newest leads, without persons.
func newestLeads(v *page.Visit, n int) (t page.Table, err error) {
	var found store.FoundLeads
	names, err := buyerNames(v)
	if err == nil {
		err = v.Read(func(tx *store.Tx) error {
			found, err = tx.FindLeads(store.LeadFilter{}, v.API.SearchKey, store.LeadPage{Limit: n})
			return err
		})
	}
	return leadTable(v, found, names), err
}

// buyerNames are the names of the buyers by their ids.
func buyerNames(v *page.Visit) (map[string]string, error) {
	buyers, _, err := v.Operator.Store.Buyers(v.Ctx)
	names := make(map[string]string, len(buyers))
	for _, b := range buyers {
		names[b.ID] = b.Terms.Name
	}
	return names, err
}

// leadTable lists leads without persons.
func leadTable(v *page.Visit, found store.FoundLeads, names map[string]string) page.Table {
	t := page.Table{Caption: "Leads", Head: page.Heads("Received", "Lead", "Service", "ZIP", "Status", "Buyer", ">Price"), Empty: "No lead yet.", Keys: true, Live: true, Cards: true}
	for _, l := range found.Leads {
		t.Rows = append(t.Rows, leadRow(v, l, names))
	}
	return t
}

func leadRow(v *page.Visit, l store.FoundLead, names map[string]string) page.Row {
	href := v.Address("/leads/" + l.ID)
	where := l.Request.ZIP
	if state := buyer.StateOf(where); state != "" {
		where += " " + state
	}
	cells := []page.Cell{page.When(l.CreatedAt), page.Tight(page.To(page.ShortID(l.ID), href)), page.Text(page.ServiceName(l.Request.Service)), page.Tight(page.Text(where)), foundTag(l), page.Text(""), page.Text("")}
	if l.Buyer != "" {
		cells[5], cells[6] = page.To(cmp.Or(names[l.Buyer], l.Buyer), v.Address("/buyers/"+l.Buyer)), page.Money(l.Price)
	}
	return page.Row{Cells: cells, Href: href}
}

// foundTag is the status of a lead in a list, and whether it came back.
func foundTag(l store.FoundLead) page.Cell {
	if l.Offer == buyer.OfferReturned {
		return page.Tagged("returned", "wait")
	}
	return page.StatusTag(l.Status)
}
