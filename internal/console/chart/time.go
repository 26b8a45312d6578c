package chart

import "html/template"

// Time is a chart of bars over time. If there is a series of before, it is a line above them, such as the same days last week.
type Time struct {
	ID            string // of the element, unique on the page; made from the title if empty
	Title         string // read out, and the caption of the table
	Note          string // small text below: the zone, or what is compared
	Unit          Unit
	Now           Series
	Before        *Series
	Width, Height int // 720 by 220 if zero; for a card of half the width, 360 by 180
}

// SVG draws the chart.
func (t Time) SVG() template.HTML {
	p := plot{id: elementID(t.ID, t.Title), title: t.Title, note: t.Note, unit: t.Unit, bars: &t.Now, width: t.Width, height: t.Height}
	if t.Before != nil {
		p.lines = []Series{*t.Before}
	}
	p.essence = essences(t.Unit, t.series())
	return p.html()
}

// Table lists the same values.
func (t Time) Table() template.HTML { return seriesTable(t.Title, t.Unit, t.series()) }

func (t Time) series() []Series {
	if t.Before == nil {
		return []Series{t.Now}
	}
	return []Series{t.Now, *t.Before}
}
