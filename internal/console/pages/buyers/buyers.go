// Package buyers is the pages of the buyers: the list, each buyer with its charts and messages, its terms and what they would do, and how
// it is tested and started. It has no rules about buyers: it asks packages operator and report, and terms are read by the console's
// operations.
package buyers

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/catalog"
	"foyer/internal/console"
	"foyer/internal/console/chart"
	"foyer/internal/console/pages/page"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/query"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

// Buyers lists the buyers in the order in which they are asked.
func Buyers(v *page.Visit) (page.View, error) {
	list, err := v.Operator.List(v.Ctx)
	if err != nil {
		return page.View{}, err
	}
	t := page.Table{
		Caption: "Buyers, in the order in which they are asked", Head: page.Heads(">Priority", "Name", "State", "Services", "Area", ">Offered today", ">Accepted", "Today's cap", ">Owes", "Why not asked"), Keys: true,
		Empty: "No buyer yet. Leads are kept until one covers them.",
	}
	for _, b := range list {
		day := b.Today()
		href := v.Address("/buyers/" + b.ID)
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{
			page.Right(fmt.Sprint(b.Terms.Priority)), page.To(cmp.Or(b.Terms.Name, b.ID), href), page.Tagged(report.StateNow(b), page.StateTone(b)), page.Text(page.ServiceNames(b.Terms.Services)), page.Text(entered.Area(b.Terms.Area)),
			page.Count(int64(day.Offered)), page.Right(page.Percent(int64(day.Accepted), int64(day.Offered))), page.Text(report.Cap(day)), page.Right(report.Owes(b)), page.Soft(page.InWords(report.Why(b))),
		}, Href: href})
	}
	shown := page.View{Title: "Buyers", Wide: true, Parts: []page.Part{page.Panel{Parts: []page.Part{t}}}}
	if len(list) > 0 {
		shown.Stats = buyersStats(list)
	}
	if v.May(store.RoleOperator) {
		shown.Parts = append(shown.Parts, page.Panel{ID: "add", Parts: []page.Part{addBuyerForm(v, len(list) == 0)}})
	}
	return shown, nil
}

// buyersStats say who takes leads, what was offered today, and what is owed.
func buyersStats(list []query.Summary) []page.Stat {
	active, all, offered, accepted, owed := 0, int64(0), int64(0), int64(0), buyer.Cents(0)
	for _, b := range list {
		if b.Terms.Practice { // no business
			continue
		}
		all++
		if b.State == buyer.Active {
			active++
		}
		offered, accepted, owed = offered+int64(b.Today().Offered), accepted+int64(b.Today().Accepted), owed+b.Owed
	}
	return []page.Stat{
		{Label: "Active", Value: terminal.Number(int64(active)), Note: "of " + terminal.Count(all, "buyer")},
		{Label: "Offered today", Value: terminal.Number(offered)},
		{Label: "Accepted today", Value: page.Percent(accepted, offered)},
		{Label: "Owed in all", Value: owed.String(), Note: "less what was paid ahead"},
	}
}

// firstTerms are what a new buyer needs; the rest has defaults, and is edited afterwards.
var firstTerms = []string{"name", "url", "services", "zips", "states", "price_cents", "priority", "secret"}

func addBuyerForm(v *page.Visit, open bool) page.Form {
	f := v.FormFor("/buyers/add", page.Form{Title: "Add a buyer", Submit: "Add, in test", What: "It gets no leads before you test it and start it. Its secret is shown once."}, map[string]string{"services": "all"})
	f.Inputs = slices.DeleteFunc(f.Inputs, func(in page.Input) bool { return !slices.Contains(firstTerms, in.Name) })
	f.Open = f.Open || open
	return withEffect(v, f, "/buyers/check", "")
}

