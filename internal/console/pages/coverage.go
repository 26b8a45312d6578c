package pages

import (
	"cmp"
	"fmt"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/console/chart"
	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

// coverage shows where people ask and nobody buys: a map of the states, and the table it is drawn from. A state narrows it to ZIP codes.
func (v *visit) coverage() (view, error) {
	from, to, state, by := v.query("from"), v.query("to"), strings.ToUpper(v.query("state")), cmp.Or(v.query("show"), "uncovered")
	shown := view{Title: "Coverage", Wide: true}
	if err := v.tellPractice(&shown); err != nil {
		return shown, err
	}
	if _, known := mapValues[by]; !known {
		by = mapKinds[0]
	}
	filter := v.rangeForm("/coverage", from, to, pair{"state", state}, nil, "")
	filter.Inputs[0].Help, filter.Inputs[1].Help = "A month, such as 2026-10. Default: this one", "A month. Default: the same"
	var states, zips []query.LeadsRow
	var all query.LeadsRow
	var r query.ReportRange
	err := v.read(func(tx *store.Tx) (err error) {
		if r, err = query.NewReportRange(tx, from, to, v.Now()); err != nil {
			return err
		}
		if states, all, err = query.CoverageReport(tx, r, query.CoverageFilter{By: "state", Sort: by}); err != nil || state == "" {
			return err
		}
		f, err := query.NewCoverageFilter("zip", "", state)
		if err != nil {
			return err
		}
		f.Sort, f.Limit = by, 60
		zips, _, err = query.CoverageReport(tx, r, f)
		return err
	})
	if problem := asProblem(err); problem != nil && problem.Kind == lead.NotFound {
		shown.Parts = append(shown.Parts, v.nothingCounted())
		return shown, nil
	} else if problem != nil {
		filter.Problem = problem.Message
		shown.Parts = []part{panel{Parts: []part{filter}}}
		return shown, nil
	}
	if err != nil {
		return shown, err
	}
	uncovered := all.Outcomes[buyer.OutcomeUncovered]
	shown.Stats = []stat{
		{Label: "Demand", Value: terminal.Number(all.Demand()), Note: "leads that could have been sold"},
		{Label: "Nobody covers", Value: terminal.Number(uncovered), Note: percent(uncovered, all.Demand()) + " of demand"},
		{Label: "Sold", Value: percent(all.Outcomes[buyer.OutcomeSold], all.Demand()), Note: "of demand"},
		{Label: "Revenue", Value: all.Revenue.String(), Note: "of these leads, less credits"},
	}
	shown.Parts = append(shown.Parts, panel{Parts: []part{filter}}, v.tabs("/coverage", "show", by, mapKinds, "state", state, "from", from, "to", to),
		panel{Title: "States, " + monthRange(r.From[:7], r.To[:7]), Note: v.countedNote("by whole months, when leads were received", r), Parts: []part{v.stateMap(states, state, by, from, to), v.coverageTable("State", states, func(key string) string {
			return withQuery(v.address("/coverage"), "state", key, "show", by, "from", from, "to", to)
		})}})
	if state != "" {
		shown.Parts = append(shown.Parts, panel{Title: "ZIP codes in " + state, Note: zipNotes[by], ID: "zips", Parts: []part{v.coverageTable("ZIP", zips, func(key string) string {
			return withQuery(v.address("/leads"), "zip", key)
		})}})
	}
	return shown, nil
}

func monthRange(from, to string) string {
	if from == to {
		return from
	}
	return from + " to " + to
}

// mapKinds are what the map can show, and mapValues how that is read from a state. Of a state without demand no share is covered or not.
var (
	mapKinds  = []string{"uncovered", "covered", "demand", "revenue"}
	mapValues = map[string]func(r query.LeadsRow) (value float64, unit chart.Unit){
		"uncovered": func(r query.LeadsRow) (float64, chart.Unit) {
			return float64(r.Outcomes[buyer.OutcomeUncovered]), chart.Count
		},
		"covered": func(r query.LeadsRow) (float64, chart.Unit) {
			return 100 * (1 - float64(r.Outcomes[buyer.OutcomeUncovered])/float64(r.Demand())), chart.Percent
		},
		"demand":  func(r query.LeadsRow) (float64, chart.Unit) { return float64(r.Demand()), chart.Count },
		"revenue": func(r query.LeadsRow) (float64, chart.Unit) { return float64(r.Revenue), chart.Cents },
	}
)

// zipNotes say which ZIP codes of a state are listed.
var zipNotes = map[string]string{
	"uncovered": "Those with the most leads that nobody covers.",
	"covered":   "Those with the most leads that nobody covers.",
	"demand":    "Those with the most demand.",
	"revenue":   "Those that brought in the most.",
}

func (v *visit) stateMap(states []query.LeadsRow, selected, by, from, to string) part {
	m := chart.Map{Title: "States by " + by, Selected: selected}
	for _, s := range states {
		if s.Key == "" {
			continue
		}
		uncovered := s.Outcomes[buyer.OutcomeUncovered]
		state := chart.State{
			Code: s.Key, Href: withQuery(v.address("/coverage"), "state", s.Key, "show", by, "from", from, "to", to) + "#zips",
			Text: fmt.Sprintf("%s, %s sold, %s nobody covers, %s", terminal.Count(s.Demand(), "lead"), percent(s.Outcomes[buyer.OutcomeSold], s.Demand()), percent(uncovered, s.Demand()), s.Revenue),
		}
		state.Value, m.Unit = mapValues[by](s)
		m.States = append(m.States, state)
	}
	return figure{m.SVG()}
}

func (v *visit) coverageTable(name string, list []query.LeadsRow, href func(key string) string) table {
	t := table{Caption: "Coverage by " + strings.ToLower(name), Keys: true, Head: heads(name, ">Demand", ">Sold", ">Revenue", ">Uncovered", ">No money", ">Capped", ">Closed hours", ">Unanswered", ">Paused", ">Declined"), Empty: "No lead in this range.", Go: v.testLeadLink()}
	for _, x := range list {
		key := to(cmp.Or(x.Key, "unknown"), href(x.Key))
		if x.Key == "" {
			key = text("unknown")
		}
		cells := []cell{key, count(x.Demand()), right(percent(x.Outcomes[buyer.OutcomeSold], x.Demand())), money(x.Revenue)}
		for _, o := range []buyer.Outcome{buyer.OutcomeUncovered, buyer.OutcomeNoMoney, buyer.OutcomeCapped, buyer.OutcomeAfterHours, buyer.OutcomeUnanswered, buyer.OutcomePaused, buyer.OutcomeDeclined} {
			cells = append(cells, count(x.Outcomes[o]))
		}
		t.Rows = append(t.Rows, row{Cells: cells, Href: key.Href})
	}
	return t
}
