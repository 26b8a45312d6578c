package chart

import (
	"cmp"
	"fmt"
	"html/template"
	"strconv"
	"strings"
)

// State is one tile of a map.
type State struct {
	Code  string // such as TX; what is no state stands in a row below
	Name  string // its usual name if empty
	Href  string // where its tile leads; it is no link if empty
	Value float64
	Text  string // after the name in the tile's title, such as "1,203 leads, 81 % covered"; the value if empty
}

// Map is a tile map: one square for each state, colored by the class of its value. The classes are round numbers.
type Map struct {
	ID       string // of the element, unique on the page; made from the title if empty
	Title    string // read out
	Note     string // small text below
	Unit     Unit
	States   []State
	Selected string // code of the state that is outlined
}

// The size of a tile and the distance of two, in units of the viewBox.
const (
	tileSize  = 32
	tilePitch = 35
	rowGap    = 10 // between the states and the row below
)

// SVG draws the map and its legend. It has the role of a group, because an image may not contain links.
func (m Map) SVG() template.HTML {
	given, order := m.byCode()
	tiles := arrange(given, order)
	classes := newClasses(m.Unit, m.States)
	id := elementID(m.ID, m.Title)
	var out markup
	out.open("figure", "class", "chart-figure chart-map")
	out.open("svg", append(described(m.role(), id), "class", "chart", "viewBox", fmt.Sprintf("-2 -2 %d %d", tileColumns*tilePitch+1, mapHeight(tiles)))...)
	out.heading(id, m.Title, m.essence(tiles, given))
	for _, t := range tiles {
		m.drawTile(&out, t, given, classes)
	}
	out.close("svg")
	out.newline()
	if len(m.States) == 0 {
		out.element("p", textEmpty, "class", "chart-note")
	} else {
		out.legend(classes.keys())
	}
	out.note(m.Note)
	out.close("figure")
	return out.html()
}

func (m Map) role() string {
	for _, s := range m.States {
		if s.Href != "" {
			return "group"
		}
	}
	return "img"
}

// byCode finds states by their codes. Of two with the same code the first counts.
func (m Map) byCode() (given map[string]State, order []string) {
	given = make(map[string]State)
	for _, s := range m.States {
		code := cut(strings.ToUpper(strings.TrimSpace(s.Code)), 3)
		if _, twice := given[code]; !twice && code != "" {
			given[code] = s
			order = append(order, code)
		}
	}
	return given, order
}

func (t tile) position() (x, y int) {
	y = t.row * tilePitch
	if t.row >= tileRows {
		y += rowGap
	}
	return t.column * tilePitch, y
}

func mapHeight(tiles []tile) int {
	_, y := tiles[len(tiles)-1].position()
	return max(y+tileSize, tileRows*tilePitch) + 4
}

// drawTile draws a state. The title is also the name of the link: a label of its own would have to repeat the code that is seen.
func (m Map) drawTile(out *markup, t tile, given map[string]State, classes classes) {
	state, ok := given[t.code]
	x, y := t.position()
	class := "chart-tile chart-c" + integer(classes.of(state.Value, ok))
	selected := strings.EqualFold(m.Selected, t.code)
	if selected {
		class += " chart-selected"
	}
	element, title := "g", m.titleOf(t, given)
	if state.Href != "" {
		element = "a"
		out.link(state.Href, "class", class, "aria-current", strconv.FormatBool(selected))
	} else {
		out.open("g", "class", class)
	}
	out.element("title", title)
	out.empty("rect", "x", integer(x), "y", integer(y), "width", integer(tileSize), "height", integer(tileSize), "rx", "4")
	out.element("text", t.code, "x", integer(x+tileSize/2), "y", integer(y+tileSize/2+4), "text-anchor", "middle")
	out.close(element)
	out.newline()
}

// anchor lets through what a template lets through as an address, so no javascript: and the like.
var anchor = template.Must(template.New("anchor").Parse(anchorStart + "{{.}}" + anchorEnd))

const anchorStart, anchorEnd = `<a href="`, `"></a>`

// link starts a link.
func (m *markup) link(href string, attributes ...string) {
	var b strings.Builder
	if err := anchor.Execute(&b, strings.ToValidUTF8(href, "")); err != nil {
		panic(err) // a builder takes everything, and the template has nothing that fails
	}
	m.b.WriteString(strings.TrimSuffix(b.String(), anchorEnd) + `"`)
	m.attributes(attributes)
	m.b.WriteByte('>')
}

// titleOf is what a tile says.
func (m Map) titleOf(t tile, given map[string]State) string {
	state, ok := given[t.code]
	name, text := state.Name, state.Text
	if name == "" {
		name = t.name()
	}
	if text == "" {
		text = textNothing
		if v, isKnown := known(state.Value); ok && isKnown {
			text = m.Unit.text(v)
		}
	}
	return cut(name+": "+text, longText)
}

// essence says the highest and the lowest value among the states that have one.
func (m Map) essence(tiles []tile, given map[string]State) string {
	var s Series
	for _, t := range tiles {
		if state, ok := given[t.code]; ok {
			name := state.Name
			if name == "" {
				name = t.name()
			}
			s.Points = append(s.Points, Point{cut(name, nameText), state.Value})
		}
	}
	if !m.Unit.adds() { // states have no last one
		return cmp.Or(s.extremes(m.Unit), textEmpty)
	}
	return s.essence(m.Unit)
}
