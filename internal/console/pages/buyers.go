package pages

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"

	"foyer/internal/buyer"
	"foyer/internal/catalog"
	"foyer/internal/console"
	"foyer/internal/console/chart"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/query"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

// buyers lists the buyers in the order in which they are asked.
func (v *visit) buyers() (view, error) {
	list, err := v.Operator.List(v.ctx)
	if err != nil {
		return view{}, err
	}
	t := table{
		Caption: "Buyers, in the order in which they are asked", Head: heads(">Priority", "Name", "State", "Services", "Area", ">Offered today", ">Accepted", "Today's cap", ">Owes", "Why not asked"), Keys: true,
		Empty: "No buyer yet. Leads are kept until one covers them.",
	}
	for _, b := range list {
		day := b.Today()
		href := v.address("/buyers/" + b.ID)
		t.Rows = append(t.Rows, row{[]cell{
			right(fmt.Sprint(b.Terms.Priority)), to(cmp.Or(b.Terms.Name, b.ID), href), tagged(report.StateNow(b), stateTone(b)), text(report.Services(b.Terms.Services)), text(entered.Area(b.Terms.Area)),
			count(int64(day.Offered)), right(percent(int64(day.Accepted), int64(day.Offered))), text(report.Cap(day)), right(report.Owes(b)), soft(report.Why(b)),
		}, href})
	}
	shown := view{Title: "Buyers", Wide: true, Parts: []part{panel{Parts: []part{t}}}}
	if len(list) > 0 {
		shown.Stats = buyersStats(list)
	}
	if v.may(operates) {
		shown.Parts = append(shown.Parts, panel{ID: "add", Parts: []part{v.addBuyerForm(len(list) == 0)}})
	}
	return shown, nil
}

// buyersStats say who takes leads, what was offered today, and what is owed.
func buyersStats(list []query.Summary) []stat {
	active, offered, accepted, owed := 0, int64(0), int64(0), buyer.Cents(0)
	for _, b := range list {
		if b.State == buyer.Active {
			active++
		}
		offered, accepted, owed = offered+int64(b.Today().Offered), accepted+int64(b.Today().Accepted), owed+b.Owed
	}
	return []stat{
		{Label: "Active", Value: terminal.Number(int64(active)), Note: "of " + terminal.Count(int64(len(list)), "buyer")},
		{Label: "Offered today", Value: terminal.Number(offered)},
		{Label: "Accepted today", Value: percent(accepted, offered)},
		{Label: "Owed in all", Value: owed.String(), Note: "less what was paid ahead"},
	}
}

// firstTerms are what a new buyer needs; the rest has defaults, and is edited afterwards.
var firstTerms = []string{"name", "url", "services", "zips", "states", "price_cents", "priority", "secret"}

func (v *visit) addBuyerForm(open bool) form {
	f := v.formFor("/buyers/add", form{Title: "Add a buyer", Submit: "Add, in test", What: "It gets no leads before you test it and start it. Its secret is shown once."}, map[string]string{"services": "all"})
	f.Inputs = slices.DeleteFunc(f.Inputs, func(in input) bool { return !slices.Contains(firstTerms, in.Name) })
	f.Open = f.Open || open
	return v.withEffect(f, "/buyers/check", "")
}

// addedBuyer shows a buyer that was just added, with its secret, or the list with what is wrong.
func (v *visit) addedBuyer() (view, error) {
	if v.problem != nil {
		return v.buyers()
	}
	id, _ := member(v.result, "id").(string)
	shown, err := v.buyerPage(id)
	shown.Lede = "The buyer is added, in test. Give its engineer the secret above: it signs every message. It is gone when you leave this page, also by testing. Then test the buyer, and start it."
	shown.Parts = append([]part{notice{Text: "For its engineer:", Link: &link{"how messages are signed, and what to answer", v.Brand.Path() + catalog.PageBuyers}}}, shown.Parts...)
	return shown, err
}

