package page

import (
	"bytes"
	"html/template"
	"net/url"
	"strings"
	"time"
)

// View is the data that a page is rendered from: a heading, what it answers first, and parts.
type View struct {
	Title      string
	Above      []Link // the pages that this one belongs to
	Tag        *Tag   // what state the thing is in
	Lede       string
	Tabs       Part // the way to the other pages about the same thing
	Stats      []Stat
	First      []Part // before all others, over the whole width
	Parts      []Part
	Aside      []Part // beside the parts
	AsideFirst bool   // on a narrow screen, what is beside the parts comes first
	Below      []Part // below both
	Wide       bool   // its parts are not put side by side

	frame frame
}

// Frame is what every page has around it.
func (v View) Frame() frame { return v.frame }

// frame is what every page has around it.
type frame struct {
	*Site
	Name, Role string
	Nav        []navGroup
	Done       string // what was just done
	Undo       *Form  // takes it back
	Secret     string // what is shown only once
	Wrong      *Link  // to what is wrong with a form that was refused, which may be far below
	Zone       string
	ShownOnce  bool // it shows what is shown only now, such as a person: it leaves the screen with the session
}

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

func (v *Visit) frame() frame {
	f := frame{Site: v.Site, Name: v.Who.User.Name, Role: string(v.Who.User.Role), Secret: v.Secret, Zone: v.Zone.String(), ShownOnce: v.ShowNow}
	here := strings.TrimPrefix(strings.TrimPrefix(v.R.URL.Path, v.Brand.Path()), Prefix)
	for _, g := range navigation {
		group := navGroup{Name: g.Name}
		for _, item := range g.Items {
			item.Current = here == item.Href || item.Href != "" && strings.HasPrefix(here, item.Href+"/")
			item.Href = v.Address(item.Href)
			group.Items = append(group.Items, item)
		}
		f.Nav = append(f.Nav, group)
	}
	if id := v.Query("done"); id != "" && v.Refused == "" {
		for _, a := range v.actions {
			if a.ID() == id {
				f.Done = a.Done
			}
		}
	}
	if f.Done != "" {
		f.Undo = v.undoForm(v.Query("done"))
	}
	f.Wrong = v.wrong()
	return f
}

// URL is the address of a file.
func (s *Site) URL(path string) string { return s.Brand.Path() + path }

// Style is the address of the style sheet.
func (s *Site) Style() string { return s.URL(s.style.Path) }

// Script is the address of the script.
func (s *Site) Script() string { return s.URL(s.script.Path) }

// Icon is the address of the icon.
func (s *Site) Icon() string { return s.URL(s.icon.Path) }

// Home is the address of the first page.
func (s *Site) Home() string { return s.Address("") }

func (s *Site) parseTemplates() *template.Template {
	t := template.New("console")
	t.Funcs(template.FuncMap{
		"part": func(x Part) (template.HTML, error) {
			var out bytes.Buffer
			err := t.ExecuteTemplate(&out, x.template(), x)
			return template.HTML(out.String()), err
		},
		"clock": func(at time.Time) string { return s.Clock(at) },
		"iso":   func(at time.Time) string { return at.UTC().Format(time.RFC3339) },
		"page":  s.Address,
	})
	return template.Must(t.ParseFS(templateFiles, "templates/*.html"))
}

// Rows renders the rows of a table alone, for a page that has the table already.
func (s *Site) Rows(t Table) (string, error) {
	var out bytes.Buffer
	err := s.templates.ExecuteTemplate(&out, "rows", t.Rows)
	return out.String(), err
}

// Clock writes a time in the console's zone: today as hours and minutes, this year without the year.
func (s *Site) Clock(at time.Time) string {
	at, now := at.In(s.Zone), s.Now().In(s.Zone)
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

// WithQuery adds values to an address.
func WithQuery(address string, pairs ...string) string {
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

// Moment is a time that says all: on paper, there is no today.
func (s *Site) Moment(at time.Time) string {
	if at.IsZero() {
		return "–"
	}
	return at.In(s.Zone).Format("2006-01-02 15:04:05 MST (-07:00)")
}
