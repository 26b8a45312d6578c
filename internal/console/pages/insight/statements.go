package insight

import (
	"cmp"
	"io"
	"net/http"
	"net/url"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/console"
	"foyer/internal/console/pages/page"
	"foyer/internal/operator/query"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// Statements lists what each buyer owes, and the statements that are closed.
func Statements(v *page.Visit) (page.View, error) {
	shown := page.View{Title: "Statements", Wide: true}
	accounts, err := v.Operator.Accounts().List(v.Ctx)
	if err != nil {
		return shown, err
	}
	closed, err := v.Operator.Accounts().Statements(v.Ctx, "")
	if err != nil {
		return shown, err
	}
	month := buyer.MonthOf(v.Now().In(v.Zone))
	open := page.Table{Caption: "Accounts", Keys: true, Head: page.Heads("Buyer", "State", ">Owes", "This month", "Last month"), Empty: "Nothing is owed: no buyer has prices. A buyer gets them on its page, under Terms; the practice buyer pays nothing.", Go: &page.Link{Text: "Buyers", Href: v.Address("/buyers")}}
	for _, a := range accounts {
		this, last := statementAddress(v, a.Buyer.ID, month), statementAddress(v, a.Buyer.ID, month.Before())
		open.Rows = append(open.Rows, page.Row{Cells: []page.Cell{page.To(cmp.Or(a.Buyer.Terms.Name, a.Buyer.ID), v.Address("/buyers/"+a.Buyer.ID)), page.Tagged(report.State(a.Buyer.State), cmp.Or(page.BuyerTone(a.Buyer.State), "soft")), page.Money(a.Owed), page.To(month.String(), this), page.To(month.Before().String(), last)}, Href: this})
	}
	if len(accounts) > 0 {
		owed, most := buyer.Cents(0), buyer.Cents(0)
		for _, a := range accounts {
			owed, most = owed+a.Owed, max(most, a.Owed)
		}
		shown.Stats = []page.Stat{{Label: "Owed in all", Value: owed.String(), Note: "less what was paid ahead"}, {Label: "Most by one buyer", Value: most.String()}, {Label: "Closed statements", Value: terminal.Number(int64(len(closed)))}}
	}
	done := page.Table{Caption: "Closed statements", Keys: true, Head: page.Heads("Month", "Buyer", ">Leads", ">Charges", ">Returns", ">Corrections", ">Payments", ">Owed after", "Closed"), Empty: "No statement is closed yet."}
	for _, s := range closed {
		href := statementAddress(v, s.Buyer, s.Month)
		done.Rows = append(done.Rows, page.Row{Cells: []page.Cell{page.To(s.Month.String(), href), page.Text(cmp.Or(s.BuyerName, s.Buyer)), page.Count(int64(s.Leads)), page.Money(s.Charges), page.Money(s.Returns), page.Money(s.Corrections), page.Money(s.Payments), page.Money(s.Closing()), page.When(s.ClosedAt)}, Href: href})
	}
	if v.Result != nil {
		shown.Parts = append(shown.Parts, closedNotice(v.Result)...)
	}
	shown.Parts = append(shown.Parts, page.Panel{Title: "What buyers owe", Parts: []page.Part{open}}, page.Panel{Title: "Closed", Parts: []page.Part{done}})
	if v.May(store.RoleOperator) {
		shown.Parts = append(shown.Parts, page.Panel{Parts: []page.Part{v.FormFor("/statements/verify", page.Form{
			Title: "Verify closed statements", Submit: "Verify", What: "Every line of every closed statement is compared with the hash from when it was closed.",
		}, nil), v.FormFor("/statements/close", page.Form{
			Title: "Close a month", Submit: "Close the statements", What: "The statements of a month that is over never change again. What comes later is on the next one.", Confirm: "Close the statements of the month and the buyer that are written here. A closed one cannot be opened.",
		}, map[string]string{"month": month.Before().String()})}})
	}
	return shown, nil
}

// closedNotice says which statements were closed, and which were not; or how many were verified.
func closedNotice(result wire.Object) (parts []page.Part) {
	if n := page.MemberOf(result, "verified"); n != nil {
		return []page.Part{page.Notice{Tone: "good", Text: "Verified " + report.FieldText(n) + " closed statements: each is what it was when it was closed."}}
	}
	closed, _ := page.MemberOf(result, "closed").([]wire.Object)
	switch len(closed) {
	case 0:
		parts = append(parts, page.Notice{Tone: "wait", Text: "No statement was closed: none is open for this month."})
	case 1:
		parts = append(parts, page.Notice{Tone: "good", Text: "One statement was closed."})
	default:
		parts = append(parts, page.Notice{Tone: "good", Text: page.Right(report.FieldText(len(closed))).Text + " statements were closed."})
	}
	left, _ := page.MemberOf(result, "not_closed").([]string)
	for _, why := range left {
		parts = append(parts, page.Notice{Tone: "stop", Text: why})
	}
	return parts
}

func statementAddress(v *page.Visit, id string, m buyer.Month) string {
	return v.Address("/statements/" + url.PathEscape(id) + "/" + m.String())
}

// statementOf reads which statement a path means.
func statementOf(v *page.Visit) (id string, m buyer.Month, err error) {
	if id, err = v.Operator.Accounts().Find(v.Ctx, v.R.PathValue("buyer")); err != nil {
		return id, m, err
	}
	if m, err = buyer.ParseMonth(v.R.PathValue("month")); err != nil {
		err = page.ErrNoPage
	}
	return id, m, err
}

// linesOnPage is how many lines of a statement its page has. The file has all.
const linesOnPage = 1000

// linesPanel lists what happened in a month, one line each.
func linesPanel(v *page.Visit, list []buyer.Entry, more bool, file string) page.Part {
	t := page.Table{Caption: "Lines", Head: page.Heads("When", "What", "Lead, as the buyer knows it", "Service", "Note", ">Amount"), Empty: "Nothing happened in this month."}
	for _, e := range list {
		service := ""
		if e.Service != "" {
			service = page.ServiceName(e.Service)
		}
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.When(e.At), page.Text(string(e.Kind)), page.Tight(page.Text(page.ShortID(e.LeadID))), page.Text(service), page.Soft(page.InWords(e.Note)), page.Money(e.Amount)}})
	}
	note := ""
	if more {
		note = "These are the first " + terminal.Number(int64(linesOnPage)) + ". The file has all."
	}
	return page.Panel{Title: "Lines", Broad: true, Note: note, More: &page.Link{Text: "All lines as CSV", Href: file}, Parts: []page.Part{t}}
}

