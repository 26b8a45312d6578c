package pages

import (
	"runtime"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/catalog"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// Health is how the process does that answers.
type Health struct {
	Database, Version, Revision string
	Started                     time.Time
	Due                         int // messages that are due to be sent, up to MostDue in each queue
}

// MostDue is how many messages are counted in a queue: more is many.
const MostDue = 1000

// health says whether the service does its work: what is due, what is not counted yet, who does not answer.
func (v *visit) health() (view, error) {
	shown := view{Title: "Health"}
	h, err := v.Health(v.ctx)
	if err != nil {
		return shown, err
	}
	missing, notIndexed, err := v.backlog()
	if err != nil {
		return shown, err
	}
	buyers, err := v.Operator.List(v.ctx)
	if err != nil {
		return shown, err
	}
	watched, err := v.watched()
	if err != nil {
		return shown, err
	}
	silent := 0
	t := table{Caption: "Buyers", Keys: true, Head: heads("Buyer", "State", ">Failures in a row", "Last asked", "Not asked until"), Empty: "No buyer yet."}
	for _, b := range buyers {
		if b.State == buyer.Active && b.Health.Failures > 0 {
			silent++
		}
		href := v.address("/buyers/" + b.ID)
		t.Rows = append(t.Rows, row{[]cell{to(b.Terms.Name, href), tagged(report.StateNow(b), stateTone(b)), count(int64(b.Health.Failures)), when(b.Health.Asked), when(b.Health.OpenUntil)}, href})
	}
	shown.Stats = []stat{
		{Label: "Due to be sent", Value: terminal.Number(int64(h.Due)), Note: "offers and contacts"},
		{Label: "Not counted yet", Value: terminal.Number(missing), Note: "rows that reports lack"},
		{Label: "Not searchable yet", Value: terminal.Number(notIndexed), Note: "leads and attempts"},
		{Label: "Buyers that fail", Value: terminal.Number(int64(silent))},
	}
	shown.Parts = []part{
		panel{Title: "This process", Parts: []part{facts{
			{Name: "Version", Text: h.Version}, {Name: "Revision", Text: h.Revision}, {Name: "Started", At: h.Started}, {Name: "Database", Text: h.Database}, {Name: "Go", Text: runtime.Version()},
		}}},
		watched,
		panel{Title: "What people see", ID: "people", Parts: []part{facts{{Name: "Number for plumbing", Text: v.Brand.Number}, {Name: "How to reach you", Text: v.Brand.Contact}}}, Note: v.madeUp()},
		panel{Title: "Buyers", Broad: true, Parts: []part{t}},
		panel{Title: "More on the machine", Parts: []part{prose("foyer db status, foyer db check and foyer backup look after the database. GET /health is for machines.")}},
	}
	if v.may(operates) {
		shown.Parts = append(shown.Parts, panel{Title: "Leads in error", ID: "replay", More: &link{"All of them", withQuery(v.address("/leads"), "status", "error")}, Parts: v.replayParts()})
	}
	return shown, nil
}

// replayParts send many leads in error again, after a failure that hit all of them, and say what became of that.
func (v *visit) replayParts() (parts []part) {
	var left []part
	sent := 0
	list, replayed := member(v.result, "data").([]wire.Object)
	for _, l := range list {
		id, _ := member(l, "lead_id").(string)
		if why, _ := member(l, "left_because").(*string); why == nil {
			sent++
		} else if len(left) < enough {
			left = append(left, facts{{Name: shortID(id), Text: short(*why), Href: v.address("/leads/" + id)}})
		}
	}
	switch {
	case replayed && v.form.Get("dry_run") == "true":
		parts = append(parts, notice{Tone: "wait", Text: terminal.Count(int64(sent), "lead") + " would be sent again, " + terminal.Number(int64(len(list)-sent)) + " would not. Nothing was sent."})
	case replayed:
		parts = append(parts, notice{Tone: "good", Text: terminal.Count(int64(sent), "lead") + " will be sent again, " + terminal.Number(int64(len(list)-sent)) + " will not."})
	}
	if len(left) > 0 {
		parts = append(parts, folding{Title: "Why some are left", Parts: left})
	}
	f := v.formFor("/health/replay", form{Title: "Send many again", Submit: "Send again", What: "The contacts of all leads in error that were received in this time go again to the buyers that accepted them. Try it first: tick the first box.", Confirm: "Send the contacts of these leads again. Their buyers may have them already."}, map[string]string{"dry_run": "true"})
	for i, in := range f.Inputs {
		if in.Name != "dry_run" {
			f.Inputs[i].Help += " Such as 2026-11-05 08:30, or 7d."
		}
	}
	return append(parts, f)
}

// madeUp says what people are told that nobody stands behind.
func (v *visit) madeUp() string {
	switch {
	case v.Brand.Number == catalog.DefaultNumber:
		return "The number is reserved for fiction: callers reach nobody. Start the service with --plumbing-number, and with --contact for your own address."
	case v.Brand.Contact == catalog.DefaultContact:
		return "The contact is made up: what people write reaches nobody. Start the service with --contact for your own address."
	}
	return ""
}

// backlog is what the jobs behind the intake have not reached.
func (v *visit) backlog() (missing, notIndexed int64, err error) {
	err = v.read(func(tx *store.Tx) (err error) {
		if missing, err = tx.LeadCounts().Missing(); err == nil {
			notIndexed, err = tx.NotIndexed()
		}
		return err
	})
	return missing, notIndexed, err
}
