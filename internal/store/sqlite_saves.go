package store

import (
	"slices"
	"strconv"
	"strings"
)

// sheets are the numbers of leads that one statement keeps on SQLite, the largest first. A statement for many takes a sixth
// less of the writer for each of them than one for one.
var sheets = [...]sheet{newSheet(16), newSheet(4), newSheet(1)}

// sheet is a statement that keeps a number of leads.
type sheet struct {
	leads int
	query string
}

func newSheet(leads int) sheet {
	columns := strings.Count(leadColumns, ",") + 1
	var rows strings.Builder
	for place := range leads * columns {
		switch {
		case place == 0:
			rows.WriteString("(")
		case place%columns == 0:
			rows.WriteString("), (")
		default:
			rows.WriteString(", ")
		}
		rows.WriteString("$" + strconv.Itoa(place+1))
	}
	return sheet{leads, "INSERT INTO leads (" + leadColumns + ") VALUES " + rows.String() + ")"}
}

// saveLeads keeps leads, and puts those on their way that are to go. Their keys, if they came with any, were seen to before.
func (h *hand) saveLeads(leads []*save) error {
	for _, s := range sheets {
		for ; len(leads) >= s.leads; leads = leads[s.leads:] {
			if err := h.saveSheet(s, leads[:s.leads]); err != nil {
				return err
			}
		}
	}
	return nil
}

// saveSheet keeps as many leads as the statement is for. One connection writes, so their numbers follow one another.
func (h *hand) saveSheet(s sheet, leads []*save) error {
	h.args = h.args[:0]
	for _, x := range leads {
		h.args, h.newest = append(h.args, x.args...), x.id
	}
	last, err := h.insert(s.query, h.args...)
	if err != nil || !slices.ContainsFunc(leads, func(x *save) bool { return x.received }) {
		return err
	}
	return h.exec(queueReceived, last-int64(len(leads)), last)
}
