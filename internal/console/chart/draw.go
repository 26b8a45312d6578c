package chart

import (
	"html"
	"html/template"
	"strconv"
	"strings"
	"unicode/utf8"
)

// markup collects elements. Attributes and text are always escaped, and what XML does not allow is left out.
type markup struct{ b strings.Builder }

// open starts an element. Attributes are names and values in turn.
func (m *markup) open(name string, attributes ...string) {
	m.b.WriteString("<" + name)
	m.attributes(attributes)
	m.b.WriteByte('>')
}

// empty writes an element without content.
func (m *markup) empty(name string, attributes ...string) {
	m.b.WriteString("<" + name)
	m.attributes(attributes)
	m.b.WriteString("/>")
}

func (m *markup) attributes(attributes []string) {
	for i := 0; i < len(attributes); i += 2 {
		m.b.WriteString(" " + attributes[i] + `="` + escaped(attributes[i+1]) + `"`)
	}
}

func (m *markup) close(name string) { m.b.WriteString("</" + name + ">") }

func (m *markup) text(text string) { m.b.WriteString(escaped(text)) }

// element writes an element that has only text.
func (m *markup) element(name, text string, attributes ...string) {
	m.open(name, attributes...)
	m.text(text)
	m.close(name)
}

// newline keeps golden files readable. It is written only where white space does not show.
func (m *markup) newline() { m.b.WriteByte('\n') }

func (m *markup) html() template.HTML { return template.HTML(m.b.String()) }

// heading is what an SVG says to those who do not see it: its name, and a sentence about what it shows.
func (m *markup) heading(id, title, essence string) {
	m.element("title", cut(title, longText), "id", id+"-title")
	m.element("desc", cut(essence, longText), "id", id+"-desc")
	m.newline()
}

// described are the attributes that refer to the heading.
func described(role, id string) []string {
	return []string{"role", role, "aria-labelledby", id + "-title " + id + "-desc"}
}

// escaped makes text safe between tags and in quoted attributes, and valid as XML.
func escaped(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case r < ' ' || r == 0xFFFE || r == 0xFFFF:
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return html.EscapeString(text)
}

// How many characters of a text are shown, at the longest.
const (
	axisText = 16
	nameText = 36
	longText = 300
)

// cut shortens a text to so many characters.
func cut(text string, limit int) string {
	if len(text) <= limit || utf8.RuneCountInString(text) <= limit {
		return text
	}
	for i := range text {
		if limit--; limit == 0 {
			return strings.TrimRight(text[:i], " ") + "…"
		}
	}
	return text
}

// number writes a coordinate. A hundredth of a pixel does not show.
func number(v float64) string { return trimmed(v, 2) }

// percent writes a share of the width.
func percent(share float64) string { return trimmed(share*100, 3) + "%" }

func integer(n int) string { return strconv.Itoa(n) }
