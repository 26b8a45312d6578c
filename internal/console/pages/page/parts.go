package page

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

// Part is a part of a page. It is rendered by the template with its name.
type Part interface{ template() string }

// Link is a text that leads somewhere.
type Link struct{ Text, Href string }

// Tag is the state that a thing is in.
type Tag struct{ Text, Tone string } // tones: good, wait, stop, soft

// Stat is a number that a page begins with.
type Stat struct {
	Label, Value, Note string
}

// Panel is a box with a heading around other parts.
type Panel struct {
	Title, Note string
	More        *Link
	Parts       []Part
	Broad       bool // it takes the whole width
	ID          string
	Fresh       string // a name, if the panel is loaded again after leads came in
}

func (Panel) template() string { return "panel" }

// Notice is a sentence that stands out.
type Notice struct {
	Tone, Text string
	Link       *Link
}

func (Notice) template() string { return "notice" }

// Facts are things and their values.
type Facts []Fact

// Fact is a thing and its value: a text or a time.
type Fact struct {
	Name, Text, Href string
	At               time.Time
	Long             bool // a text of several lines
}

func (Facts) template() string { return "facts" }

// Drawing is a chart with its table.
type Drawing struct {
	SVG, Table template.HTML
}

func (Drawing) template() string { return "drawing" }

// Prose is a paragraph.
type Prose string

func (Prose) template() string { return "prose" }

// Points is a list of sentences.
type Points []string

func (Points) template() string { return "points" }

// Quotation is a text word for word.
type Quotation string

func (Quotation) template() string { return "quotation" }

// Figure is a drawing without a table: its text says the same, or the table stands below it.
type Figure struct{ SVG template.HTML }

func (Figure) template() string { return "figure" }

// Columns is a form with many fields, which stand in columns.
type Columns struct{ Form }

func (Columns) template() string { return "columns" }

// Exchange is a message that was sent, and its answer.
type Exchange struct{ Sent, Answer string }

func (Exchange) template() string { return "exchange" }

// Folding is parts that are folded up.
type Folding struct {
	Title string
	Parts []Part
	Open  bool
}

func (Folding) template() string { return "folding" }

// Step is one of the first steps.
type Step struct {
	Text, Note, Href string
	Done             bool
	Form             *Form // what does it
}

// Steps are a list of things to do.
type Steps []Step

func (Steps) template() string { return "steps" }

// factNames are names that are not written like a sentence.
var factNames = map[string]string{"id": "ID", "lead id": "Lead ID", "url": "Address", "zips": "ZIP codes", "exclude zips": "ZIP codes excluded", "zip code": "ZIP code", "request id": "Request ID", "mcp client": "MCP client", "door": "Came", "webhook id": "Message ID"}

// FactsOf lists the fields of a thing. Empty ones are left out.
func (v *Visit) FactsOf(fields wire.Object) (list Facts) {
	for _, m := range fields {
		name := strings.ReplaceAll(m[0].(string), "_", " ")
		f := Fact{Name: cmp.Or(factNames[name], strings.ToUpper(name[:1])+name[1:])}
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
		case bool:
			f.Text = YesNo(at)
		case *bool:
			if at != nil {
				f.Text = YesNo(*at)
			}
		default:
			f.Text = valueInWords(m[0].(string), terminal.Escape(report.FieldText(m[1])))
			if name, isTime := strings.CutSuffix(f.Name, " ms"); isTime && f.Text != "" {
				f.Name, f.Text = name, f.Text+" ms"
			}
			f.Long = strings.Contains(f.Text, "\n")
		}
		if f.Text != "" || !f.At.IsZero() {
			list = append(list, f)
		}
	}
	return list
}

// MemberOf is a member of an object, or nil.
func MemberOf(o wire.Object, name string) any {
	for _, m := range o {
		if m[0] == name {
			return m[1]
		}
	}
	return nil
}

// Tabs are links to the same page with another value.
func (v *Visit) Tabs(path, name, current string, values []string, keep ...string) Part {
	var t tabList
	for _, value := range values {
		t = append(t, tab{value, WithQuery(v.Address(path), append([]string{name, value}, keep...)...), value == current})
	}
	return t
}

// PathTabs are links to the pages about one thing, of which one is this.
func PathTabs(here string, pages ...Link) Part {
	var t tabList
	for _, p := range pages {
		t = append(t, tab{p.Text, p.Href, p.Text == here})
	}
	return t
}

type tabList []tab

type tab struct {
	Text, Href string
	Current    bool
}

func (tabList) template() string { return "tabs" }

// Only leaves these members of an object.
func Only(o wire.Object, names ...string) wire.Object {
	return slices.DeleteFunc(slices.Clone(o), func(m wire.Member) bool { return !slices.Contains(names, m[0].(string)) })
}

// Without leaves these members of an object out.
func Without(o wire.Object, names ...string) wire.Object {
	return slices.DeleteFunc(slices.Clone(o), func(m wire.Member) bool { return slices.Contains(names, m[0].(string)) })
}
