package pages

import (
	"cmp"
	"fmt"
	"slices"

	"foyer/internal/alert"
	"foyer/internal/buyer"
	"foyer/internal/catalog"
	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

// today says what needs a person, and how the day goes against the same day last week.
func (v *visit) today() (view, error) {
	shown := view{Title: "Today", AsideFirst: true, Lede: v.Now().In(v.Zone).Format("Monday, 2 January")}
	buyers, err := v.Operator.List(v.ctx)
	if err != nil {
		return shown, err
	}
	waiting, err := v.waiting(buyers)
	if err != nil {
		return shown, err
	}
	newest, err := v.newest(15)
	if err != nil {
		return shown, err
	}
	if beginning(buyers) || len(newest.Rows) == 0 || v.refusedPractice() {
		shown.Parts = append(shown.Parts, v.firstSteps(buyers))
	}
	days, err := v.days(28)
	if err != nil {
		return shown, err
	}
	shown.Stats = withPractice(days.stats(), buyers)
	shown.Parts = append(shown.Parts, panel{Title: "Leads an hour", Parts: []part{days.hoursChart(v.Now())}, Fresh: "hours"}, panel{Title: "Leads a day", Parts: []part{days.chart()}, Fresh: "days"})
	shown.Aside = []part{panel{Title: "Needs you", Parts: []part{waiting}, Fresh: "waiting"}}
	shown.Below = []part{panel{Title: "Newest leads", More: &link{"All leads", v.address("/leads")}, Parts: []part{newest}}}
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

// waiting lists what needs a person, the most urgent first.
func (v *visit) waiting(buyers []query.Summary) (t table, err error) {
	t = table{Caption: "What needs you", Keys: true, Empty: "Nothing waits for you."}
	add := func(tone, kind, what, href string) {
		t.Rows = append(t.Rows, row{[]cell{tagged(kind, tone), to(what, v.address(href))}, v.address(href)})
	}
	firing, err := v.Operator.Alerts().Firing(v.ctx)
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
	err = v.read(func(tx *store.Tx) (err error) {
		if failed, err = tx.FindLeads(store.LeadFilter{Statuses: []lead.Status{lead.Errored}}, v.API.SearchKey, store.LeadPage{Limit: enough + 1}); err == nil {
			requests, err = tx.PrivacyRequests().List(false)
		}
		return err
	})
	if err != nil {
		return t, err
	}
	if n := len(failed.Leads); n > 0 {
		add("stop", "leads in error", upTo(n)+" to be released, sent again or closed", "/leads?status=error")
	}
	if len(requests) > 0 {
		next := slices.MinFunc(requests, func(a, b lead.PrivacyRequest) int { return a.DueAt().Compare(b.DueAt()) })
		add("stop", "privacy", fmt.Sprintf("%d open, the next is due %s", len(requests), v.clock(next.DueAt())), "/privacy")
	}
	returns, err := v.Operator.Returns(v.ctx, store.ReturnFilter{State: buyer.ReturnWaiting, Limit: enough + 1})
	if err != nil {
		return t, err
	}
	if len(returns) > 0 {
		add("wait", "returns", upTo(len(returns))+" to decide, the oldest since "+v.clock(returns[0].At), "/returns")
	}
	for _, b := range buyers {
		if tone, why := needsHelp(b); tone != "" {
			kind := report.StateNow(b)
			if b.State == buyer.Active && b.NoRoom.Rule == buyer.RuleBalance {
				kind = "no money"
			}
			if b.State == buyer.Active && b.Health.Failures > 0 {
				kind = "fails"
			}
			add(tone, kind, cmp.Or(short(b.Terms.Name), b.ID)+": "+why, "/buyers/"+b.ID)
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
	slices.SortStableFunc(t.Rows, func(a, b row) int { return cmp.Compare(a.Cells[0].Tone, b.Cells[0].Tone) }) // stop comes before wait
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
		return "stop", cmp.Or(short(b.Why), "it gets no leads")
	case b.Health.Failures > 0 && !b.Health.OpenUntil.IsZero():
		return "stop", fmt.Sprintf("%d failures in a row: it is not asked for a while", b.Health.Failures)
	case b.Health.Failures > 0:
		return "wait", terminal.Count(int64(b.Health.Failures), "failure") + " in a row"
	case rule == buyer.RuleBalance:
		return "wait", b.NoRoom.Reason
	}
	return "", ""
}

// newest lists the newest leads, without persons.
func (v *visit) newest(n int) (t table, err error) {
	var found store.FoundLeads
	names, err := v.buyerNames()
	if err == nil {
		err = v.read(func(tx *store.Tx) error {
			found, err = tx.FindLeads(store.LeadFilter{}, v.API.SearchKey, store.LeadPage{Limit: n})
			return err
		})
	}
	return v.leadTable(found, names), err
}

// buyerNames are the names of the buyers by their ids.
func (v *visit) buyerNames() (map[string]string, error) {
	buyers, _, err := v.Operator.Store.Buyers(v.ctx)
	names := make(map[string]string, len(buyers))
	for _, b := range buyers {
		names[b.ID] = b.Terms.Name
	}
	return names, err
}

// leadTable lists leads without persons.
func (v *visit) leadTable(found store.FoundLeads, names map[string]string) table {
	t := table{Caption: "Leads", Head: heads("Received", "Lead", "Service", "ZIP", "Status", "Buyer", ">Price"), Empty: "No lead yet.", Keys: true, Live: true, Cards: true}
	for _, l := range found.Leads {
		t.Rows = append(t.Rows, v.leadRow(l, names))
	}
	return t
}

func (v *visit) leadRow(l store.FoundLead, names map[string]string) row {
	href := v.address("/leads/" + l.ID)
	where := l.Request.ZIP
	if state := buyer.StateOf(where); state != "" {
		where += " " + state
	}
	cells := []cell{when(l.CreatedAt), tight(to(shortID(l.ID), href)), text(serviceName(l.Request.Service)), tight(text(where)), foundTag(l), text(""), text("")}
	if l.Buyer != "" {
		cells[5], cells[6] = to(cmp.Or(names[l.Buyer], l.Buyer), v.address("/buyers/"+l.Buyer)), money(l.Price)
	}
	return row{cells, href}
}

// foundTag is the status of a lead in a list, and whether it came back.
func foundTag(l store.FoundLead) cell {
	if l.Offer == buyer.OfferReturned {
		return tagged("returned", "wait")
	}
	return statusTag(l.Status)
}

// shortID is enough of an id to tell leads apart at a glance.
func shortID(id string) string {
	if len(id) > 20 {
		return id[:19] + "…"
	}
	return id
}