// AddedBuyer shows a buyer that was just added, with its secret, or the list with what is wrong.
func AddedBuyer(v *page.Visit) (page.View, error) {
	if v.Problem != nil {
		return Buyers(v)
	}
	id, _ := page.MemberOf(v.Result, "id").(string)
	shown, err := buyerPage(v, id)
	shown.Lede = "The buyer is added, in test. Give its engineer the secret above: it signs every message. It is gone when you leave this page, also by testing. Then test the buyer, and start it."
	shown.Parts = append([]page.Part{page.Notice{Text: "For its engineer:", Link: &page.Link{Text: "how messages are signed, and what to answer", Href: v.Brand.Path() + catalog.PageBuyers}}}, shown.Parts...)
	return shown, err
}

// Buyer shows everything about a buyer except its secrets.
func Buyer(v *page.Visit) (page.View, error) {
	id, err := v.Operator.Find(v.Ctx, v.R.PathValue("buyer"))
	if err != nil {
		return page.View{}, err
	}
	return buyerPage(v, id)
}

// headOf is what the pages of a buyer begin with: its name, its state, and the way to the others of them.
func headOf(v *page.Visit, b query.Summary, here string) page.View {
	home := v.Address("/buyers/" + b.ID)
	shown := page.View{Title: cmp.Or(b.Terms.Name, b.ID), Above: []page.Link{{Text: "Buyers", Href: v.Address("/buyers")}}, Tag: &page.Tag{Text: report.StateNow(b), Tone: page.StateTone(b)}}
	shown.Tabs = page.PathTabs(here, page.Link{Text: "Overview", Href: home}, page.Link{Text: "Messages", Href: home + "/messages"}, page.Link{Text: "Terms", Href: home + "/terms"})
	return shown
}

// Terms shows what was agreed on with a buyer: as a form to whoever may change it.
func Terms(v *page.Visit) (page.View, error) {
	b, err := v.BuyerOfPath()
	if err != nil {
		return page.View{}, err
	}
	v.R.SetPathValue("buyer", b.ID)
	shown := headOf(v, b, "Terms")
	shown.Wide = true
	if v.May(store.RoleOperator) && !b.Terms.Practice {
		shown.Parts = []page.Part{page.Panel{Title: "Terms", Parts: []page.Part{editBuyerForm(v, b)}}}
		return shown, nil
	}
	if !v.May(store.RoleOperator) {
		b.Terms.URL = report.WithoutQuery(b.Terms.URL)
	}
	shown.Parts = []page.Part{page.Panel{Title: "Terms", Parts: []page.Part{v.FactsOf(page.Without(report.BuyerFields(b), slices.Concat(nowFields, periodFields)...))}}}
	return shown, nil
}

// Messages lists the newest messages to a buyer.
func Messages(v *page.Visit) (page.View, error) {
	b, err := v.BuyerOfPath()
	if err != nil {
		return page.View{}, err
	}
	messages, err := messagesPanel(v, b.ID, messagesToBuyer)
	shown := headOf(v, b, "Messages")
	shown.Wide, shown.Parts = true, []page.Part{messages}
	return shown, err
}

func buyerPage(v *page.Visit, id string) (page.View, error) {
	v.R.SetPathValue("buyer", id)
	b, err := v.Operator.Show(v.Ctx, id)
	if err != nil {
		return page.View{}, err
	}
	days, err := readDays(v, b, 28)
	if err != nil {
		return page.View{}, err
	}
	month := b.Use[slices.IndexFunc(b.Use, func(u query.Use) bool { return u.Period == "month" })]
	shown := headOf(v, b, "Overview")
	shown.Lede, shown.AsideFirst = page.InWords(report.Why(b)), true
	shown.Stats = []page.Stat{
		{Label: "Offered this month", Value: terminal.Number(int64(month.Offered))},
		{Label: "Accepted", Value: page.Percent(int64(month.Accepted), int64(month.Offered))},
		{Label: "Delivered", Value: terminal.Number(int64(month.Delivered))},
		{Label: "Returned", Value: page.Percent(int64(month.Returned), int64(month.Delivered))},
		{Label: "Charged, less credits", Value: (month.Charged - month.Credited).String()},
		{Label: "Owes", Value: b.Owed.String()},
	}
	if page.MemberOf(v.Result, "type") != nil {
		shown.First = []page.Part{testResult(v)}
	}
	if v.May(store.RoleOperator) {
		actions, err := buyerActions(v, b)
		if err != nil {
			return shown, err
		}
		shown.Aside = append(shown.Aside, page.Panel{Title: "What you can do", Parts: actions})
	}
	shown.Aside = append(shown.Aside, page.Panel{Title: "Room", Parts: gauges(b)}, page.Panel{Title: "Now", Parts: []page.Part{v.FactsOf(page.Without(page.Only(report.BuyerFields(b), nowFields...), "balance")), leadsOf(v, b)}})
	declines, err := declinesPanel(v, id)
	if err != nil {
		return shown, err
	}
	answers, err := answerTimes(v, id, len(days.list))
	if err != nil {
		return shown, err
	}
	shown.Parts = append(shown.Parts, days.offersPanel(), days.ratePanel(), answers, days.moneyPanel(), declines)
	messages, err := messagesPanel(v, id, messagesInOverview)
	shown.Below = []page.Part{periodsPanel(b), messages}
	return shown, err
}

