package pages

import (
	"cmp"
	"fmt"

	"foyer/internal/operator/query"
)

// routeParts shows a route. Beside another one, it has fewer columns, and says whose terms are edited.
func (v *visit) routeParts(r query.Route, caption, edited string) []part {
	beside := caption != "Buyers"
	var parts []part
	if r.Lead != nil {
		parts = append(parts, facts{{Name: "Lead", Text: r.Lead.ID, Href: v.address("/leads/" + r.Lead.ID)}, {Name: "Status", Text: string(r.Lead.Status)}})
	}
	if r.Nobody != "" {
		return append(parts, notice{Tone: "wait", Text: "No buyer is asked: " + r.Nobody + "."})
	}
	t := table{Caption: caption, Keys: true, Head: heads("Asked", "Buyer", ">Priority", "Last asked", "Rule", "Why"), Empty: "No buyer is asked: there are none yet.", Go: &link{"Add one", v.address("/buyers#add")}}
	if beside {
		t.Head = heads("Asked", "Buyer", ">Priority", "Why")
	}
	for _, s := range r.Stops {
		asked := tagged("no", "soft")
		if s.Place > 0 {
			asked = tagged(fmt.Sprint(s.Place), "good")
		}
		href := v.address("/buyers/" + s.Buyer.ID)
		why := s.Exclusion.Reason
		if !s.Exclusion.Until.IsZero() {
			why += ", until " + v.clock(s.Exclusion.Until)
		}
		if why == "" && s.Note != "" {
			why = "wants " + s.Note
		}
		cells := []cell{asked, to(cmp.Or(s.Buyer.Terms.Name, s.Buyer.ID), href), count(int64(s.Buyer.Terms.Priority)), when(s.Asked), soft(string(s.Exclusion.Rule)), soft(why)}
		if beside {
			cells = []cell{cells[0], cells[1], cells[2], cells[5]}
			if edited == s.Buyer.ID {
				cells[1].Text += " (edited)"
			}
		}
		t.Rows = append(t.Rows, row{cells, href})
	}
	return append(parts, t)
}
