// Package chart draws the charts of the operator's console: HTML with inline SVG, made on the server.
//
// Its functions turn values into markup and do nothing else: they read no clock and no store, choose no range, and have no
// script. Pages are served with a strict Content-Security-Policy, so there is no style attribute and no style element either:
// positions are SVG attributes, and colors come from the classes in CSS. All text is escaped.
//
// Text in a chart keeps its size. Time, Line, Bars and Gauge have no viewBox: they fill the width of their container, positions
// along the width are percentages, and the height is fixed, so that labels are as readable in 350 pixels as in 1,200. Where a
// container is narrower than 30rem, every other label of the x axis is hidden. Width only says for how many labels there is
// room: leave it for a chart as wide as the page, and set 360 by 180 for a card of half that width. A Map has a viewBox.
//
// A chart does not show its own title, because the card around it has a heading. The title is read out, with a sentence that
// says the essence, and it is the caption of the table that has the same values.
package chart

import (
	_ "embed" // the style sheet
	"fmt"
	"hash/fnv"
	"math"
	"strings"
)

// CSS styles all charts. It uses the tokens of the pages' own style sheet, which decide on light and dark.
//
//go:embed chart.css
var CSS []byte

// Point is one value of a series. Label names it on the axis and in the title, such as "Mon 2 Nov" or "14:00". NaN is a gap.
type Point struct {
	Label string
	Value float64
}

// Series is a row of values over time.
type Series struct {
	Name   string
	Points []Point
}

// Values beyond these are drawn as if they were at the limit, or zero: no count of leads or cents comes close.
const (
	maxValue = 1e15
	minValue = 1e-9
)

// known returns the value as it can be drawn, and false for a gap.
func known(v float64) (float64, bool) {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return 0, false
	case math.Abs(v) < minValue:
		return 0, true
	}
	return max(-maxValue, min(v, maxValue)), true
}

// at is the value at a position, and false for a gap or beyond the end.
func (s Series) at(i int) (float64, bool) {
	if i >= len(s.Points) {
		return 0, false
	}
	return known(s.Points[i].Value)
}

// isEmpty says whether there is nothing to draw. Zero leads or dollars are nothing; zero percent or seconds is a value.
func (s Series) isEmpty(u Unit) bool {
	for i := range s.Points {
		if v, ok := s.at(i); ok && (v != 0 || !u.adds()) {
			return false
		}
	}
	return true
}

// elementID is the id of a chart: the one it was given, or one made from its title.
func elementID(given, title string) string {
	id := strings.Map(func(r rune) rune {
		if r < 128 && (r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return r
		}
		return -1
	}, given)
	if id != "" {
		return "chart-" + id
	}
	hash := fnv.New32a()
	hash.Write([]byte(title))
	return fmt.Sprintf("chart-%08x", hash.Sum32())
}
