// Package pages is the console: the operator's pages, and how people sign in to them.
//
// What a page shows is read by packages operator and report, and what it changes is an operation of the API (console.Console.Do) or of the
// people who may sign in, so that a page never differs from the API and the command line. It has no rules of its own about leads or buyers.
// Without a session it answers with nothing but the way to sign in; without a right it says so and does nothing. Everything works without
// script, and nothing personal is shown unless it is asked for and recorded.
package pages

import (
	"cmp"
	"context"
	"embed"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"foyer/internal/audit"
	"foyer/internal/catalog"
	"foyer/internal/console"
	"foyer/internal/console/chart"
	"foyer/internal/edge"
	"foyer/internal/look"
	"foyer/internal/operator"
	"foyer/internal/store"
)

// Pages serves the console.
type Pages struct {
	Brand     catalog.Brand
	API       *console.Console
	Operator  *operator.Operator
	Zone      *time.Location // of times that are shown, and of days in filters
	Limiter   console.Limiter
	Recorded  console.Limiter // how many attempts that Limiter refuses are recorded
	DeviceKey []byte          // signs the cookies by which a browser is known in which a person signed in before, and challenges of passkeys
	Health    func(ctx context.Context) (Health, error)
	Now       func() time.Time
	Stopping  <-chan struct{} // closed when the service stops: feeds end
	// SendTestLead sends a made-up lead through the intake, and returns its id.
	SendTestLead func(r *http.Request, by audit.Actor) (id string, err error)

	templates *template.Template
	actions   []action
	failures  failures // of signing in, by name
	feeds     feeds
	style     look.Asset
	script    look.Asset
	icon      look.Asset

	passkeys      *webauthn.WebAuthn // nil if there can be none
	passkeyScript look.Asset
}

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

// page is something to look at.
type page struct {
	path  string     // below Prefix
	least store.Role // who may see it, at least
	show  func(*visit) (view, error)
}

// action is something to do. It is a form of a page, which is shown again with what is wrong if the form is refused.
type action struct {
	path      string
	least     store.Role
	operation string                // of the API; its fields are those of the form
	do        func(*visit) error    // for what is no operation
	confirm   func(url.Values) bool // whether a box has to be ticked for what was sent; nil for never
	done      string                // what is said about it afterwards; "" if the page shows the answer of the operation instead
	to        string                // where it leads; if it is "", to the path without its last word
	page      func(*visit) (view, error)
}

// leadsTo is the path of the page that follows.
func (a action) leadsTo() string {
	return cmp.Or(a.to, strings.TrimSuffix(a.path, "/"+lastSegment(a.path)))
}

// Routes returns the routes of the console. Every path below its prefix asks for a session first, so that nothing can be told from which exist.
func (p *Pages) Routes() []edge.Resource {
	p.templates, p.actions = p.parseTemplates(), actionTable()
	p.style = look.NewAsset("console.css", look.WithTokens(styleFile, chart.CSS, []byte(look.AccentCSS(p.Brand.Look))))
	p.script, p.icon = look.NewAsset("console.js", scriptFile), look.NewAsset("console.svg", iconFile)
	p.passkeys, p.passkeyScript = p.newPasskeys(), look.NewAsset("passkeys.js", passkeyScriptFile)
	byPath := map[string]*edge.Resource{}
	var order []string
	at := func(path string) *edge.Resource {
		if byPath[path] == nil {
			byPath[path], order = &edge.Resource{Path: Prefix + path, Page: true}, append(order, path)
		}
		return byPath[path]
	}
	for _, pg := range pageTable {
		at(pg.path).Get = p.signedIn(pg.least, func(v *visit) error { return v.answer(pg.show) })
	}
	for _, a := range p.actions {
		at(a.path).Post = p.signedIn(a.least, func(v *visit) error { return v.act(a) })
		if at(a.path).Get == nil { // an answer with problems stays in the address bar
			at(a.path).Get = p.signedIn(a.least, func(v *visit) error {
				http.Redirect(v.w, v.r, v.address(fillPath(a.leadsTo(), v.r)), http.StatusSeeOther)
				return nil
			})
		}
	}
	for _, f := range fileTable {
		at(f.path).Get = p.signedIn(f.least, f.write)
	}
	missing := p.signedIn(store.RoleViewer, func(*visit) error { return errNoPage })
	routes := []edge.Resource{
		p.style.Route(), p.script.Route(), p.icon.Route(), p.passkeyScript.Route(),
		{Path: Prefix + "/sign-in", Get: p.open(p.getSignIn), Post: p.open(p.postSignIn), Page: true},
		{Path: Prefix + "/link/{link}", Get: p.open(p.getLink), Post: p.open(p.postLink), Page: true},
		{Path: Prefix + "/", Any: missing, Page: true},
	}
	routes = append(routes, p.passkeyRoutes()...)
	for _, path := range order {
		routes = append(routes, *byPath[path])
	}
	return routes
}

// address is where a page is, for links. Everything that comes from elsewhere must be escaped.
func (p *Pages) address(path string) string { return p.Brand.Path() + Prefix + path }

// setHeaders restricts what pages may load, and keeps them out of every cache: after signing out, nothing can be seen by going back.
func setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("X-Robots-Tag", "noindex")
}
