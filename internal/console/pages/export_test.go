package pages

import (
	"net/http"
	"net/url"

	"foyer/internal/store"
)

// Route is something that can be asked for, and who may.
type Route struct {
	Method, Path string
	Least        store.Role
}

// AllRoutes lists everything that needs a session.
func AllRoutes() (all []Route) {
	for _, p := range pageTable {
		all = append(all, Route{http.MethodGet, p.path, p.least})
	}
	for _, f := range fileTable {
		all = append(all, Route{http.MethodGet, f.path, f.least})
	}
	for _, a := range actionTable() {
		all = append(all, Route{http.MethodPost, a.path, a.least})
	}
	return all
}

// Confirmed lists the actions that want a box to be ticked for what is sent.
func Confirmed(sent url.Values) (paths []string) {
	for _, a := range actionTable() {
		if a.confirm != nil && a.confirm(sent) {
			paths = append(paths, a.path)
		}
	}
	return paths
}

// FailuresAllowed is how many wrong passwords a name may have.
const FailuresAllowed = failuresAllowed

// GroupedTerms are the terms that the editor has.
func GroupedTerms() (names []string) {
	for _, g := range termGroups {
		names = append(names, g.Names...)
	}
	return names
}
