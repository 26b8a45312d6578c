package web

import (
	"cmp"
	"encoding/xml"
	"maps"
	"slices"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/wire"
)

// seoRoutes serves the files that search engines, phones and messengers request.
func (s *Site) seoRoutes() []edge.Resource {
	return append(s.theme.Icons.routes(), []edge.Resource{
		{Path: "/robots.txt", Get: edge.NewDocument("text/plain; charset=utf-8", "public, max-age=3600", []byte(s.brand.Robots())).Get},
		{Path: "/sitemap.xml", Get: edge.NewDocument("application/xml; charset=utf-8", "public, max-age=3600", s.sitemap).Get},
		{Path: "/site.webmanifest", Get: manifestDocument(s.brand, s.theme.Icons.SameInPixels).Get},
	}...)
}

// sitemap lists the pages that search engines may index.
func sitemap(b catalog.Brand, views map[string]view) ([]byte, error) {
	type entry struct {
		Loc string `xml:"loc"`
	}
	list := struct {
		XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		URL     []entry  `xml:"url"`
	}{}
	for _, address := range slices.Sorted(maps.Keys(views)) {
		if v := views[address]; !v.Unlisted {
			list.URL = append(list.URL, entry{b.URL(v.Path)})
		}
	}
	body, err := xml.MarshalIndent(list, "", "  ")
	return append([]byte(xml.Header), append(body, '\n')...), err
}

// manifestDocument is the web app manifest, so that people can add the site to their home screen.
func manifestDocument(b catalog.Brand, sameInPixels bool) *edge.Document {
	icon := func(path, sizes, kind string) wire.Object {
		return wire.Object{{"src", b.URL(path)}, {"sizes", sizes}, {"type", kind}}
	}
	icons := []wire.Object{icon("/favicon.svg", "any", "image/svg+xml")}
	if sameInPixels {
		icons = append(icons, icon("/icon-192.png", "192x192", "image/png"), icon("/icon-512.png", "512x512", "image/png"))
	}
	body := wire.MarshalIndent(wire.Object{
		{"name", b.Name},
		{"short_name", b.Name},
		{"description", b.HomePage().Description},
		{"lang", "en-US"},
		{"start_url", b.URL("/")},
		{"scope", b.URL("/")},
		{"display", "minimal-ui"},
		{"background_color", "#faf8f4"},
		{"theme_color", cmp.Or(b.Look.Accent, ourAccent)},
		{"icons", icons},
	})
	return edge.NewDocument("application/manifest+json", "public, max-age=3600", body)
}
