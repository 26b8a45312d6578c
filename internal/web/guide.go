package web

import (
	_ "embed"

	"foyer/internal/catalog"
	"foyer/internal/edge"
)

//go:embed static/guide.css
var guideCSS []byte

// guideStyle is for pages that most people never open, so that the home page does not load it.
var guideStyle = newAsset("guide", "css", guideCSS)

// withGuideStyle adds the style of the explanatory pages.
func (s *Site) withGuideStyle(v view) view {
	v.Styles = append(v.Styles, s.brand.URL(guideStyle.path))
	return v
}

// guideViews are the explanatory pages: how a request is handled, and one page for each group of services.
func (s *Site) guideViews(holdDays int) map[string]view {
	views := map[string]view{catalog.PageGuide: s.withGuideStyle(s.view(s.brand.GuidePage(holdDays)))}
	for _, g := range catalog.Groups {
		v := s.withGuideStyle(s.view(s.brand.GroupPage(g)))
		v.Layout = "broad"
		views[g.Path()] = v
	}
	return views
}

func (s *Site) guideRoutes() []edge.Resource {
	routes := []edge.Resource{
		{Path: catalog.PageGuide, Get: s.pages[catalog.PageGuide].Get, Page: true},
		{Path: guideStyle.path, Get: guideStyle.document("text/css; charset=utf-8").Get},
	}
	for _, g := range catalog.Groups {
		routes = append(routes, edge.Resource{Path: g.Path(), Get: s.pages[g.Path()].Get, Page: true})
	}
	return routes
}
