// Package pages puts the console together: which page, action and file is at which path, and who may use it. The pages are in the packages
// below it, by the groups of the console's own navigation.
//
// What a page shows is read by packages operator and report, and what it changes is an operation of the API (console.Console.Do) or of the
// people who may sign in, so that a page never differs from the API and the command line. It has no rules of its own about leads or buyers.
// Without a session it answers with nothing but the way to sign in; without a right it says so and does nothing. Everything works without
// script, and nothing personal is shown unless it is asked for and recorded.
package pages

import (
	"net/http"

	"foyer/internal/console"
	"foyer/internal/console/pages/page"
	"foyer/internal/console/pages/signin"
	"foyer/internal/edge"
)

// Pages serves the console.
type Pages struct {
	page.Site
	Limiter   console.Limiter // counts wrong passwords
	Recorded  console.Limiter // how many attempts that Limiter refuses are recorded
	DeviceKey []byte          // signs the cookies by which a browser is known in which a person signed in before, and challenges of passkeys
}

// Routes returns the routes of the console. Every path below its prefix asks for a session first, so that nothing can be told from which exist.
func (p *Pages) Routes() []edge.Resource {
	in := &signin.Pages{Site: &p.Site, Limiter: p.Limiter, Recorded: p.Recorded, DeviceKey: p.DeviceKey}
	actions := actionTable(in)
	p.Prepare(actions)
	byPath := map[string]*edge.Resource{}
	var order []string
	at := func(path string) *edge.Resource {
		if byPath[path] == nil {
			byPath[path], order = &edge.Resource{Path: page.Prefix + path, Page: true}, append(order, path)
		}
		return byPath[path]
	}
	for _, pg := range pageTable(in) {
		at(pg.path).Get = in.SignedIn(pg.least, func(v *page.Visit) error { return v.Answer(pg.show) })
	}
	for _, a := range actions {
		at(a.Path).Post = in.SignedIn(a.Least, func(v *page.Visit) error { return v.Act(a) })
		if at(a.Path).Get == nil { // an answer with problems stays in the address bar
			at(a.Path).Get = in.SignedIn(a.Least, func(v *page.Visit) error {
				http.Redirect(v.W, v.R, v.Address(page.FillPath(a.LeadsTo(), v.R)), http.StatusSeeOther)
				return nil
			})
		}
	}
	for _, f := range fileTable() {
		at(f.path).Get = in.SignedIn(f.least, f.write)
	}
	routes := append(p.FileRoutes(), in.Routes()...)
	for _, path := range order {
		routes = append(routes, *byPath[path])
	}
	return routes
}
