package pages

import (
	"html/template"
	"strconv"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/terminal"
)

// table is a list of things.
type table struct {
	Caption string
	Head    []column
	Rows    []row
	Empty   string
	Go      *link // what to do if it is empty
	Next    string
	Keys    bool // j and k move through its rows
	Live    bool // new leads appear in it
	Cards   bool // on a narrow screen a row is a block: the columns are those of leads
}

func (table) template() string { return "table" }

type column struct {
	Text  string
	Right bool
}

type row struct {
	Cells []cell
	Href  string // where enter leads
}

type cell struct {
	Text  string
	HTML  template.HTML // in place of the text
	Href  string
	Tone  string // as a tag
	At    time.Time
	Right bool
	Soft  bool
	Title string
	Tight bool // it stays on one line
}

// heads makes columns of words. One that begins with > is right-aligned.
func heads(words ...string) (list []column) {
	for _, w := range words {
		text, right := strings.CutPrefix(w, ">")
		list = append(list, column{text, right})
	}
	return list
}

func text(s string) cell { return cell{Text: short(s)} }

func soft(s string) cell { return cell{Text: short(s), Soft: true} }

func to(s, href string) cell { return cell{Text: short(s), Href: href} }

func tagged(s, tone string) cell { return cell{Text: s, Tone: tone} }

func when(t time.Time) cell { return cell{At: t} }

func right(s string) cell { return cell{Text: s, Right: true} }

func count(n int64) cell { return cell{Text: terminal.Number(n), Right: true, Soft: n == 0} }

func money(c buyer.Cents) cell { return cell{Text: c.String(), Right: true, Soft: c == 0} }

func tight(c cell) cell { c.Tight = true; return c }

func (c cell) linked(h string) cell { c.Href = h; return c }

// percent is a share, or a dash if there is nothing to share.
func percent(part, of int64) string {
	if of == 0 {
		return "–"
	}
	return strconv.FormatInt((part*100+of/2)/of, 10) + " %"
}

// maxText is how much of a text a list shows. Names and answers of others may be as long as they like.
const maxText = 120

func short(s string) string {
	s = terminal.OneLine(s)
	if runes := []rune(s); len(runes) > maxText {
		return string(runes[:maxText-1]) + "…"
	}
	return s
}