// periodsPanel counts what became of the offers to a buyer in each period.
func periodsPanel(b query.Summary) page.Part {
	t := page.Table{Caption: "What became of its offers", Head: page.Heads("Period", ">Offered", ">Accepted", ">Delivered", ">Returned", ">Charged", ">Credited")}
	for _, u := range b.Use {
		n := u.Counts
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.Text(strings.ToUpper(periodWords[u.Period][:1]) + periodWords[u.Period][1:]), page.Count(int64(n.Offered)), page.Count(int64(n.Accepted)), page.Count(int64(n.Delivered)), page.Count(int64(n.Returned)), page.Money(n.Charged), page.Money(n.Credited)}})
	}
	return page.Panel{Title: "What became of its offers", Parts: []page.Part{t}}
}

// How many messages the pages of a buyer list.
const (
	messagesInOverview = 5
	messagesToBuyer    = 50
)

// messagesPanel lists the newest messages to a buyer, without persons: the page of the lead reveals them.
func messagesPanel(v *page.Visit, id string, most int) (page.Part, error) {
	var list []report.Message
	if err := v.Read(func(tx *store.Tx) (err error) {
		list, err = report.ReadMessages(tx, id, v.API.SearchKey, most)
		return err
	}); err != nil {
		return nil, err
	}
	p := page.Panel{Title: "Newest messages", ID: "messages", More: &page.Link{Text: "Its leads", Href: page.WithQuery(v.Address("/leads"), "offered", id)}}
	if len(list) == 0 {
		p.More, p.Parts = nil, []page.Part{page.Prose("No message was sent to it yet. Offers and contacts appear here; tests do not.")}
		return p, nil
	}
	var t page.Timeline
	for _, m := range list {
		e := page.EventOf(m.Event)
		e.Lead = &page.Link{Text: page.ServiceName(m.Lead.Request.Service) + " in " + cmp.Or(m.Lead.Request.ZIP, "an unknown place"), Href: v.Address("/leads/" + m.Lead.ID)}
		t = append(t, e)
	}
	p.Note = "Newest first, without persons. An answer may name one: it is on the page of the lead, once you show the person."
	p.Parts = []page.Part{t}
	return p, nil
}

