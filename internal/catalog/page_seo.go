package catalog

import (
	"strings"

	"foyer/internal/lead"
)

// CardAlt says what is on the card that messengers show for a link: the operator's logo, where it is no drawing, or a door.
func (b Brand) CardAlt() string {
	const words = "the words: Request a service for your home"
	switch {
	case b.Look.Logo == "":
		return "An open door, and " + words
	case b.Look.LogoType == "image/png":
		return "The logo of " + b.Name + ", and " + words
	}
	return "T" + words[1:]
}

// Robots tells crawlers what is not for them: pages about one request.
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

// thing is a thing of schema.org.
type thing map[string]any

// Structured is what a page says of itself to search engines: that it is a page, and which services can be asked for on
// it. It never says that we are a business on the spot, what anything costs, or what anybody thinks of it. We are the
// broker of a service, and do not know who provides it.
func (b Brand) Structured(p Page) any {
	url := b.URL(p.Path)
	graph := []thing{{
		"@type": "WebPage", "@id": url, "url": url, "name": p.Title, "description": p.Description, "inLanguage": "en-US",
		"isPartOf": thing{"@type": "WebSite", "name": b.Name, "url": b.URL("/")},
	}}
	for _, s := range servicesOn(p.Path) {
		graph = append(graph, b.structuredService(s, url))
	}
	return thing{"@context": "https://schema.org", "@graph": graph}
}

func (b Brand) structuredService(s lead.Service, page string) thing {
	channel := thing{"@type": "ServiceChannel", "serviceUrl": b.AskFor(s)}
	if s.Live() {
		channel["serviceUrl"] = page
		channel["servicePhone"] = thing{"@type": "ContactPoint", "telephone": b.Number}
	}
	return thing{
		"@type": "Service", "name": Label(s), "serviceType": Label(s), "mainEntityOfPage": thing{"@id": page},
		"areaServed": thing{"@type": "Country", "name": "United States"}, "broker": thing{"@type": "Organization", "name": b.Name, "url": b.URL("/")},
		"availableChannel": channel, "termsOfService": b.URL(PageGuide),
	}
}

// servicesOn are the services that a page is about.
func servicesOn(path string) []lead.Service {
	if path == PagePlumbing {
		return []lead.Service{lead.Plumbing}
	}
	for _, g := range Groups {
		if g.Path() == path {
			var all []lead.Service
			for _, s := range g.Services {
				all = append(all, s.Service)
			}
			return all
		}
	}
	return nil
}