// buyer shows everything about a buyer except its secrets.
func (v *visit) buyer() (view, error) {
	id, err := v.Operator.Find(v.ctx, v.r.PathValue("buyer"))
	if err != nil {
		return view{}, err
	}
	return v.buyerPage(id)
}

func (v *visit) buyerPage(id string) (view, error) {
	v.r.SetPathValue("buyer", id)
	b, err := v.Operator.Show(v.ctx, id)
	if err != nil {
		return view{}, err
	}
	days, err := v.buyerDays(b, 28)
	if err != nil {
		return view{}, err
	}
	if !v.may(operates) {
		b.Terms.URL = report.WithoutQuery(b.Terms.URL)
	}
	month := b.Use[slices.IndexFunc(b.Use, func(u query.Use) bool { return u.Period == "month" })]
	shown := view{
		Title: cmp.Or(b.Terms.Name, b.ID), Above: []link{{"Buyers", v.address("/buyers")}}, Tag: &tag{report.StateNow(b), stateTone(b)}, Lede: report.Why(b),
		Stats: []stat{
			{Label: "Offered this month", Value: terminal.Number(int64(month.Offered))},
			{Label: "Accepted", Value: percent(int64(month.Accepted), int64(month.Offered))},
			{Label: "Delivered", Value: terminal.Number(int64(month.Delivered))},
			{Label: "Returned", Value: percent(int64(month.Returned), int64(month.Delivered))},
			{Label: "Charged, less credits", Value: (month.Charged - month.Credited).String()},
			{Label: "Owes", Value: b.Owed.String()},
		},
	}
	if member(v.result, "type") != nil {
		shown.Parts = append(shown.Parts, v.testResult())
	}
	messages, err := v.messages(id)
	if err != nil {
		return shown, err
	}
	shown.Below = []part{messages}
	if v.may(operates) {
		actions, err := v.buyerActions(b)
		if err != nil {
			return shown, err
		}
		shown.Aside = append(shown.Aside, panel{Title: "What you can do", Parts: actions})
		if !b.Terms.Practice {
			shown.Below = append(shown.Below, panel{Title: "Edit the terms", ID: "edit", Parts: []part{v.editBuyerForm(b)}})
		}
	}
	declines, err := v.declines(id)
	if err != nil {
		return shown, err
	}
	answers, err := v.answerTimes(id, len(days.list))
	shown.Parts = append(shown.Parts, days.offersPanel(), days.ratePanel(), answers, days.moneyPanel(), declines)
	shown.Aside = append(shown.Aside, panel{Title: "Room", Parts: gauges(b)}, panel{Title: "Now", Parts: []part{v.factsOf(only(report.BuyerFields(b), nowFields...))}})
	if !v.may(operates) {
		shown.Below = append(shown.Below, panel{Title: "Terms", Parts: []part{v.factsOf(without(report.BuyerFields(b), nowFields...))}})
	}
	return shown, err
}

// messagesToBuyer is how many messages a buyer's page lists.
const messagesToBuyer = 20

// messages lists the newest messages to a buyer, without persons: the page of the lead reveals them.
func (v *visit) messages(id string) (part, error) {
	var list []report.Message
	if err := v.read(func(tx *store.Tx) (err error) {
		list, err = report.ReadMessages(tx, id, v.API.SearchKey, messagesToBuyer)
		return err
	}); err != nil {
		return nil, err
	}
	p := panel{Title: "Newest messages", ID: "messages", More: &link{"Its leads", withQuery(v.address("/leads"), "offered", id)}}
	if len(list) == 0 {
		p.More, p.Parts = nil, []part{prose("No message was sent to it yet. Offers and contacts appear here; tests do not.")}
		return p, nil
	}
	var t timeline
	for _, m := range list {
		e := eventOf(m.Event)
		e.Lead = &link{serviceName(m.Lead.Request.Service) + " in " + cmp.Or(m.Lead.Request.ZIP, "an unknown place"), v.address("/leads/" + m.Lead.ID)}
		t = append(t, e)
	}
	p.Note = "Newest first, without persons. An answer may name one: it is on the page of the lead, once you show the person."
	p.Parts = []part{t}
	return p, nil
}

