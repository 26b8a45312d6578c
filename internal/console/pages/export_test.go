package pages

import (
	"net/http"
	"net/url"
	"strings"

	"foyer/internal/catalog"
)

// Route is something that can be asked for.
type Route struct {
	Method, Path string
}

// AllRoutes lists everything below the prefix.
func AllRoutes() (all []Route) {
	for _, r := range (&Pages{Site: Site{Brand: catalog.Brand{Name: "Foyer", BaseURL: "http://localhost:8080"}}}).Routes() {
		path, below := strings.CutPrefix(r.Path, Prefix)
		if !below {
			continue // a file that is the same for everybody
		}
		if r.Get != nil || r.Any != nil {
			all = append(all, Route{http.MethodGet, path})
		}
		if r.Post != nil || r.Any != nil {
			all = append(all, Route{http.MethodPost, path})
		}
	}
	return all
}

// Confirmed lists the actions that want a box to be ticked for what is sent.
func Confirmed(sent url.Values) (paths []string) {
	for _, a := range actionTable(new(signInPages)) {
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

// DetailText writes the detail of an entry of the audit trail for people.
var DetailText = detailText
