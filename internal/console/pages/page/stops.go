package page

import (
	"cmp"
	"fmt"

	"foyer/internal/operator/query"
)

// RouteParts shows a route. Beside another one, it has fewer columns, and says whose terms are edited.
func (v *Visit) RouteParts(r query.Route, caption, edited string) []Part {
	beside := caption != "Buyers"
	var parts []Part
	if r.Lead != nil {
		parts = append(parts, Facts{{Name: "Lead", Text: r.Lead.ID, Href: v.Address("/leads/" + r.Lead.ID)}, {Name: "Status", Text: InWords(string(r.Lead.Status))}})
	}
	if r.Nobody != "" {
		return append(parts, Notice{Tone: "wait", Text: "No buyer is asked: " + InWords(r.Nobody) + "."})
	}
	t := Table{Caption: caption, Keys: true, Head: Heads("Asked", "Buyer", ">Priority", "Last asked", "Rule", "Why"), Empty: "No buyer is asked: there are none yet.", Go: &Link{"Add one", v.Address("/buyers#add")}}
	if beside {
		t.Head = Heads("Asked", "Buyer", ">Priority", "Why")
	}
	for _, s := range r.Stops {
		asked := Tagged("no", "soft")
		if s.Place > 0 {
			asked = Tagged(fmt.Sprint(s.Place), "good")
		}
		href := v.Address("/buyers/" + s.Buyer.ID)
		why := s.Exclusion.Reason
		if !s.Exclusion.Until.IsZero() {
			why += ", until " + v.Clock(s.Exclusion.Until)
		}
		if why == "" && s.Note != "" {
			why = "wants " + s.Note
		}
		cells := []Cell{asked, To(cmp.Or(s.Buyer.Terms.Name, s.Buyer.ID), href), Count(int64(s.Buyer.Terms.Priority)), When(s.Asked), Soft(string(s.Exclusion.Rule)), Soft(InWords(why))}
		if beside {
			cells = []Cell{cells[0], cells[1], cells[2], cells[5]}
			if edited == s.Buyer.ID {
				cells[1].Text += " (edited)"
			}
		}
		t.Rows = append(t.Rows, Row{cells, href})
	}
	return append(parts, t)
}