// buyerActions are the forms of a buyer, each with what it will do.
func buyerActions(v *page.Visit, b query.Summary) (forms []page.Part, err error) {
	name := cmp.Or(page.Short(b.Terms.Name), b.ID)
	add := func(path string, f page.Form, leave ...string) {
		forms = append(forms, v.FormFor("/buyers/{buyer}/"+path, f, nil, leave...))
	}
	if b.Terms.Practice {
		forms = append(forms, v.TestLeadForm())
		if b.State == buyer.Active {
			add("pause", page.Form{Title: "Pause", What: "It takes nothing until it is resumed."})
		} else {
			add("resume", page.Form{Title: "Resume", What: "It takes made-up leads again."})
		}
		return append(forms, v.FormFor("/buyers/{buyer}/remove", page.Form{Title: "Remove", Danger: true, What: "The history of its leads keeps its name.", Confirm: "Remove " + name + ". It takes no leads any more; another can be started."}, nil)), nil
	}
	add("test", page.Form{Title: "Test", Submit: "Send a test offer", What: "A signed, made-up offer goes to its address. Nothing is stored, and nothing follows from the answer.", Open: b.State == buyer.Testing})
	if b.State == buyer.Testing {
		held, err := heldFor(v, b)
		if err != nil {
			return nil, err
		}
		forms = append(forms, v.FormFor("/buyers/{buyer}/start", page.Form{
			Title: "Start", What: "It is asked from now on. Leads that are held now go to it only as far as you say. " + held, Confirm: "If held leads are to go to " + name + ": offer them now. That cannot be undone.",
		}, map[string]string{"held": "none", "test": "true"}))
	}
	if b.State == buyer.Active {
		add("pause", page.Form{Title: "Pause", What: "It is offered nothing until it is resumed. Contacts that it has accepted are still delivered."})
	}
	if b.State == buyer.Paused || b.State == buyer.Off || b.Health.Failures > 0 {
		add("resume", page.Form{Title: "Resume", What: "It is asked again, and its failures are forgotten."})
	}
	add("top-up", page.Form{Title: "Enter a payment", What: "It raises the balance. Leads that are held because it had no money are offered to it."})
	add("correct", page.Form{Title: "Enter a correction", What: "A line of its own on the statement; negative if it owes less."})
	if len(b.Secrets) > 1 {
		add("end-rotation", page.Form{Title: "Drop the old secret", What: "Only the new secret signs messages from then on.", Confirm: "Drop the old secret of " + name + ". It cannot be brought back."})
	} else {
		add("rotate-secret", page.Form{Title: "Change the secret", What: "Messages carry the signatures of both until the old one is dropped. The new secret is shown once.", Confirm: "Change the secret of " + name + ". The change cannot be taken back."})
	}
	add("remove", page.Form{Title: "Remove", Danger: true, What: "The history of its leads keeps its name, and its account stays.", Confirm: "Remove " + name + ". It gets no leads any more, and cannot be brought back."})
	return append(forms, page.Facts{{Name: "Statement", Text: "This month", Href: v.Address("/statements/" + url.PathEscape(b.ID) + "/" + buyer.MonthOf(v.Now().In(v.Zone)).String())}}), nil
}

// heldRead is how many held leads are read to say how many a buyer covers.
const heldRead = 10_000

// heldFor says how many held leads a start would bring.
func heldFor(v *page.Visit, b query.Summary) (string, error) {
	w, all, err := v.Operator.HeldAmong(v.Ctx, b.ID, heldRead)
	if err != nil {
		return "", err
	}
	if w.Covered == 0 && all {
		return "It covers none of them.", nil
	}
	text := "It covers " + terminal.Number(int64(w.Covered)) + " of them"
	if !all {
		text = "Of the " + terminal.Number(heldRead) + " that are held longest it covers " + terminal.Number(int64(w.Covered))
	}
	if w.Covered > 0 {
		text += ", the oldest from " + v.Clock(w.Oldest)
	}
	return text + ".", nil
}

// leadsOf leads to the leads of a buyer.
func leadsOf(v *page.Visit, b query.Summary) page.Part {
	return page.Facts{{Name: "Leads", Text: "What it bought, and what it is asked about", Href: page.WithQuery(v.Address("/leads"), "buyer", b.ID)}}
}

