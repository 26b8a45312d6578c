package catalog

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Protocols are the versions of the Model Context Protocol that the server speaks, newest first.
var Protocols = []string{"2025-11-25", "2025-06-18", "2025-03-26"}

// Tagline says in one line what the tools are for; registries cut it off after 100 characters.
const Tagline = "Requests for home services in the US, and the number a person dials for a plumber. No bookings."

// The schemas that discovery documents follow.
const (
	CardSchema     = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
	RegistrySchema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
)

// Media types of discovery documents.
const (
	CardType       = "application/mcp-server-card+json"
	AICatalogType  = "application/ai-catalog+json"
	APICatalogType = `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`
	OpenAPIType    = "application/vnd.oai.openapi+json;version=3.1"
)

// ServerCard tells an MCP client, before it connects, where the server is and which protocol it speaks: SEP-2127. The
// tools themselves are listed by tools/list. Without versions and icons it is server.json, for the MCP registry.
type ServerCard struct {
	Schema      string   `json:"$schema"`
	Name        string   `json:"name"`
	Title       string   `json:"title,omitempty"`
	Description string   `json:"description"`
	Version     string   `json:"version"`
	Website     string   `json:"websiteUrl"`
	Icons       []Icon   `json:"icons,omitempty"`
	Remotes     []Remote `json:"remotes"`
}

// Icon is an icon of the service.
type Icon struct {
	Source   string   `json:"src"`
	MimeType string   `json:"mimeType"`
	Sizes    []string `json:"sizes"`
}

// Remote is an address of the MCP server.
type Remote struct {
	Type     string   `json:"type"`
	URL      string   `json:"url"`
	Versions []string `json:"supportedProtocolVersions,omitempty"`
}

// ServerCard returns the card of the MCP server.
func (b Brand) ServerCard() ServerCard {
	card := b.RegistryEntry()
	card.Schema = CardSchema
	card.Icons = []Icon{{b.URL("/icon-192.png"), "image/png", []string{"192x192"}}, {b.URL("/favicon.svg"), "image/svg+xml", []string{"any"}}}
	card.Remotes[0].Versions = Protocols
	return card
}

// RegistryEntry returns server.json, with which an operator registers the server in the MCP registry.
func (b Brand) RegistryEntry() ServerCard {
	e := ServerCard{
		Schema: RegistrySchema, Name: b.serverName(), Title: b.Name, Description: Tagline, Version: Version, Website: b.URL("/"),
		Remotes: []Remote{{Type: "streamable-http", URL: b.Endpoints().MCP}},
	}
	if len([]rune(e.Title)) > 100 { // the registry rejects longer titles
		e.Title = ""
	}
	return e
}

// Host returns the public host, without a port.
func (b Brand) Host() string {
	u, err := url.Parse(b.BaseURL)
	if err != nil || u.Hostname() == "" {
		return "localhost"
	}
	if _, err := netip.ParseAddr(u.Hostname()); err == nil {
		return "localhost" // an IP address cannot be a name
	}
	return strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
}

// serverName returns the server's name in registries: the reversed host, because the owner of a host may use that name.
func (b Brand) serverName() string {
	labels := strings.Split(b.Host(), ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".") + "/foyer"
}

// AICatalog lists what an assistant can use here, for /.well-known/ai-catalog.json.
type AICatalog struct {
	SpecVersion string    `json:"specVersion"`
	Host        AIHost    `json:"host"`
	Entries     []AIEntry `json:"entries"`
}

// AIHost is the publisher of the list.
type AIHost struct {
	Name string `json:"displayName"`
	ID   string `json:"identifier"`
	Docs string `json:"documentationUrl"`
}

// AIEntry is one entry of the list.
type AIEntry struct {
	ID          string   `json:"identifier"`
	Name        string   `json:"displayName"`
	Type        string   `json:"type"`
	URL         string   `json:"url"`
	Description string   `json:"description"`
	Tags        []string `json:"tags"`
	Version     string   `json:"version"`
}

// AICatalog lists the MCP server and the HTTP interface.
func (b Brand) AICatalog() AICatalog {
	entry := func(kind, title, mediaType, address, description string) AIEntry {
		return AIEntry{
			ID: "urn:air:" + b.Host() + ":" + kind + ":foyer", Name: b.Name + " " + title, Type: mediaType, URL: address, Description: description,
			Tags: []string{"home services", "plumbing", "cleaning", "united states"}, Version: Version,
		}
	}
	return AICatalog{
		SpecVersion: "1.0", Host: AIHost{b.Name, b.Host(), b.Endpoints().Docs},
		Entries: []AIEntry{
			entry("mcp", "tools", CardType, b.URL("/mcp/server-card"), Tagline),
			entry("api", "HTTP interface", OpenAPIType, b.Endpoints().OpenAPI, About),
		},
	}
}

// Linkset is a set of links, grouped by what they are about: RFC 9264.
type Linkset struct {
	Linkset []Links `json:"linkset"`
}

// Links are the links of one interface.
type Links struct {
	Anchor      string   `json:"anchor"`
	Item        []Target `json:"item,omitempty"`
	ServiceDesc []Target `json:"service-desc,omitempty"`
	ServiceDoc  []Target `json:"service-doc,omitempty"`
	ServiceMeta []Target `json:"service-meta,omitempty"`
	Status      []Target `json:"status,omitempty"`
}

// Target is the target of a link.
type Target struct {
	Href  string `json:"href"`
	Type  string `json:"type,omitempty"`
	Title string `json:"title,omitempty"`
}

// APICatalog lists the interfaces with their descriptions: RFC 9727.
func (b Brand) APICatalog() Linkset {
	e := b.Endpoints()
	docs := []Target{{e.Docs, "text/html", "Docs"}, {e.Docs + ".md", "text/markdown", "Docs"}, {e.LLMs, "text/plain", "In short, for an assistant"}}
	return Linkset{[]Links{
		{Anchor: b.URL("/.well-known/api-catalog"), Item: []Target{{e.Services, "application/json", "HTTP interface"}, {e.MCP, "", "Tools for assistants"}}},
		{
			Anchor: e.Services, ServiceDesc: []Target{{Href: e.OpenAPI, Type: OpenAPIType}}, ServiceDoc: docs,
			ServiceMeta: []Target{{Href: e.Services, Type: "application/json", Title: "Catalog of services"}}, Status: []Target{{Href: b.URL("/health"), Type: "application/json"}},
		},
		{Anchor: e.MCP, ServiceDesc: []Target{{Href: b.URL("/mcp/server-card"), Type: CardType}}, ServiceDoc: docs, Status: []Target{{Href: b.URL("/health"), Type: "application/json"}}},
	}}
}

// SecurityTxt says where to report a vulnerability: RFC 9116. It is built at startup and expires after a year, less a
// day; an operator who never restarts should check that the contact is still right.
func (b Brand) SecurityTxt(now time.Time) string {
	expires := now.UTC().AddDate(1, 0, -1).Truncate(24 * time.Hour)
	return "Contact: " + b.ContactURL() + "\n" +
		"Expires: " + expires.Format(time.RFC3339) + "\n" +
		"Preferred-Languages: en\n" +
		"Canonical: " + b.URL("/.well-known/security.txt") + "\n"
}
