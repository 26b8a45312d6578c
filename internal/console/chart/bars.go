package chart

import (
	"fmt"
	"html/template"
)

// Bar is one category. With parts, its value is their sum.
type Bar struct {
	Label string
	Value float64
	Parts []float64
}

// Bars is a chart of horizontal bars by category, in the order given: decline reasons, states, sources.
type Bars struct {
	ID    string // of the element, unique on the page; made from the title if empty
	Title string // read out, and the caption of the table
	Note  string // small text below
	Unit  Unit
	Bars  []Bar
	Parts []string // names of the parts, if bars are split; five have colors of their own
}

// The height of a bar with its label above it.
const (
	barRow    = 40
	barHeight = 6
	barGap    = 10 // below the last one
)

// total is the value of a bar, and false if it is not known.
func (b Bar) total() (float64, bool) {
	if len(b.Parts) == 0 {
		return known(b.Value)
	}
	var sum float64
	for _, part := range b.Parts {
		v, ok := known(part)
		if !ok {
			return 0, false
		}
		sum += v
	}
	return known(sum)
}

// SVG draws the chart. Negative values have a label, but no bar.
func (b Bars) SVG() template.HTML {
	id := elementID(b.ID, b.Title)
	var m markup
	m.open("figure", "class", "chart-figure")
	if len(b.Parts) > 0 {
		m.legend(b.keys())
	}
	m.open("svg", append(described("img", id), "class", "chart chart-bars", "height", integer(max(len(b.Bars), 2)*barRow-barGap))...)
	m.heading(id, b.Title, b.essence())
	if len(b.Bars) == 0 {
		m.element("text", textEmpty, "class", "chart-empty", "x", "50%", "y", integer(barRow), "text-anchor", "middle")
	}
	sum, most := b.sums()
	for i, bar := range b.Bars {
		b.drawRow(&m, bar, i*barRow, sum, most)
	}
	m.close("svg")
	m.note(b.Note)
	m.close("figure")
	return m.html()
}

// drawRow draws a label, its value at the other end of the line, and the bar below both.
func (b Bars) drawRow(m *markup, bar Bar, y int, sum, most float64) {
	v, ok := bar.total()
	m.open("g")
	m.element("title", b.titleOf(bar, sum))
	m.element("text", cut(bar.Label, nameText), "class", "chart-name", "y", integer(y+14))
	m.element("text", b.Unit.cell(v, ok), "class", "chart-value", "x", "100%", "y", integer(y+14), "text-anchor", "end")
	m.empty("rect", "class", "chart-track", "y", integer(y+21), "width", "100%", "height", integer(barHeight), "rx", "3")
	x := 0.
	for i, part := range bar.shares(most) {
		class := "chart-bar"
		if len(bar.Parts) > 0 {
			class = "chart-swatch chart-p" + integer(i%lineColors)
		}
		if part > 0 {
			m.empty("rect", "class", class, "x", percent(x), "y", integer(y+21), "width", percent(part), "height", integer(barHeight), "rx", bar.radius())
		}
		x += part
	}
	m.close("g")
	m.newline()
}

// radius rounds the ends of a bar, but not the seams between its parts.
func (b Bar) radius() string {
	if len(b.Parts) > 1 {
		return "1"
	}
	return "3"
}

// shares are the widths of the parts of a bar, the longest of which fills the width.
func (b Bar) shares(most float64) []float64 {
	parts := b.Parts
	if len(parts) == 0 {
		parts = []float64{b.Value}
	}
	shares := make([]float64, len(parts))
	for i, part := range parts {
		if v, ok := known(part); ok && v > 0 && most > 0 {
			shares[i] = v / most
		}
	}
	return shares
}

// sums are the sum of all bars, and the length of the longest one.
func (b Bars) sums() (sum, most float64) {
	for _, bar := range b.Bars {
		v, _ := bar.total()
		sum += v
		length := 0.
		for _, share := range bar.shares(1) {
			length += share
		}
		most = max(most, length)
	}
	return sum, most
}

// titleOf is what a bar says: its value, its share of all bars, and its parts.
func (b Bars) titleOf(bar Bar, sum float64) string {
	v, ok := bar.total()
	text := cut(bar.Label, longText) + ": " + b.Unit.cell(v, ok)
	if b.Unit.adds() && v > 0 && sum > 0 {
		text += fmt.Sprintf(" (%s)", Percent.text(100*v/sum))
	}
	for i, part := range bar.Parts {
		if v, ok := known(part); ok && v != 0 {
			text += ", " + b.partName(i) + " " + b.Unit.text(v)
		}
	}
	return cut(text, 2*longText)
}

func (b Bars) partName(i int) string {
	if i < len(b.Parts) {
		return cut(b.Parts[i], nameText)
	}
	return textValue
}

func (b Bars) keys() []key {
	keys := make([]key, len(b.Parts))
	for i, name := range b.Parts {
		keys[i] = key{class: "chart-swatch chart-p" + integer(i%lineColors), name: name}
	}
	return keys
}

// essence says the sum, the longest and the shortest bar.
func (b Bars) essence() string {
	points := make([]Point, len(b.Bars))
	for i, bar := range b.Bars {
		v, _ := bar.total()
		points[i] = Point{bar.Label, v}
	}
	return Series{Points: points}.essence(b.Unit)
}

// Table lists the same values.
func (b Bars) Table() template.HTML {
	headings := []string{textName, textValue}
	if len(b.Parts) > 0 {
		headings = append(append([]string{textName}, b.Parts...), textTotal)
	}
	var m markup
	m.openTable(b.Title, headings...)
	for _, bar := range b.Bars {
		var cells []string
		for i := range b.Parts {
			v, ok := 0., i < len(bar.Parts)
			if ok {
				v, ok = known(bar.Parts[i])
			}
			cells = append(cells, b.Unit.cell(v, ok))
		}
		v, ok := bar.total()
		m.row(bar.Label, append(cells, b.Unit.cell(v, ok)))
	}
	return m.closeTable(len(b.Bars), len(headings))
}
