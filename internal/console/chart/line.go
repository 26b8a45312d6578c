package chart

import "html/template"

// Line is a chart of several series as lines, such as the time in which half and 95 % of offers were answered.
type Line struct {
	ID            string // of the element, unique on the page; made from the title if empty
	Title         string // read out, and the caption of the table
	Note          string // small text below
	Unit          Unit
	Series        []Series // of the same positions; five have colors of their own
	Width, Height int      // 720 by 220 if zero; for a card of half the width, 360 by 180
}

// SVG draws the chart.
func (l Line) SVG() template.HTML {
	p := plot{id: elementID(l.ID, l.Title), title: l.Title, note: l.Note, unit: l.Unit, lines: l.Series, width: l.Width, height: l.Height}
	p.essence = essences(l.Unit, l.Series)
	return p.html()
}

// Table lists the same values.
func (l Line) Table() template.HTML { return seriesTable(l.Title, l.Unit, l.Series) }
