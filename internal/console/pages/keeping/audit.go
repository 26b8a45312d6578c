package keeping

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"foyer/internal/audit"
	"foyer/internal/console/pages/page"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

const entriesOnPage = 100

// AuditTrail lists who did what, newest first.
func AuditTrail(v *page.Visit) (page.View, error) {
	f := store.AuditFilter{Actor: audit.Actor(v.Query("actor")), Subject: v.Query("subject"), Limit: entriesOnPage + 1}
	if cursor := v.Query("cursor"); cursor != "" {
		var err error
		if f.Before, err = strconv.ParseInt(cursor, 10, 64); err != nil || f.Before < 1 {
			return page.View{}, page.ErrNoPage
		}
	}
	var list []audit.Entry
	if err := v.Read(func(tx *store.Tx) (err error) { list, err = tx.Audit(f); return err }); err != nil {
		return page.View{}, err
	}
	t := page.Table{Caption: "Audit trail", Head: page.Heads("When", "Who", "From", "Did", "To", "Detail"), Empty: "No entry matches.", Go: &page.Link{Text: "Clear the filter", Href: v.Address("/settings/audit")}}
	if len(list) > entriesOnPage {
		list = list[:entriesOnPage]
		t.Next = page.WithQuery(v.Address("/settings/audit"), "actor", string(f.Actor), "subject", f.Subject, "cursor", strconv.FormatInt(list[entriesOnPage-1].Seq, 10))
	}
	for _, e := range list {
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{page.When(e.At), page.To(page.ShortIDs(string(e.Actor)), page.WithQuery(v.Address("/settings/audit"), "actor", string(e.Actor))), page.Tight(page.Soft(clientAddress(e))), page.Tight(page.Text(string(e.Action))), subject(v, e.Subject), {Text: page.ShortIDs(terminal.OneLine(detailText(e.Detail))), Soft: true}}})
	}
	filter := page.Form{Get: true, Row: true, Action: v.Address("/settings/audit"), Submit: "Filter", Inputs: []page.Input{page.TextInput("actor", "Who", string(f.Actor), "such as cli:ada or system"), page.TextInput("subject", "To what", f.Subject, "an id")}}
	return page.View{Title: "Audit trail", Wide: true, Above: []page.Link{{Text: "Settings", Href: v.Address("/settings")}}, Lede: "Who changed what, who looked at persons, and who signed in, newest first.", Parts: []page.Part{page.Panel{Parts: []page.Part{filter}}, page.Panel{Note: "An arrow stands between what was before and what came after. Commands on the machine have no address.", Parts: []page.Part{t}}}}, nil
}

// clientAddress is where somebody was, or "".
func clientAddress(e audit.Entry) string {
	address, _ := e.Detail["address"].(string)
	return address
}

// detailText writes the rest of a detail for people: the names in alphabetical order, and an arrow between before and after.
func detailText(d audit.Detail) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(d)) {
		if name == "address" {
			continue
		}
		value := orNothing(d[name])
		if pair, both := d[name].([]any); both && len(pair) == 2 && name != "filters" {
			value = orNothing(pair[0]) + " → " + orNothing(pair[1])
		}
		list = append(list, strings.ReplaceAll(name, "_", " ")+": "+value)
	}
	return strings.Join(list, "; ")
}

func orNothing(x any) string {
	switch x := x.(type) {
	case string:
		return page.InWords(cmp.Or(x, "nothing"))
	case bool:
		return page.YesNo(x)
	case float64: // any number in JSON
		return strconv.FormatFloat(x, 'f', -1, 64)
	case []any:
		var parts []string
		for _, part := range x {
			parts = append(parts, orNothing(part))
		}
		return strings.Join(parts, ", ")
	}
	return fmt.Sprint(x)
}

// subject is what an entry is about, with a link to all entries about it.
func subject(v *page.Visit, id string) page.Cell {
	if id == "" {
		return page.Soft("")
	}
	return page.To(page.ShortID(id), page.WithQuery(v.Address("/settings/audit"), "subject", id))
}
