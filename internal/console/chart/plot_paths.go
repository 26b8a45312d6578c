package chart

import (
	"math"
	"strings"
)

// lineScale is the width of the viewBox of lines. It is stretched to the width of the plot; the strokes are not.
const lineScale = 1000

// drawPaths draws what is a path: lines, and bars that lie too close for gaps. The last value of each line has a dot.
func (p *plot) drawPaths(m *markup) {
	if len(p.lines) == 0 && !p.isDense() {
		return
	}
	m.open("svg", "class", "chart-lines", "width", "100%", "height", integer(p.height), "viewBox", "0 0 "+integer(lineScale)+" "+integer(p.height),
		"preserveAspectRatio", "none", "overflow", "visible", "pointer-events", "none")
	if p.bars != nil && p.isDense() {
		m.empty("path", "class", "chart-bar", "d", p.outline(*p.bars))
	}
	for i, s := range p.lines {
		p.drawLine(m, s, p.lineClass(i))
	}
	m.close("svg")
	for i, s := range p.lines {
		p.drawEnd(m, s, "chart-dot "+p.lineClass(i))
	}
	m.newline()
}

// drawLine draws a line. Above bars it has a rim, so that it is seen on them.
func (p *plot) drawLine(m *markup, s Series, class string) {
	d := p.path(s)
	if d == "" {
		return
	}
	if p.bars != nil {
		m.empty("path", "class", "chart-rim", "d", d, "vector-effect", "non-scaling-stroke")
	}
	m.empty("path", "class", "chart-line "+class, "d", d, "vector-effect", "non-scaling-stroke")
	m.newline()
}

// outline is the shape of bars without gaps between them.
func (p *plot) outline(s Series) string {
	zero := number(math.Round(p.y(0)))
	var d strings.Builder
	d.WriteString("M0 " + zero)
	for i := range p.positions {
		v, _ := s.at(i)
		d.WriteString("V" + number(p.y(v)) + "H" + number(float64(i+1)/float64(p.positions)*lineScale))
	}
	return d.String() + "V" + zero + "Z"
}

// lineColors is how many colors there are for lines; more lines use them again.
const lineColors = 5

func (p *plot) lineClass(i int) string {
	if p.bars != nil {
		return "chart-before"
	}
	return "chart-s" + integer(i%lineColors)
}

// path connects the known values of a series. A gap interrupts it; a value between two gaps is a dot.
func (p *plot) path(s Series) string {
	var d strings.Builder
	drawing := false
	for i := range s.Points {
		v, ok := s.at(i)
		if !ok {
			drawing = false
			continue
		}
		at := number(p.middle(i)*lineScale) + " " + number(p.y(v))
		if drawing {
			d.WriteString("L" + at)
		} else {
			d.WriteString("M" + at + "h0")
		}
		drawing = true
	}
	return d.String()
}

// drawEnd marks the last known value.
func (p *plot) drawEnd(m *markup, s Series, class string) {
	for i := len(s.Points) - 1; i >= 0; i-- {
		if v, ok := s.at(i); ok {
			m.empty("circle", "class", class, "cx", percent(p.middle(i)), "cy", number(p.y(v)), "r", "3", "pointer-events", "none")
			return
		}
	}
}