// buyerActions are the forms of a buyer, each with what it will do.
func (v *visit) buyerActions(b query.Summary) (forms []part, err error) {
	name := cmp.Or(short(b.Terms.Name), b.ID)
	add := func(path string, f form, leave ...string) {
		forms = append(forms, v.formFor("/buyers/{buyer}/"+path, f, nil, leave...))
	}
	if b.Terms.Practice {
		forms = append(forms, v.testLeadForm())
		if b.State == buyer.Active {
			add("pause", form{Title: "Pause", What: "It takes nothing until it is resumed."})
		} else {
			add("resume", form{Title: "Resume", What: "It takes made-up leads again."})
		}
		return append(forms, v.formFor("/buyers/{buyer}/remove", form{Title: "Remove", Danger: true, What: "The history of its leads keeps its name.", Confirm: "Remove " + name + ". It takes no leads any more; another can be started."}, nil), leadsOf(v, b)), nil
	}
	add("test", form{Title: "Test", Submit: "Send a test offer", What: "A signed, made-up offer goes to its address. Nothing is stored, and nothing follows from the answer.", Open: b.State == buyer.Testing})
	if b.State == buyer.Testing {
		held, err := v.heldFor(b)
		if err != nil {
			return nil, err
		}
		forms = append(forms, v.formFor("/buyers/{buyer}/start", form{
			Title: "Start", What: "It is asked from now on. Leads that are held now go to it only as far as you say. " + held, Confirm: "If held leads are to go to " + name + ": offer them now. That cannot be undone.",
		}, map[string]string{"held": "none", "test": "true"}))
	}
	if b.State == buyer.Active {
		add("pause", form{Title: "Pause", What: "It is offered nothing until it is resumed. Contacts that it has accepted are still delivered."})
	}
	if b.State == buyer.Paused || b.State == buyer.Off || b.Health.Failures > 0 {
		add("resume", form{Title: "Resume", What: "It is asked again, and its failures are forgotten."})
	}
	add("top-up", form{Title: "Enter a payment", What: "It raises the balance. Leads that are held because it had no money are offered to it."})
	add("correct", form{Title: "Enter a correction", What: "A line of its own on the statement; negative if it owes less."})
	if len(b.Secrets) > 1 {
		add("end-rotation", form{Title: "Drop the old secret", What: "Only the new secret signs messages from then on.", Confirm: "Drop the old secret of " + name + ". It cannot be brought back."})
	} else {
		add("rotate-secret", form{Title: "Change the secret", What: "Messages carry the signatures of both until the old one is dropped. The new secret is shown once."})
	}
	add("remove", form{Title: "Remove", Danger: true, What: "The history of its leads keeps its name, and its account stays.", Confirm: "Remove " + name + ". It gets no leads any more, and cannot be brought back."})
	return append(forms, leadsOf(v, b), facts{{Name: "Statement", Text: "This month", Href: v.address("/statements/" + url.PathEscape(b.ID) + "/" + buyer.MonthOf(v.Now().In(v.Zone)).String())}}), nil
}

// heldRead is how many held leads are read to say how many a buyer covers.
const heldRead = 10_000

// heldFor says how many held leads a start would bring.
func (v *visit) heldFor(b query.Summary) (string, error) {
	w, all, err := v.Operator.HeldAmong(v.ctx, b.ID, heldRead)
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
		text += ", the oldest from " + v.clock(w.Oldest)
	}
	return text + ".", nil
}

// leadsOf leads to the leads of a buyer.
func leadsOf(v *visit, b query.Summary) part {
	return facts{{Name: "Leads", Text: "What it bought, and what it is asked about", Href: withQuery(v.address("/leads"), "buyer", b.ID)}}
}