// gauges show how much of its caps and its credit a buyer has used.
func gauges(b query.Summary) (parts []page.Part) {
	for _, u := range b.Use {
		if u.Cap > 0 {
			parts = append(parts, page.Figure{SVG: chart.Gauge{ID: "cap-" + u.Period, Title: "Leads " + periodWords[u.Period], Used: float64(u.Used.Leads), Limit: float64(u.Cap)}.SVG()})
		}
		if u.MoneyCap > 0 {
			parts = append(parts, page.Figure{SVG: chart.Gauge{ID: "money-" + u.Period, Title: "Money " + periodWords[u.Period], Used: float64(u.Used.Money), Limit: float64(u.MoneyCap), Unit: chart.Cents}.SVG()})
		}
	}
	if limit := b.Terms.CreditLimit; limit != nil && *limit > 0 {
		parts = append(parts, page.Figure{SVG: chart.Gauge{ID: "credit", Title: "Credit", Used: float64(max(0, b.Owed)), Reserved: float64(b.Reserved()), Limit: float64(*limit), Unit: chart.Cents}.SVG()})
	} else if limit != nil {
		parts = append(parts, page.Facts{{Name: "Balance", Text: (-b.Owed).String() + ", of which " + b.Reserved().String() + " are reserved"}})
	}
	if len(parts) == 0 {
		parts = []page.Part{page.Prose("No caps, and no limit to what it may owe.")}
	}
	return parts
}

var periodWords = map[string]string{"hour": "this hour", "day": "today", "month": "this month", "total": "in all"}

// nowFields are the fields of a buyer that are not terms.
var nowFields = []string{"id", "balance", "secrets", "last asked", "breaker", "left alone", "held leads", "delivering", "added", "changed"}

// periodFields are those that the table of its periods has.
var periodFields = []string{"this hour", "today", "this month", "all time"}

// termGroups are the headings of the editor.
var termGroups = []page.Group{
	{Title: "Who", Names: []string{"name", "url", "priority"}},
	{Title: "Coverage", Names: []string{"services", "states", "zips", "exclude_zips"}},
	{Title: "Price and limits", Names: []string{"price_cents", "credit_limit_cents", "payout", "payout_public", "caps.hour", "caps.day", "caps.month", "caps.total", "caps.money_day_cents", "caps.money_month_cents"}},
	{Title: "Hours", Names: []string{"hours", "time_zone"}},
	{Title: "Which leads", Names: []string{"own_form_only", "plausible_phones_only", "no_duplicates", "street_required"}},
	{Title: "Returns", Names: []string{"return_days", "approve_returns", "deny_returns"}},
	{Title: "Connection", Names: []string{"one_step", "accept_plain", "max_in_flight"}},
}

// editBuyerForm has all terms as they are typed.
func editBuyerForm(v *page.Visit, b query.Summary) page.Part {
	typed := entered.TermTexts(b.Terms)
	f := page.Form{Submit: "Save the terms", Hidden: []page.Pair{{Name: "seen", Value: page.Fingerprint(typed)}}, What: "Leave a field empty for its default."}
	for _, in := range console.Inputs("editBuyer") {
		x := page.Input{Input: in, Value: typed[in.Flag]}
		x.Required = false
		x.Area = in.Name == "zips" || in.Name == "exclude_zips"
		f.Inputs = append(f.Inputs, x)
	}
	f.Groups = termGroups
	edited := v.FormFor("/buyers/{buyer}/edit", f, nil)
	if v.Refused == "/buyers/{buyer}/edit" { // boxes that were not ticked are not sent
		for i := range edited.Inputs {
			edited.Inputs[i].Value = v.Form.Get(edited.Inputs[i].Name)
		}
	}
	return page.Columns{Form: withEffect(v, edited, "/buyers/{buyer}/check", "/buyers/{buyer}/try")}
}

func EditBuyer(v *page.Visit) error {
	id, err := v.Operator.Find(v.Ctx, v.R.PathValue("buyer"))
	if err != nil {
		return err
	}
	b, err := v.Operator.Show(v.Ctx, id)
	if err != nil {
		return err
	}
	changed, err := v.Changed("editBuyer", entered.TermTexts(b.Terms))
	if err != nil {
		return err
	}
	_, err = v.API.Do(v.Ctx, v.Caller(), "editBuyer", map[string]string{"buyer": id}, changed, v.Form.Get("once"))
	return err
}
