package catalog

import (
	"strings"

	"foyer/internal/lead"
)

// CardAlt describes the card that messengers show for a link: the operator's logo, if there is a PNG of it, or a door.
func (b Brand) CardAlt() string {
	const words = "the words: Request a service for your home"
	switch {
	case b.Look.Logo == "":
		return "An open door, and " + words
	case b.Look.PNG() != "":
		return "The logo of " + b.Name + ", and " + words
	}
	return "T" + words[1:]
}

// Robots keeps crawlers away from pages about a single request.
func (b Brand) Robots() string {
	path := b.Path()
	return strings.Join([]string{
		"User-agent: *",
		"Disallow: " + path + "/status",
		"Disallow: " + path + "/thanks",
		"",
		"Sitemap: " + b.URL("/sitemap.xml"),
		"",
	}, "\n")
}

// jsonLD is a schema.org object.
type jsonLD map[string]any

// Structured returns a page's structured data for search engines: that it is a page, and which services people can ask
// for on it. It never claims that we are a local business, and states no prices or ratings. We are the broker of a
// service, and do not know its provider.
func (b Brand) Structured(p Page) any {
	url := b.URL(p.Path)
	graph := []jsonLD{{
		"@type": "WebPage", "@id": url, "url": url, "name": p.Title, "description": p.Description, "inLanguage": "en-US",
		"isPartOf": jsonLD{"@type": "WebSite", "name": b.Name, "url": b.URL("/")},
	}}
	for _, s := range p.Services {
		graph = append(graph, b.structuredService(s, url))
	}
	return jsonLD{"@context": "https://schema.org", "@graph": graph}
}

func (b Brand) structuredService(s lead.Service, page string) jsonLD {
	channel := jsonLD{"@type": "ServiceChannel", "serviceUrl": b.AskFor(s)}
	if s.Live() {
		channel["serviceUrl"] = page
		channel["servicePhone"] = jsonLD{"@type": "ContactPoint", "telephone": b.Number}
	}
	return jsonLD{
		"@type": "Service", "name": Label(s), "serviceType": Label(s), "mainEntityOfPage": jsonLD{"@id": page},
		"areaServed": jsonLD{"@type": "Country", "name": "United States"}, "broker": jsonLD{"@type": "Organization", "name": b.Name, "url": b.URL("/")},
		"availableChannel": channel, "termsOfService": b.URL(PageGuide),
	}
}
