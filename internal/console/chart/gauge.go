package chart

import (
	"fmt"
	"html/template"
	"math"
)

// Gauge is a thin bar of what is used of a limit, such as a cap or a balance. What is reserved counts, and is drawn lighter.
type Gauge struct {
	ID             string // of the element, unique on the page; made from the title if empty
	Title          string // shown above the bar
	Used, Reserved float64
	Limit          float64 // none if zero or less
	Unit           Unit
}

// nearLimit is the share from which a gauge asks for attention.
const nearLimit = .8

// The height of a gauge: a line of text, the bar, and a line of text.
const (
	gaugeHeight = 60
	gaugeBar    = 22
	gaugeText   = 46
)

// SVG draws the gauge with its text.
func (g Gauge) SVG() template.HTML {
	id := elementID(g.ID, g.Title)
	used, reserved := g.shares()
	var m markup
	m.open("svg", append(described("img", id), "class", "chart chart-gauge", "data-tone", g.tone(), "height", integer(gaugeHeight))...)
	m.heading(id, g.Title, g.essence())
	m.element("text", cut(g.Title, nameText), "class", "chart-name", "y", "14")
	m.element("text", g.state(), "class", "chart-state", "x", "100%", "y", "14", "text-anchor", "end")
	m.empty("rect", "class", "chart-track", "y", integer(gaugeBar), "width", "100%", "height", integer(barHeight), "rx", "3")
	if reserved > 0 {
		m.empty("rect", "class", "chart-reserved", "y", integer(gaugeBar), "width", percent(used+reserved), "height", integer(barHeight), "rx", "3")
	}
	if used > 0 {
		m.empty("rect", "class", "chart-used", "y", integer(gaugeBar), "width", percent(used), "height", integer(barHeight), "rx", "3")
	}
	m.element("text", g.amount(), "y", integer(gaugeText))
	if v := positive(g.Reserved); v > 0 {
		m.element("text", g.Unit.text(v)+" "+textReserved, "x", "100%", "y", integer(gaugeText), "text-anchor", "end")
	}
	m.close("svg")
	return m.html()
}

// positive is a value as a length: what is unknown or negative has none.
func positive(v float64) float64 {
	v, _ = known(v)
	return max(v, 0)
}

// full is the part of the limit that is taken, more than 1 if it is exceeded.
func (g Gauge) full() float64 {
	if positive(g.Limit) == 0 {
		return 0
	}
	return (positive(g.Used) + positive(g.Reserved)) / positive(g.Limit)
}

// shares are the widths of both parts of the bar, which ends at the limit.
func (g Gauge) shares() (used, reserved float64) {
	if positive(g.Limit) == 0 {
		return 0, 0
	}
	used = min(positive(g.Used)/positive(g.Limit), 1)
	return used, min(positive(g.Reserved)/positive(g.Limit), 1-used)
}

func (g Gauge) tone() string {
	switch full := g.full(); {
	case full >= 1:
		return "stop"
	case full > nearLimit:
		return "wait"
	}
	return "good"
}

// state is the share in words. It is rounded down, because 99.6 % of a cap leave room for a lead.
func (g Gauge) state() string {
	switch full := g.full(); {
	case positive(g.Limit) == 0:
		return textNoLimit
	case full >= 1:
		return textAtLimit
	default:
		return Percent.text(math.Floor(100*full + 1e-9))
	}
}

func (g Gauge) amount() string {
	if positive(g.Limit) == 0 {
		return g.Unit.text(positive(g.Used))
	}
	return g.Unit.text(positive(g.Used)) + " of " + g.Unit.text(positive(g.Limit))
}

func (g Gauge) essence() string {
	text := fmt.Sprintf("%s: %s", g.state(), g.amount())
	if v := positive(g.Reserved); v > 0 {
		text += ", " + g.Unit.text(v) + " " + textReserved
	}
	return text + "."
}
