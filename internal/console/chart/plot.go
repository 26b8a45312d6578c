package chart

import (
	"html/template"
	"math"
	"strings"
)

// The height of what stands above and below the plot, in pixels.
const (
	plotTop    = 8
	plotBottom = 24
)

// plot is what Time and Line share: a frame with two axes, bars and lines in it.
type plot struct {
	id, title, essence, note string
	unit                     Unit
	bars                     *Series // drawn from the zero line
	lines                    []Series
	width, height            int
	axis                     axis
	positions                int // along the x axis
	labels                   []string
}

// series are all that are drawn, the bars first.
func (p *plot) series() []Series {
	if p.bars == nil {
		return p.lines
	}
	return append([]Series{*p.bars}, p.lines...)
}

// html draws the plot with its legend above and its note below.
func (p *plot) html() template.HTML {
	p.prepare()
	var m markup
	m.open("figure", "class", "chart-figure")
	if len(p.series()) > 1 {
		m.legend(p.keys())
	}
	p.draw(&m)
	m.note(p.note)
	m.close("figure")
	return m.html()
}

// draw draws the plot alone.
func (p *plot) draw(m *markup) {
	class := "chart chart-axes"
	if p.isEmpty() {
		class = "chart"
	}
	m.open("svg", append(described("img", p.id), "class", class, "height", integer(p.height))...)
	m.heading(p.id, p.title, p.essence)
	if p.isEmpty() {
		m.element("text", textEmpty, "class", "chart-empty", "x", "50%", "y", integer(p.height/2), "text-anchor", "middle")
	} else {
		p.drawGrid(m)
		p.drawPositions(m)
		p.drawPaths(m)
		p.drawLabels(m)
	}
	m.close("svg")
}

// prepare chooses sizes, labels and the axis.
func (p *plot) prepare() {
	if p.width <= 0 {
		p.width = 720
	}
	if p.height <= 0 {
		p.height = 220
	}
	p.width, p.height = max(p.width, 120), max(p.height, 80)
	var low, high float64
	for _, s := range p.series() {
		for i := range s.Points {
			v, _ := s.at(i)
			low, high = min(low, v), max(high, v)
			if i == len(p.labels) {
				p.labels = append(p.labels, s.Points[i].Label)
			}
		}
	}
	p.positions = len(p.labels)
	p.axis = newAxis(low, high, p.unit)
}

func (p *plot) isEmpty() bool {
	for _, s := range p.series() {
		if !s.isEmpty(p.unit) {
			return false
		}
	}
	return true
}

// y is the position of a value, in pixels from the top.
func (p *plot) y(v float64) float64 {
	return plotTop + (1-p.axis.share(v))*float64(p.height-plotTop-plotBottom)
}

// middle is where a position lies along the width, from 0 to 1.
func (p *plot) middle(i int) float64 { return (float64(i) + .5) / float64(p.positions) }

// drawGrid draws the horizontal lines and their values. Half a pixel keeps a thin line sharp.
func (p *plot) drawGrid(m *markup) {
	for _, v := range p.axis.ticks() {
		y, class := math.Round(p.y(v))+.5, "chart-grid"
		if v == 0 {
			class = "chart-zero"
		}
		m.empty("line", "class", class, "x1", "0", "x2", "100%", "y1", number(y), "y2", number(y))
		m.element("text", p.unit.short(v), "x", "-10", "y", number(y+4), "text-anchor", "end")
		m.newline()
	}
}

// drawPositions draws, for each position, its bar and an area that shows the values while a pointer is over it.
func (p *plot) drawPositions(m *markup) {
	band := 1 / float64(p.positions)
	for i := range p.positions {
		m.open("g", "class", "chart-band")
		m.element("title", cut(p.titleAt(i), longText))
		m.empty("rect", "class", "chart-hit", "x", percent(float64(i)*band), "y", integer(plotTop), "width", percent(band), "height", integer(p.height-plotTop-plotBottom))
		if p.bars != nil && !p.isDense() {
			p.drawBar(m, i, band)
		}
		m.close("g")
		m.newline()
	}
}

// How wide bars are: a part of the distance of two. One of two bars is not half a chart.
const (
	barPart = .72
	maxBar  = .09
)

// isDense says whether bars lie so close that gaps between them would be less than a pixel on a phone, and flicker.
func (p *plot) isDense() bool { return p.positions > 120 }

func (p *plot) drawBar(m *markup, i int, band float64) {
	v, ok := p.bars.at(i)
	if !ok || v == 0 {
		return
	}
	width := min(barPart*band, maxBar)
	zero, end := math.Round(p.y(0)), p.y(v)
	height := max(math.Abs(end-zero), 1) // a small value is not nothing
	top := zero
	if v > 0 {
		top = zero - height
	}
	m.empty("rect", "class", "chart-bar", "x", percent(p.middle(i)-width/2), "y", number(top), "width", percent(width), "height", number(height), "rx", "2")
}

// titleAt is what a position says: its label, and the value of each series there.
func (p *plot) titleAt(i int) string {
	var values []string
	all := p.series()
	for _, s := range all {
		text := textGap
		if v, ok := s.at(i); ok {
			text = p.unit.text(v)
		}
		if len(all) > 1 && s.Name != "" {
			text = cut(s.Name, nameText) + " " + text
		}
		values = append(values, text)
	}
	return cut(p.labels[i], nameText) + ": " + strings.Join(values, ", ")
}
