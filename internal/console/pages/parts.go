package pages

import (
	"cmp"
	"html/template"
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/report"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// part is a part of a page. It is rendered by the template with its name.
type part interface{ template() string }

type link struct{ Text, Href string }

type tag struct{ Text, Tone string } // tones: good, wait, stop, soft

type stat struct {
	Label, Value, Note string
}

// panel is a box with a heading around other parts.
type panel struct {
	Title, Note string
	More        *link
	Parts       []part
	Broad       bool // it takes the whole width
	ID          string
	Fresh       string // a name, if the panel is loaded again after leads came in
}

func (panel) template() string { return "panel" }

type notice struct {
	Tone, Text string
	Link       *link
}

func (notice) template() string { return "notice" }

// facts are things and their values.
type facts []fact

type fact struct {
	Name, Text, Href string
	At               time.Time
	Long             bool // a text of several lines
}

func (facts) template() string { return "facts" }

// drawing is a chart with its table.
type drawing struct {
	SVG, Table template.HTML
}

func (drawing) template() string { return "drawing" }

// prose is a paragraph.
type prose string

func (prose) template() string { return "prose" }

// points is a list of sentences.
type points []string

func (points) template() string { return "points" }

// quotation is a text word for word.
type quotation string

func (quotation) template() string { return "quotation" }

// figure is a drawing without a table: its text says the same, or the table stands below it.
type figure struct{ SVG template.HTML }

func (figure) template() string { return "figure" }

// columns is a form with many fields, which stand in columns.
type columns struct{ form }

func (columns) template() string { return "columns" }

// exchange is a message that was sent, and its answer.
type exchange struct{ Sent, Answer string }

func (exchange) template() string { return "exchange" }

// folding is parts that are folded up.
type folding struct {
	Title string
	Parts []part
	Open  bool
}

func (folding) template() string { return "folding" }

// step is one of the first steps.
type step struct {
	Text, Note, Href string
	Done             bool
	Form             *form // what does it
}

// steps are a list of things to do.
type steps []step

func (steps) template() string { return "steps" }

// factNames are names that are not written like a sentence.
var factNames = map[string]string{"id": "ID", "lead id": "Lead ID", "url": "Address", "zips": "ZIP codes", "exclude zips": "ZIP codes excluded", "zip code": "ZIP code", "request id": "Request ID", "mcp client": "MCP client"}

// factsOf lists the fields of a thing. Empty ones are left out.
func (v *visit) factsOf(fields wire.Object) (list facts) {
	for _, m := range fields {
		name := strings.ReplaceAll(m[0].(string), "_", " ")
		f := fact{Name: cmp.Or(factNames[name], strings.ToUpper(name[:1])+name[1:])}
		switch at := m[1].(type) {
		case *int64:
			if amount, isMoney := strings.CutSuffix(f.Name, " cents"); isMoney && at != nil {
				f.Name, f.Text = amount, buyer.Cents(*at).String()
			}
		case time.Time:
			f.At = at
		case *time.Time:
			if at != nil {
				f.At = *at
			}
		default:
			f.Text = terminal.Escape(report.FieldText(m[1]))
			f.Long = strings.Contains(f.Text, "\n")
		}
		if f.Text != "" || !f.At.IsZero() {
			list = append(list, f)
		}
	}
	return list
}

// member is a member of an object, or nil.
func member(o wire.Object, name string) any {
	for _, m := range o {
		if m[0] == name {
			return m[1]
		}
	}
	return nil
}

// tabs are links to the same page with another value.
func (v *visit) tabs(path, name, current string, values []string, keep ...string) part {
	var t tabList
	for _, value := range values {
		t = append(t, tab{value, withQuery(v.address(path), append([]string{name, value}, keep...)...), value == current})
	}
	return t
}

type tabList []tab

type tab struct {
	Text, Href string
	Current    bool
}

func (tabList) template() string { return "tabs" }

func only(o wire.Object, names ...string) wire.Object {
	return slices.DeleteFunc(slices.Clone(o), func(m wire.Member) bool { return !slices.Contains(names, m[0].(string)) })
}

func without(o wire.Object, names ...string) wire.Object {
	return slices.DeleteFunc(slices.Clone(o), func(m wire.Member) bool { return slices.Contains(names, m[0].(string)) })
}
