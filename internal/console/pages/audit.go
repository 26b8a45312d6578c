package pages

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"foyer/internal/audit"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

const entriesOnPage = 100

// auditTrail lists who did what, newest first.
func (v *visit) auditTrail() (view, error) {
	f := store.AuditFilter{Actor: audit.Actor(v.query("actor")), Subject: v.query("subject"), Limit: entriesOnPage + 1}
	if cursor := v.query("cursor"); cursor != "" {
		var err error
		if f.Before, err = strconv.ParseInt(cursor, 10, 64); err != nil || f.Before < 1 {
			return view{}, errNoPage
		}
	}
	var list []audit.Entry
	if err := v.read(func(tx *store.Tx) (err error) { list, err = tx.Audit(f); return err }); err != nil {
		return view{}, err
	}
	t := table{Caption: "Audit trail", Head: heads("When", "Who", "From", "Did", "To", "Detail"), Empty: "No entry matches.", Go: &link{"Clear the filter", v.address("/settings/audit")}}
	if len(list) > entriesOnPage {
		list = list[:entriesOnPage]
		t.Next = withQuery(v.address("/settings/audit"), "actor", string(f.Actor), "subject", f.Subject, "cursor", strconv.FormatInt(list[entriesOnPage-1].Seq, 10))
	}
	for _, e := range list {
		t.Rows = append(t.Rows, row{Cells: []cell{when(e.At), to(shortIDs(string(e.Actor)), withQuery(v.address("/settings/audit"), "actor", string(e.Actor))), tight(soft(clientAddress(e))), tight(text(string(e.Action))), v.subject(e.Subject), {Text: terminal.OneLine(detailText(e.Detail)), Soft: true}}})
	}
	filter := form{Get: true, Row: true, Action: v.address("/settings/audit"), Submit: "Filter", Inputs: []input{field("actor", "Who", string(f.Actor), "such as cli:ada or system"), field("subject", "To what", f.Subject, "an id")}}
	return view{Title: "Audit trail", Wide: true, Above: []link{{"Settings", v.address("/settings")}}, Lede: "Who changed what, who looked at persons, and who signed in, newest first.", Parts: []part{panel{Parts: []part{filter}}, panel{Note: "An arrow stands between what was before and what came after. Commands on the machine have no address.", Parts: []part{t}}}}, nil
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
		return cmp.Or(x, "nothing")
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
func (v *visit) subject(id string) cell {
	if id == "" {
		return soft("")
	}
	return to(shortID(id), withQuery(v.address("/settings/audit"), "subject", id))
}
