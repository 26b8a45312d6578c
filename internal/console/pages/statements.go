package pages

import (
	"cmp"
	"errors"
	"net/http"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// statements lists what each buyer owes, and the statements that are closed.
func (v *visit) statements() (view, error) {
	shown := view{Title: "Statements", Wide: true}
	accounts, err := v.Operator.Accounts().List(v.ctx)
	if err != nil {
		return shown, err
	}
	closed, err := v.Operator.Accounts().Statements(v.ctx, "")
	if err != nil {
		return shown, err
	}
	month := buyer.MonthOf(v.Now().In(v.Zone))
	open := table{Caption: "Accounts", Keys: true, Head: heads("Buyer", "State", ">Owes", "This month", "Last month"), Empty: "Nothing is owed: no buyer has prices. A buyer gets them on its page, under Terms; the practice buyer pays nothing.", Go: &link{"Buyers", v.address("/buyers")}}
	for _, a := range accounts {
		this, last := v.statementAddress(a.Buyer.ID, month), v.statementAddress(a.Buyer.ID, month.Before())
		open.Rows = append(open.Rows, row{[]cell{to(cmp.Or(a.Buyer.Terms.Name, a.Buyer.ID), v.address("/buyers/"+a.Buyer.ID)), tagged(report.State(a.Buyer.State), cmp.Or(buyerTone(a.Buyer.State), "soft")), money(a.Owed), to(month.String(), this), to(month.Before().String(), last)}, this})
	}
	if len(accounts) > 0 {
		owed, most := buyer.Cents(0), buyer.Cents(0)
		for _, a := range accounts {
			owed, most = owed+a.Owed, max(most, a.Owed)
		}
		shown.Stats = []stat{{Label: "Owed in all", Value: owed.String(), Note: "less what was paid ahead"}, {Label: "Most by one buyer", Value: most.String()}, {Label: "Closed statements", Value: terminal.Number(int64(len(closed)))}}
	}
	done := table{Caption: "Closed statements", Keys: true, Head: heads("Month", "Buyer", ">Leads", ">Charges", ">Returns", ">Corrections", ">Payments", ">Owed after", "Closed"), Empty: "No statement is closed yet."}
	for _, s := range closed {
		href := v.statementAddress(s.Buyer, s.Month)
		done.Rows = append(done.Rows, row{[]cell{to(s.Month.String(), href), text(cmp.Or(s.BuyerName, s.Buyer)), count(int64(s.Leads)), money(s.Charges), money(s.Returns), money(s.Corrections), money(s.Payments), money(s.Closing()), when(s.ClosedAt)}, href})
	}
	if v.result != nil {
		shown.Parts = append(shown.Parts, closedNotice(v.result)...)
	}
	shown.Parts = append(shown.Parts, panel{Title: "What buyers owe", Parts: []part{open}}, panel{Title: "Closed", Parts: []part{done}})
	if v.may(operates) {
		shown.Parts = append(shown.Parts, panel{Parts: []part{v.formFor("/statements/verify", form{
			Title: "Verify closed statements", Submit: "Verify", What: "Every line of every closed statement is compared with the hash from when it was closed.",
		}, nil), v.formFor("/statements/close", form{
			Title: "Close a month", Submit: "Close the statements", What: "The statements of a month that is over never change again. What comes later is on the next one.", Confirm: "Close the statements of the month and the buyer that are written here. A closed one cannot be opened.",
		}, map[string]string{"month": month.Before().String()})}})
	}
	return shown, nil
}

// closedNotice says which statements were closed, and which were not; or how many were verified.
func closedNotice(result wire.Object) (parts []part) {
	if n := member(result, "verified"); n != nil {
		return []part{notice{Tone: "good", Text: "Verified " + report.FieldText(n) + " closed statements: each is what it was when it was closed."}}
	}
	closed, _ := member(result, "closed").([]wire.Object)
	switch len(closed) {
	case 0:
		parts = append(parts, notice{Tone: "wait", Text: "No statement was closed: none is open for this month."})
	case 1:
		parts = append(parts, notice{Tone: "good", Text: "One statement was closed."})
	default:
		parts = append(parts, notice{Tone: "good", Text: right(report.FieldText(len(closed))).Text + " statements were closed."})
	}
	left, _ := member(result, "not_closed").([]string)
	for _, why := range left {
		parts = append(parts, notice{Tone: "stop", Text: why})
	}
	return parts
}

func (v *visit) statementAddress(id string, m buyer.Month) string {
	return v.address("/statements/" + segment(id) + "/" + m.String())
}

// statementOf reads which statement a path means.
func (v *visit) statementOf() (id string, m buyer.Month, err error) {
	if id, err = v.Operator.Accounts().Find(v.ctx, v.r.PathValue("buyer")); err != nil {
		return id, m, err
	}
	if m, err = buyer.ParseMonth(v.r.PathValue("month")); err != nil {
		err = errNoPage
	}
	return id, m, err
}

// linesOnPage is how many lines of a statement its page has. The file has all.
const linesOnPage = 1000

// linesPanel lists what happened in a month, one line each.
func (v *visit) linesPanel(list []buyer.Entry, more bool, file string) part {
	t := table{Caption: "Lines", Head: heads("When", "What", "Lead, as the buyer knows it", "Service", "Note", ">Amount"), Empty: "Nothing happened in this month."}
	for _, e := range list {
		service := ""
		if e.Service != "" {
			service = serviceName(e.Service)
		}
		t.Rows = append(t.Rows, row{Cells: []cell{when(e.At), text(string(e.Kind)), tight(text(shortID(e.LeadID))), text(service), soft(e.Note), money(e.Amount)}})
	}
	note := ""
	if more {
		note = "These are the first " + terminal.Number(int64(linesOnPage)) + ". The file has all."
	}
	return panel{Title: "Lines", Broad: true, Note: note, More: &link{"All lines as CSV", file}, Parts: []part{t}}
}

// statement shows the statement of a buyer for a month, made to be printed.
func (v *visit) statement() (view, error) {
	id, m, err := v.statementOf()
	if err != nil {
		return view{}, err
	}
	var s buyer.Statement
	var list []buyer.Entry
	var more bool
	if err := v.read(func(tx *store.Tx) error {
		var lines store.LedgerLines
		if s, lines, err = query.Statement(tx, id, m, v.Zone); err == nil {
			list, more, err = query.StatementLines(tx, lines, linesOnPage)
		}
		return err
	}); err != nil {
		return view{}, err
	}
	state := tag{"open: it may still change", "wait"}
	if s.ID != "" {
		state = tag{"closed", "good"}
	}
	rows := []row{}
	add := func(name, note string, c buyer.Cents) {
		rows = append(rows, row{Cells: []cell{text(name), soft(note), money(c)}})
	}
	add("Owed before", "", s.Opening)
	add("Leads", report.FieldText(s.Leads)+" delivered", s.Charges)
	add("Returns", report.FieldText(s.Returned)+" approved", s.Returns)
	add("Corrections", "", s.Corrections)
	add("Payments", "", s.Payments)
	add("Owed after", "", s.Closing())
	about := facts{{Name: "From", Text: v.Brand.Name + ", " + v.Brand.Contact}, {Name: "Buyer", Text: cmp.Or(s.BuyerName, id), Href: v.address("/buyers/" + id)}, {Name: "Month", Text: m.String() + " in " + s.Zone}, {Name: "Ends", Text: v.moment(s.Ends)}}
	if s.ID != "" {
		about = append(about, fact{Name: "Statement", Text: s.ID}, fact{Name: "Closed", Text: v.moment(s.ClosedAt)}, fact{Name: "Closed by", Text: s.ClosedBy}, fact{Name: "SHA-256 of the file", Text: s.Hash})
	}
	return view{
		Stats: []stat{
			{Label: "Owed after", Value: s.Closing().String()},
			{Label: "Charges", Value: s.Charges.String(), Note: report.FieldText(s.Leads) + " delivered"},
			{Label: "Returns", Value: s.Returns.String(), Note: report.FieldText(s.Returned) + " approved"},
			{Label: "Payments", Value: s.Payments.String()},
		},
		Title: "Statement for " + cmp.Or(s.BuyerName, id) + ", " + m.String(), Above: []link{{"Statements", v.address("/statements")}}, Tag: &state,
		Parts: []part{
			panel{Title: "Amounts", Parts: []part{table{Caption: "Amounts", Head: heads("What", "How many", ">Amount"), Rows: rows}}},
			panel{Title: "About it", Parts: []part{about}},
			v.linesPanel(list, more, v.statementAddress(id, m)+"/csv"),
		},
	}, nil
}

// statementCSV is every line of a statement. Half a file must not look like a whole one.
func (v *visit) statementCSV() error {
	id, m, err := v.statementOf()
	if err != nil {
		return err
	}
	_ = http.NewResponseController(v.w).SetWriteDeadline(time.Now().Add(5 * time.Minute))
	v.fileHeaders("statement-" + id + "-" + m.String() + ".csv")
	err = v.Operator.Accounts().WriteStatement(v.ctx, v.by(), id, m, v.Zone, v.w)
	if known, ok := errors.AsType[*lead.Error](err); err != nil && !(ok && known.Kind == lead.NotFound) {
		panic(http.ErrAbortHandler)
	}
	return err
}
