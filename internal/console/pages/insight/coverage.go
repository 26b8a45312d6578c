package insight

import (
	"cmp"
	"fmt"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/console/chart"
	"foyer/internal/console/pages/page"
	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

// Coverage shows where people ask and nobody buys: a map of the states, and the table it is drawn from. A state narrows it to ZIP codes.
func Coverage(v *page.Visit) (page.View, error) {
	from, to, state, by := v.Query("from"), v.Query("to"), strings.ToUpper(v.Query("state")), cmp.Or(v.Query("show"), "uncovered")
	shown := page.View{Title: "Coverage", Wide: true}
	if err := v.TellPractice(&shown); err != nil {
		return shown, err
	}
	if _, known := mapValues[by]; !known {
		by = mapKinds[0]
	}
	filter := rangeForm(v, "/coverage", from, to, page.Pair{Name: "state", Value: state}, nil, "")
	filter.Inputs[0].Help, filter.Inputs[1].Help = "A month, such as 2026-10. Default: this one", "A month. Default: this one"
	var states, zips []query.LeadsRow
	var all query.LeadsRow
	var r query.ReportRange
	err := v.Read(func(tx *store.Tx) (err error) {
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
	if problem := page.AsProblem(err); problem != nil && problem.Kind == lead.NotFound {
		shown.Parts = append(shown.Parts, nothingCounted(v))
		return shown, nil
	} else if problem != nil {
		filter.Problem = problem.Message
		shown.Parts = []page.Part{page.Panel{Parts: []page.Part{filter}}}
		return shown, nil
	}
	if err != nil {
		return shown, err
	}
	uncovered := all.Outcomes[buyer.OutcomeUncovered]
	shown.Stats = []page.Stat{
		{Label: "Demand", Value: terminal.Number(all.Demand()), Note: "leads that could have been sold"},
		{Label: "Nobody covers", Value: terminal.Number(uncovered), Note: page.Percent(uncovered, all.Demand()) + " of demand"},
		{Label: "Sold", Value: page.Percent(all.Outcomes[buyer.OutcomeSold], all.Demand()), Note: "of demand"},
		{Label: "Revenue", Value: all.Revenue.String(), Note: "of these leads, less credits"},
	}
	shown.Parts = append(shown.Parts, page.Panel{Parts: []page.Part{filter}}, v.Tabs("/coverage", "show", by, mapKinds, "state", state, "from", from, "to", to),
		page.Panel{Title: "States, " + monthRange(r.From[:7], r.To[:7]), Note: countedNote(v, "by whole months, when leads were received", r), Parts: []page.Part{stateMap(v, states, state, by, from, to), coverageTable(v, "State", states, func(key string) string {
			return page.WithQuery(v.Address("/coverage"), "state", key, "show", by, "from", from, "to", to)
		})}})
	if state != "" {
		shown.Parts = append(shown.Parts, page.Panel{Title: "ZIP codes in " + state, Note: zipNotes[by], ID: "zips", Parts: []page.Part{coverageTable(v, "ZIP", zips, func(key string) string {
			return page.WithQuery(v.Address("/leads"), "zip", key)
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

func stateMap(v *page.Visit, states []query.LeadsRow, selected, by, from, to string) page.Part {
	m := chart.Map{Title: "States by " + by, Selected: selected}
	for _, s := range states {
		if s.Key == "" {
			continue
		}
		uncovered := s.Outcomes[buyer.OutcomeUncovered]
		state := chart.State{
			Code: s.Key, Href: page.WithQuery(v.Address("/coverage"), "state", s.Key, "show", by, "from", from, "to", to) + "#zips",
			Text: fmt.Sprintf("%s, %s sold, %s nobody covers, %s", terminal.Count(s.Demand(), "lead"), page.Percent(s.Outcomes[buyer.OutcomeSold], s.Demand()), page.Percent(uncovered, s.Demand()), s.Revenue),
		}
		state.Value, m.Unit = mapValues[by](s)
		m.States = append(m.States, state)
	}
	return page.Figure{SVG: m.SVG()}
}

func coverageTable(v *page.Visit, name string, list []query.LeadsRow, href func(key string) string) page.Table {
	t := page.Table{Caption: "Coverage by " + strings.ToLower(name), Keys: true, Head: page.Heads(name, ">Demand", ">Sold", ">Revenue", ">Uncovered", ">No money", ">Capped", ">Closed hours", ">Unanswered", ">Paused", ">Declined"), Empty: "No lead in this range.", Go: allLeads(v)}
	for _, x := range list {
		key := page.To(cmp.Or(x.Key, "unknown"), href(x.Key))
		if x.Key == "" {
			key = page.Text("unknown")
		}
		cells := []page.Cell{key, page.Count(x.Demand()), page.Right(page.Percent(x.Outcomes[buyer.OutcomeSold], x.Demand())), page.Money(x.Revenue)}
		for _, o := range []buyer.Outcome{buyer.OutcomeUncovered, buyer.OutcomeNoMoney, buyer.OutcomeCapped, buyer.OutcomeAfterHours, buyer.OutcomeUnanswered, buyer.OutcomePaused, buyer.OutcomeDeclined} {
			cells = append(cells, page.Count(x.Outcomes[o]))
		}
		t.Rows = append(t.Rows, page.Row{Cells: cells, Href: key.Href})
	}
	return t
}
