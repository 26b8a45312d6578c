package web

import (
	_ "embed"

	"foyer/internal/catalog"
	"foyer/internal/edge"
)

//go:embed static/guide.css
var guideCSS []byte

// guideStyle is for pages that most people never see, so that the home page need not carry it.
var guideStyle = newAsset("guide", "css", guideCSS)

// guided gives a page the style of the pages that explain.
func (s *Site) guided(v view) view {
	v.Styles = append(v.Styles, s.brand.URL(guideStyle.path))
	return v
}

// guideViews are the pages that explain: how a request goes, and one for each group of services.
func (s *Site) guideViews(holdDays int) map[string]view {
	views := map[string]view{catalog.PageGuide: s.guided(s.view(s.brand.GuidePage(holdDays)))}
	for _, g := range catalog.Groups {
		v := s.guided(s.view(s.brand.GroupPage(g)))
		v.Layout = "broad"
		views[g.Path()] = v
	}
	return views
}

func (s *Site) guideRoutes() []edge.Resource {
	menu := []edge.Resource{
		{Path: catalog.PageGuide, Doc: s.pages[catalog.PageGuide], Page: true},
		{Path: guideStyle.path, Doc: guideStyle.document("text/css; charset=utf-8")},
	}
	for _, g := range catalog.Groups {
		menu = append(menu, edge.Resource{Path: g.Path(), Doc: s.pages[g.Path()], Page: true})
	}
	return menu
}
