package page

import (
	"html/template"
	"strconv"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/terminal"
)

// Table is a list of things.
type Table struct {
	Caption string
	Head    []Column
	Rows    []Row
	Empty   string
	Go      *Link // what to do if it is empty
	Next    string
	Keys    bool // j and k move through its rows
	Live    bool // new leads appear in it
	Cards   bool // on a narrow screen its rows are blocks without labels: the columns are those of leads
}

func (Table) template() string { return "table" }

// Column is the head of a column.
type Column struct {
	Text  string
	Right bool
}

// Row is a row of a table.
type Row struct {
	Cells []Cell
	Href  string // where enter leads
}

// Cell is a cell of a row. It has a text, HTML or a time.
type Cell struct {
	Text  string
	HTML  template.HTML // in place of the text
	Href  string
	Tone  string // as a tag
	At    time.Time
	Right bool
	Soft  bool
	Title string
	Tight bool   // it stays on one line
	Label string // of its column, for a narrow screen
	name  bool   // it names the row
}

// Heads makes columns of words. One that begins with > is right-aligned.
func Heads(words ...string) (list []Column) {
	for _, w := range words {
		text, right := strings.CutPrefix(w, ">")
		list = append(list, Column{text, right})
	}
	return list
}

// Text is a cell with a text. The others are a text that matters less, one that leads somewhere, a state with its tone, a time, a text at the
// right, a number and an amount.
func Text(s string) Cell            { return Cell{Text: Short(s)} }
func Soft(s string) Cell            { return Cell{Text: Short(s), Soft: true} }
func To(s, href string) Cell        { return Cell{Text: Short(s), Href: href} }
func Tagged(s, tone string) Cell    { return Cell{Text: s, Tone: tone} }
func When(t time.Time) Cell         { return Cell{At: t} }
func Right(s string) Cell           { return Cell{Text: s, Right: true} }
func Count(n int64) Cell            { return Cell{Text: terminal.Number(n), Right: true, Soft: n == 0} }
func Money(c buyer.Cents) Cell      { return Cell{Text: c.String(), Right: true, Soft: c == 0} }
func Tight(c Cell) Cell             { c.Tight = true; return c }
func (c Cell) Linked(h string) Cell { c.Href = h; return c }

// Percent is a share, or a dash if there is nothing to share.
func Percent(part, of int64) string {
	if of == 0 {
		return "–"
	}
	return strconv.FormatInt((part*100+of/2)/of, 10) + " %"
}

// maxText is how much of a text a list shows. Names and answers of others may be as long as they like.
const maxText = 120

// Short is a text as a list shows it: on one line, and not too long.
func Short(s string) string {
	s = terminal.OneLine(s)
	if runes := []rune(s); len(runes) > maxText {
		return string(runes[:maxText-1]) + "…"
	}
	return s
}
