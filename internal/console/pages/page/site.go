// Package page is what every page of the console is made of: the visit of a person who is signed in, the parts of a page with their
// templates, the forms of actions, and the words that several pages share.
//
// Each part stands beside the template that renders it, so that no page writes HTML of its own. It shows and reads; whose session it is
// was found out before (package signin), and what a page says is up to the pages.
package page

import (
	"cmp"
	"context"
	"embed"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/catalog"
	"foyer/internal/console"
	"foyer/internal/console/chart"
	"foyer/internal/edge"
	"foyer/internal/look"
	"foyer/internal/operator"
	"foyer/internal/store"
)

// Site is what all pages share: what they read, what they change, and how they look.
type Site struct {
	Brand    catalog.Brand
	API      *console.Console
	Operator *operator.Operator
	Zone     *time.Location // of times that are shown, and of days in filters
	Health   func(ctx context.Context) (Health, error)
	Now      func() time.Time
	Stopping <-chan struct{} // closed when the service stops: feeds end
	// SendTestLead sends a made-up lead through the intake, and returns its id.
	SendTestLead func(r *http.Request, by audit.Actor) (id string, err error)

	templates     *template.Template
	actions       []Action
	style         look.Asset
	script        look.Asset
	icon          look.Asset
	passkeyScript look.Asset
}

// Health is how the process does that answers.
type Health struct {
	Database, Version, Revision string
	Started                     time.Time
	Due                         int // messages that are due to be sent, up to MostDue in each queue
}

// MostDue is how many messages are counted in a queue: more is many.
const MostDue = 1000

// Prefix begins the addresses of all pages.
const Prefix = "/console"

//go:embed templates/*.html
var templateFiles embed.FS

//go:embed static/console.css
var styleFile []byte

//go:embed static/console.js
var scriptFile []byte

//go:embed static/passkeys.js
var passkeyScriptFile []byte

//go:embed static/icon.svg
var iconFile []byte

// Action is something to do. It is a form of a page, which is shown again with what is wrong if the form is refused.
type Action struct {
	Path      string
	Least     store.Role
	Operation string                // of the API; its fields are those of the form
	Do        func(*Visit) error    // for what is no operation
	Confirm   func(url.Values) bool // whether a box has to be ticked for what was sent; nil for never
	Done      string                // what is said about it afterwards; "" if the page shows the answer of the operation instead
	To        string                // where it leads; if it is "", to the path without its last word
	Page      func(*Visit) (View, error)
}

// LeadsTo is the path of the page that follows.
func (a Action) LeadsTo() string {
	return cmp.Or(a.To, strings.TrimSuffix(a.Path, "/"+lastSegment(a.Path)))
}

// Prepare parses the templates and packs the files. actions are everything that can be done: forms are found by them.
func (s *Site) Prepare(actions []Action) {
	s.templates, s.actions = s.parseTemplates(), actions
	s.style = look.NewAsset("console.css", look.WithTokens(styleFile, chart.CSS, []byte(look.AccentCSS(s.Brand.Look))))
	s.script, s.icon = look.NewAsset("console.js", scriptFile), look.NewAsset("console.svg", iconFile)
	s.passkeyScript = look.NewAsset("passkeys.js", passkeyScriptFile)
}

// FileRoutes are the files that all pages load.
func (s *Site) FileRoutes() []edge.Resource {
	return []edge.Resource{s.style.Route(), s.script.Route(), s.icon.Route(), s.passkeyScript.Route()}
}

// Address is where a page is, for links. Everything that comes from elsewhere must be escaped.
func (s *Site) Address(path string) string { return s.Brand.Path() + Prefix + path }
