package keeping

import (
	"cmp"
	"runtime"

	"foyer/internal/buyer"
	"foyer/internal/catalog"
	"foyer/internal/console/pages/page"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// Health says whether the service does its work: what is due, what is not counted yet, who does not answer.
func Health(v *page.Visit) (page.View, error) {
	shown := page.View{Title: "Health"}
	h, err := v.Health(v.Ctx)
	if err != nil {
		return shown, err
	}
	missing, notIndexed, err := backlog(v)
	if err != nil {
		return shown, err
	}
	buyers, err := v.Operator.List(v.Ctx)
	if err != nil {
		return shown, err
	}
	watched, err := watchedPanel(v)
	if err != nil {
		return shown, err
	}
	silent := 0
	t := page.Table{Caption: "Buyers", Keys: true, Head: page.Heads("Buyer", "State", ">Failures in a row", "Last asked", "Not asked until"), Empty: "No buyer yet."}
	for _, b := range buyers {
		if b.State == buyer.Active && b.Health.Failures > 0 {
			silent++
		}
		href := v.Address("/buyers/" + b.ID)
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.To(b.Terms.Name, href), page.Tagged(report.StateNow(b), page.StateTone(b)), page.Count(int64(b.Health.Failures)), page.When(b.Health.Asked), page.When(b.Health.OpenUntil)}, Href: href})
	}
	shown.Stats = []page.Stat{
		{Label: "Due to be sent", Value: terminal.Number(int64(h.Due)), Note: "offers and contacts"},
		{Label: "Not counted yet", Value: terminal.Number(missing), Note: "rows that reports lack"},
		{Label: "Not searchable yet", Value: terminal.Number(notIndexed), Note: "leads and attempts"},
		{Label: "Buyers that fail", Value: terminal.Number(int64(silent))},
	}
	shown.Parts = []page.Part{
		page.Panel{Title: "This process", Parts: []page.Part{page.Facts{
			{Name: "Version", Text: h.Version}, {Name: "Revision", Text: cmp.Or(h.Revision, "unknown")}, {Name: "Started", At: h.Started}, {Name: "Database", Text: h.Database}, {Name: "Go", Text: runtime.Version()},
		}}},
		watched,
		page.Panel{Title: "What people see", ID: "people", Parts: []page.Part{page.Facts{{Name: "Number for plumbing", Text: v.Brand.Number}, {Name: "How to reach you", Text: v.Brand.Contact}}}, Note: madeUp(v)},
		page.Panel{Title: "Buyers", Broad: true, Parts: []page.Part{t}},
		page.Panel{Title: "More on the machine", Parts: []page.Part{page.Prose("foyer db status, foyer db check and foyer backup look after the database. GET /health is for machines.")}},
	}
	if v.May(store.RoleOperator) {
		shown.Parts = append(shown.Parts, page.Panel{Title: "Leads in error", ID: "replay", More: &page.Link{Text: "All of them", Href: page.WithQuery(v.Address("/leads"), "status", "error")}, Parts: replayParts(v)})
	}
	return shown, nil
}

// mostListed is how many leads are listed that were left.
const mostListed = 100

// replayParts send many leads in error again, after a failure that hit all of them, and say what became of that.
func replayParts(v *page.Visit) (parts []page.Part) {
	var left []page.Part
	sent := 0
	list, replayed := page.MemberOf(v.Result, "data").([]wire.Object)
	for _, l := range list {
		id, _ := page.MemberOf(l, "lead_id").(string)
		if why, _ := page.MemberOf(l, "left_because").(*string); why == nil {
			sent++
		} else if len(left) < mostListed {
			left = append(left, page.Facts{{Name: page.ShortID(id), Text: page.Short(*why), Href: v.Address("/leads/" + id)}})
		}
	}
	switch {
	case replayed && v.Form.Get("dry_run") == "true":
		parts = append(parts, page.Notice{Tone: "wait", Text: terminal.Count(int64(sent), "lead") + " would be sent again, " + terminal.Number(int64(len(list)-sent)) + " would not. Nothing was sent."})
	case replayed:
		parts = append(parts, page.Notice{Tone: "good", Text: terminal.Count(int64(sent), "lead") + " will be sent again, " + terminal.Number(int64(len(list)-sent)) + " will not."})
	}
	if len(left) > 0 {
		parts = append(parts, page.Folding{Title: "Why some are left", Parts: left})
	}
	f := v.FormFor("/health/replay", page.Form{Title: "Send many again", Submit: "Send again", What: "The contacts of all leads in error that were received in this time go again to the buyers that accepted them. Try it first: tick the first box.", Confirm: "Send the contacts of these leads again. Their buyers may have them already."}, map[string]string{"dry_run": "true"})
	for i, in := range f.Inputs {
		if in.Name != "dry_run" {
			f.Inputs[i].Help += " Such as 2026-11-05 08:30, or 7d."
		}
	}
	return append(parts, f)
}

// madeUp says what people are told that nobody stands behind.
func madeUp(v *page.Visit) string {
	switch {
	case v.Brand.Number == catalog.DefaultNumber:
		return "The number is reserved for fiction: callers reach nobody. Start the service with --plumbing-number, and with --contact for your own address."
	case v.Brand.Contact == catalog.DefaultContact:
		return "The contact is made up: what people write reaches nobody. Start the service with --contact for your own address."
	}
	return ""
}

// backlog is what the jobs behind the intake have not reached.
func backlog(v *page.Visit) (missing, notIndexed int64, err error) {
	err = v.Read(func(tx *store.Tx) (err error) {
		if missing, err = tx.LeadCounts().Missing(); err == nil {
			notIndexed, err = tx.NotIndexed()
		}
		return err
	})
	return missing, notIndexed, err
}
