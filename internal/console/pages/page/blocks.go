package page

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// On a narrow screen a row is a block, in which each value has the heading of its column as a label.

// shortText is how long a text may be to stand beside others there.
const shortText = 11

// Labeled are the rows with what they need to be blocks. A block is named by the first cell that leads somewhere, or by its first text.
func (t Table) Labeled() []Row {
	list := make([]Row, len(t.Rows))
	for i, r := range t.Rows {
		list[i] = Row{slices.Clone(r.Cells), r.Href}
		if t.Cards {
			continue
		}
		for j := range min(len(r.Cells), len(t.Head)) {
			list[i].Cells[j].Label = t.Head[j].Text
		}
		name := slices.IndexFunc(r.Cells, func(c Cell) bool { return c.Href != "" })
		if name < 0 {
			name = slices.IndexFunc(r.Cells, func(c Cell) bool { return c.At.IsZero() && !c.Right && c.Tone == "" })
		}
		if name >= 0 {
			list[i].Cells[name].name = true
		}
	}
	return list
}

// Class is how a cell looks.
func (c Cell) Class() string {
	var list []string
	add := func(class string, has bool) {
		if has {
			list = append(list, class)
		}
	}
	add("right", c.Right)
	add("soft", c.Soft)
	add("tight", c.Tight)
	add("name", c.name)
	add("none", c.Text == "" && c.HTML == "" && c.At.IsZero())
	add("wide", c.HTML != "" || utf8.RuneCountInString(c.Text) > shortText)
	return strings.Join(list, " ")
}