// gauges show how much of its caps and its credit a buyer has used.
func gauges(b query.Summary) (parts []part) {
	for _, u := range b.Use {
		if u.Cap > 0 {
			parts = append(parts, figure{chart.Gauge{ID: "cap-" + u.Period, Title: "Leads " + periodWords[u.Period], Used: float64(u.Used.Leads), Limit: float64(u.Cap)}.SVG()})
		}
		if u.MoneyCap > 0 {
			parts = append(parts, figure{chart.Gauge{ID: "money-" + u.Period, Title: "Money " + periodWords[u.Period], Used: float64(u.Used.Money), Limit: float64(u.MoneyCap), Unit: chart.Cents}.SVG()})
		}
	}
	if limit := b.Terms.CreditLimit; limit != nil && *limit > 0 {
		parts = append(parts, figure{chart.Gauge{ID: "credit", Title: "Credit", Used: float64(max(0, b.Owed)), Reserved: float64(b.Reserved()), Limit: float64(*limit), Unit: chart.Cents}.SVG()})
	} else if limit != nil {
		parts = append(parts, facts{{Name: "Balance", Text: (-b.Owed).String() + ", of which " + b.Reserved().String() + " are reserved"}})
	}
	if len(parts) == 0 {
		parts = []part{prose("No caps, and no limit to what it may owe.")}
	}
	return parts
}

var periodWords = map[string]string{"hour": "this hour", "day": "today", "month": "this month", "total": "in all"}

// nowFields are the fields of a buyer that are not terms.
var nowFields = []string{"id", "balance", "secrets", "last asked", "breaker", "left alone", "held leads", "delivering", "this hour", "today", "this month", "all time", "added", "changed"}

// termGroups are the headings of the editor.
var termGroups = []group{
	{"Who", []string{"name", "url", "priority"}},
	{"Coverage", []string{"services", "states", "zips", "exclude_zips"}},
	{"Price and limits", []string{"price_cents", "credit_limit_cents", "payout", "payout_public", "caps.hour", "caps.day", "caps.month", "caps.total", "caps.money_day_cents", "caps.money_month_cents"}},
	{"Hours", []string{"hours", "time_zone"}},
	{"Which leads", []string{"own_form_only", "plausible_phones_only", "no_duplicates", "street_required"}},
	{"Returns", []string{"return_days", "approve_returns", "deny_returns"}},
	{"Connection", []string{"one_step", "accept_plain", "max_in_flight"}},
}

// editBuyerForm has all terms as they are typed.
func (v *visit) editBuyerForm(b query.Summary) part {
	typed := entered.TermTexts(b.Terms)
	f := form{Submit: "Save the terms", Hidden: []pair{{"seen", fingerprint(typed)}}, What: "Leave a field empty for its default."}
	for _, in := range console.Inputs("editBuyer") {
		x := input{Input: in, Value: typed[in.Flag]}
		x.Required = false
		x.Area = in.Name == "zips" || in.Name == "exclude_zips"
		f.Inputs = append(f.Inputs, x)
	}
	f.Groups = termGroups
	edited := v.formFor("/buyers/{buyer}/edit", f, nil)
	if v.refused == "/buyers/{buyer}/edit" { // boxes that were not ticked are not sent
		for i := range edited.Inputs {
			edited.Inputs[i].Value = v.form.Get(edited.Inputs[i].Name)
		}
	}
	return columns{v.withEffect(edited, "/buyers/{buyer}/check", "/buyers/{buyer}/try")}
}

func (v *visit) editBuyer() error {
	id, err := v.Operator.Find(v.ctx, v.r.PathValue("buyer"))
	if err != nil {
		return err
	}
	b, err := v.Operator.Show(v.ctx, id)
	if err != nil {
		return err
	}
	changed, err := v.changed("editBuyer", entered.TermTexts(b.Terms))
	if err != nil {
		return err
	}
	_, err = v.API.Do(v.ctx, v.caller(), "editBuyer", map[string]string{"buyer": id}, changed, v.form.Get("once"))
	return err
}
