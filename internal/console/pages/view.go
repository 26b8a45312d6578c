package pages

import (
	"bytes"
	"cmp"
	"html/template"
	"net/url"
	"strconv"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/catalog"
	"foyer/internal/lead"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// view is the data that a page is rendered from: a heading, what it answers first, and parts.
type view struct {
	Title      string
	Above      []link // the pages that this one belongs to
	Tag        *tag   // what state the thing is in
	Lede       string
	Stats      []stat
	Parts      []part
	Aside      []part // beside the parts
	AsideFirst bool   // on a narrow screen, what is beside the parts comes first
	Below      []part // below both
	Wide       bool   // its parts are not put side by side

	frame frame
}

// Frame is what every page has around it.
func (v view) Frame() frame { return v.frame }

// frame is what every page has around it.
type frame struct {
	*Pages
	Name, Role string
	Nav        []navGroup
	Done       string // what was just done
	Secret     string // what is shown only once
	Wrong      *link  // to what is wrong with a form that was refused, which may be far below
	Zone       string
}

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

// table is a list of things.
type table struct {
	Caption string
	Head    []column
	Rows    []row
	Empty   string
	Go      *link // what to do if it is empty
	Next    string
	Keys    bool // j and k move through its rows
	Live    bool // new leads appear in it
	Cards   bool // on a narrow screen a row is a block: the columns are those of leads
}

func (table) template() string { return "table" }

type column struct {
	Text  string
	Right bool
}

type row struct {
	Cells []cell
	Href  string // where enter leads
}

type cell struct {
	Text  string
	HTML  template.HTML // in place of the text
	Href  string
	Tone  string // as a tag
	At    time.Time
	Right bool
	Soft  bool
	Title string
	Tight bool   // it stays on one line
	Label string // of its column, for a narrow screen
	name  bool   // it names the row
}

// heads makes columns of words. One that begins with > is right-aligned.
func heads(words ...string) (list []column) {
	for _, w := range words {
		text, right := strings.CutPrefix(w, ">")
		list = append(list, column{text, right})
	}
	return list
}

func text(s string) cell            { return cell{Text: short(s)} }
func soft(s string) cell            { return cell{Text: short(s), Soft: true} }
func to(s, href string) cell        { return cell{Text: short(s), Href: href} }
func tagged(s, tone string) cell    { return cell{Text: s, Tone: tone} }
func when(t time.Time) cell         { return cell{At: t} }
func right(s string) cell           { return cell{Text: s, Right: true} }
func count(n int64) cell            { return cell{Text: terminal.Number(n), Right: true, Soft: n == 0} }
func money(c buyer.Cents) cell      { return cell{Text: c.String(), Right: true, Soft: c == 0} }
func tight(c cell) cell             { c.Tight = true; return c }
func (c cell) linked(h string) cell { c.Href = h; return c }

// percent is a share, or a dash if there is nothing to share.
func percent(part, of int64) string {
	if of == 0 {
		return "–"
	}
	return strconv.FormatInt((part*100+of/2)/of, 10) + " %"
}

// maxText is how much of a text a list shows. Names and answers of others may be as long as they like.
const maxText = 120

func short(s string) string {
	s = terminal.OneLine(s)
	if runes := []rune(s); len(runes) > maxText {
		return string(runes[:maxText-1]) + "…"
	}
	return s
}

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

type navGroup struct {
	Name  string
	Items []navItem
}

type navItem struct {
	Text, Href, Key string
	Current         bool
}

// navigation is what the side of every page lists. The key follows g.
var navigation = []navGroup{
	{"Work", []navItem{{Text: "Today", Href: "", Key: "t"}, {Text: "Leads", Href: "/leads", Key: "l"}, {Text: "Buyers", Href: "/buyers", Key: "b"}, {Text: "Sources", Href: "/sources", Key: "s"}, {Text: "Returns", Href: "/returns", Key: "r"}}},
	{"Insight", []navItem{{Text: "Reports", Href: "/reports", Key: "p"}, {Text: "Coverage", Href: "/coverage", Key: "c"}, {Text: "Route", Href: "/route", Key: "o"}, {Text: "Statements", Href: "/statements", Key: "m"}}},
	{"Keeping", []navItem{{Text: "Privacy", Href: "/privacy", Key: "y"}, {Text: "Settings", Href: "/settings", Key: "e"}, {Text: "Health", Href: "/health", Key: "h"}}},
}

func (v *visit) frame() frame {
	f := frame{Pages: v.Pages, Name: v.who.User.Name, Role: string(v.who.User.Role), Secret: v.secret, Zone: v.Zone.String()}
	here := strings.TrimPrefix(strings.TrimPrefix(v.r.URL.Path, v.Brand.Path()), Prefix)
	for _, g := range navigation {
		group := navGroup{Name: g.Name}
		for _, item := range g.Items {
			item.Current = here == item.Href || item.Href != "" && strings.HasPrefix(here, item.Href+"/")
			item.Href = v.address(item.Href)
			group.Items = append(group.Items, item)
		}
		f.Nav = append(f.Nav, group)
	}
	if id := v.query("done"); id != "" && v.refused == "" {
		for _, a := range v.actions {
			if a.id() == id {
				f.Done = a.done
			}
		}
	}
	f.Wrong = v.wrong()
	return f
}

// URL is the address of a file.
func (p *Pages) URL(path string) string { return p.Brand.Path() + path }

// Style is the address of the style sheet.
func (p *Pages) Style() string { return p.URL(p.style.Path) }

// Script is the address of the script.
func (p *Pages) Script() string { return p.URL(p.script.Path) }

// Icon is the address of the icon.
func (p *Pages) Icon() string { return p.URL(p.icon.Path) }

// Home is the address of the first page.
func (p *Pages) Home() string { return p.address("") }

func (p *Pages) parseTemplates() *template.Template {
	t := template.New("console")
	t.Funcs(template.FuncMap{
		"part": func(x part) (template.HTML, error) {
			var out bytes.Buffer
			err := t.ExecuteTemplate(&out, x.template(), x)
			return template.HTML(out.String()), err
		},
		"clock": func(at time.Time) string { return p.clock(at) },
		"iso":   func(at time.Time) string { return at.UTC().Format(time.RFC3339) },
		"page":  p.address,
	})
	return template.Must(t.ParseFS(templateFiles, "templates/*.html"))
}

// clock writes a time in the console's zone: today as hours and minutes, this year without the year.
func (p *Pages) clock(at time.Time) string {
	at, now := at.In(p.Zone), p.Now().In(p.Zone)
	switch {
	case at.IsZero():
		return "–"
	case at.Format(time.DateOnly) == now.Format(time.DateOnly):
		return at.Format("15:04:05")
	case at.Year() == now.Year():
		return at.Format("2 Jan 15:04")
	}
	return at.Format("2 Jan 2006 15:04")
}

// withQuery adds values to an address.
func withQuery(address string, pairs ...string) string {
	values := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			values.Set(pairs[i], pairs[i+1])
		}
	}
	if len(values) == 0 {
		return address
	}
	return address + "?" + values.Encode()
}

// statusTag is a lead's status.
func statusTag(s lead.Status) cell {
	tone := map[lead.Status]string{lead.Forwarded: "good", lead.Received: "wait", lead.Collected: "wait", lead.Errored: "stop", lead.CallToConnect: "good"}[s]
	return tagged(strings.ReplaceAll(string(s), "_", " "), cmp.Or(tone, "soft"))
}

// buyerTone is the tone of a buyer's state.
func buyerTone(state buyer.State) string {
	return map[buyer.State]string{buyer.Active: "good", buyer.Paused: "stop", buyer.Testing: "wait"}[state]
}

var viewer, operates, owner = store.RoleViewer, store.RoleOperator, store.RoleOwner

// serviceName is a service in words.
func serviceName(s lead.Service) string { return cmp.Or(catalog.Label(s), string(s)) }

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
