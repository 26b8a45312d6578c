// Package pages is the console: the operator's pages, and how people sign in to them.
//
// What a page shows is read by packages operator and report, and what it changes is an operation of the API (console.Console.Do) or of the
// people who may sign in, so that a page never differs from the API and the command line. It has no rules of its own about leads or buyers.
// Without a session it answers with nothing but the way to sign in; without a right it says so and does nothing. Everything works without
// script, and nothing personal is shown unless it is asked for and recorded.
package pages

import (
	"net/http"

	"foyer/internal/console"
	"foyer/internal/edge"
)

// Pages serves the console.
type Pages struct {
	Site
	Limiter   console.Limiter // counts wrong passwords
	Recorded  console.Limiter // how many attempts that Limiter refuses are recorded
	DeviceKey []byte          // signs the cookies by which a browser is known in which a person signed in before, and challenges of passkeys
}

// Routes returns the routes of the console. Every path below its prefix asks for a session first, so that nothing can be told from which exist.
func (p *Pages) Routes() []edge.Resource {
	in := &signInPages{Site: &p.Site, Limiter: p.Limiter, Recorded: p.Recorded, DeviceKey: p.DeviceKey}
	actions := actionTable(in)
	p.prepare(actions)
	byPath := map[string]*edge.Resource{}
	var order []string
	at := func(path string) *edge.Resource {
		if byPath[path] == nil {
			byPath[path], order = &edge.Resource{Path: Prefix + path, Page: true}, append(order, path)
		}
		return byPath[path]
	}
	for _, pg := range pageTable(in) {
		at(pg.path).Get = in.signedIn(pg.least, func(v *visit) error { return v.answer(pg.show) })
	}
	for _, a := range actions {
		at(a.path).Post = in.signedIn(a.least, func(v *visit) error { return v.act(a) })
		if at(a.path).Get == nil { // an answer with problems stays in the address bar
			at(a.path).Get = in.signedIn(a.least, func(v *visit) error {
				http.Redirect(v.w, v.r, v.address(fillPath(a.leadsTo(), v.r)), http.StatusSeeOther)
				return nil
			})
		}
	}
	for _, f := range fileTable() {
		at(f.path).Get = in.signedIn(f.least, f.write)
	}
	routes := append(p.fileRoutes(), in.routes()...)
	for _, path := range order {
		routes = append(routes, *byPath[path])
	}
	return routes
}