// Statement shows the statement of a buyer for a month, made to be printed.
func Statement(v *page.Visit) (page.View, error) {
	id, m, err := statementOf(v)
	if err != nil {
		return page.View{}, err
	}
	var s buyer.Statement
	var list []buyer.Entry
	var more bool
	if err := v.Read(func(tx *store.Tx) error {
		var lines store.LedgerLines
		if s, lines, err = query.Statement(tx, id, m, v.Zone); err == nil {
			list, more, err = query.StatementLines(tx, lines, linesOnPage)
		}
		return err
	}); err != nil {
		return page.View{}, err
	}
	state := page.Tag{Text: "open: it may still change", Tone: "wait"}
	if s.ID != "" {
		state = page.Tag{Text: "closed", Tone: "good"}
	}
	rows := []page.Row{}
	add := func(name, note string, c buyer.Cents) {
		rows = append(rows, page.Row{Cells: []page.Cell{page.Text(name), page.Soft(note), page.Money(c)}})
	}
	add("Owed before", "", s.Opening)
	add("Leads", report.FieldText(s.Leads)+" delivered", s.Charges)
	add("Returns", report.FieldText(s.Returned)+" approved", s.Returns)
	add("Corrections", "", s.Corrections)
	add("Payments", "", s.Payments)
	add("Owed after", "", s.Closing())
	about := page.Facts{{Name: "From", Text: v.Brand.Name + ", " + v.Brand.Contact}, {Name: "Buyer", Text: cmp.Or(s.BuyerName, id), Href: v.Address("/buyers/" + id)}, {Name: "Month", Text: m.String() + " in " + s.Zone}, {Name: "Ends", Text: v.Moment(s.Ends)}}
	if s.ID != "" {
		about = append(about, page.Fact{Name: "Statement", Text: s.ID}, page.Fact{Name: "Closed", Text: v.Moment(s.ClosedAt)}, page.Fact{Name: "Closed by", Text: s.ClosedBy}, page.Fact{Name: "SHA-256 of the file", Text: s.Hash})
	}
	return page.View{
		Stats: []page.Stat{
			{Label: "Owed after", Value: s.Closing().String()},
			{Label: "Charges", Value: s.Charges.String(), Note: report.FieldText(s.Leads) + " delivered"},
			{Label: "Returns", Value: s.Returns.String(), Note: report.FieldText(s.Returned) + " approved"},
			{Label: "Payments", Value: s.Payments.String()},
		},
		Title: "Statement for " + cmp.Or(s.BuyerName, id) + ", " + m.String(), Above: []page.Link{{Text: "Statements", Href: v.Address("/statements")}}, Tag: &state,
		Parts: []page.Part{
			page.Panel{Title: "Amounts", Parts: []page.Part{page.Table{Caption: "Amounts", Head: page.Heads("What", "How many", ">Amount"), Rows: rows}}},
			page.Panel{Title: "About it", Parts: []page.Part{about}},
			linesPanel(v, list, more, statementAddress(v, id, m)+"/csv"),
		},
	}, nil
}

// StatementCSV is every line of a statement. Half a file must not look like a whole one.
func StatementCSV(v *page.Visit) error {
	id, m, err := statementOf(v)
	if err != nil {
		return err
	}
	_ = http.NewResponseController(v.W).SetWriteDeadline(time.Now().Add(5 * time.Minute))
	return console.WriteFile(v.W, "statement-"+id+"-"+m.String()+".csv", func(w io.Writer) error {
		return v.Operator.Accounts().WriteStatement(v.Ctx, v.By(), id, m, v.Zone, w)
	})
}
