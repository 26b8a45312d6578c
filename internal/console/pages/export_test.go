package pages

import (
	"net/http"
	"net/url"
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/console/pages/page"
	"foyer/internal/console/pages/signin"
)

// Route is something that can be asked for.
type Route struct {
	Method, Path string
}

// AllRoutes lists everything below the prefix.
func AllRoutes() (all []Route) {
	for _, r := range (&Pages{Site: page.Site{Brand: catalog.Brand{Name: "Foyer", BaseURL: "http://localhost:8080"}}}).Routes() {
		path, below := strings.CutPrefix(r.Path, page.Prefix)
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
	for _, a := range actionTable(new(signin.Pages)) {
		if a.Confirm != nil && a.Confirm(sent) {
			paths = append(paths, a.Path)
		}
	}
	return paths
}

// Actions lists everything that can be done.
func Actions() (paths []string) {
	for _, a := range actionTable(new(signin.Pages)) {
		paths = append(paths, a.Path)
	}
	return paths
}
