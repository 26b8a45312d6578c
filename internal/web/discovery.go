package web

import (
	"slices"
	"strings"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

// File is a document that programs use for discovery.
type File struct {
	Path, Type string
	Body       []byte
}

// Discovery lists the discovery documents. llms.txt and llms-full.txt are as they are before any buyer covers a
// service.
func (s *Site) Discovery() []File {
	short := markdown(s.brand.LLMsPage())
	return append([]File{
		{"/llms.txt", plainType, []byte(short)},
		{"/llms-full.txt", plainType, []byte(short + s.llmsPages)},
	}, discovery(s.brand, s.interfaces.Now)...)
}

// The schemas that discovery documents follow.
const (
	cardSchema     = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
	registrySchema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
)

// Media types of discovery documents.
const (
	jsonType       = "application/json"
	cardType       = "application/mcp-server-card+json"
	aiCatalogType  = "application/ai-catalog+json"
	apiCatalogType = `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`
	openAPIType    = "application/vnd.oai.openapi+json;version=3.1"
)

// discovery builds the documents that depend only on the brand. The server card has three addresses: the one that
// SEP-2127 reserves, and the two where clients of earlier drafts look.
func discovery(b catalog.Brand, now time.Time) []File {
	card := wire.MarshalIndent(serverCard(b))
	return []File{
		{"/mcp/server-card", cardType, card},
		{"/.well-known/mcp/server-card.json", cardType, card},
		{"/.well-known/mcp.json", jsonType, card},
		{"/.well-known/ai-catalog.json", aiCatalogType, wire.MarshalIndent(aiCatalog(b))},
		{"/.well-known/api-catalog", apiCatalogType, wire.MarshalIndent(apiCatalog(b))},
		{"/.well-known/security.txt", plainType, []byte(securityTxt(b, now))},
		{"/server.json", jsonType, wire.MarshalIndent(registryEntry(b))},
	}
}

// serverCard tells an MCP client, before it connects, where the server is and which protocol it speaks: SEP-2127. The
// tools themselves are listed by tools/list.
func serverCard(b catalog.Brand) wire.Object {
	return append(serverHead(b, cardSchema),
		wire.Member{"icons", []wire.Object{
			{{"src", b.URL("/icon-192.png")}, {"mimeType", "image/png"}, {"sizes", []string{"192x192"}}},
			{{"src", b.URL("/favicon.svg")}, {"mimeType", "image/svg+xml"}, {"sizes", []string{"any"}}},
		}},
		wire.Member{"remotes", []wire.Object{append(serverRemote(b), wire.Member{"supportedProtocolVersions", catalog.Protocols})}},
	)
}

// registryEntry is server.json, with which an operator registers the server in the MCP registry.
func registryEntry(b catalog.Brand) wire.Object {
	return append(serverHead(b, registrySchema), wire.Member{"remotes", []wire.Object{serverRemote(b)}})
}

// serverHead has the members that the card and the registry entry share.
func serverHead(b catalog.Brand, schema string) wire.Object {
	head := wire.Object{{"$schema", schema}, {"name", serverName(b)}}
	if b.Name != "" && len([]rune(b.Name)) <= 100 { // the registry rejects longer titles
		head = append(head, wire.Member{"title", b.Name})
	}
	return append(head, wire.Object{{"description", catalog.Tagline}, {"version", catalog.Version}, {"websiteUrl", b.URL("/")}}...)
}

func serverRemote(b catalog.Brand) wire.Object {
	return wire.Object{{"type", "streamable-http"}, {"url", b.Endpoints().MCP}}
}

// serverName is the server's name in registries: the reversed host, because the owner of a host may use that name.
func serverName(b catalog.Brand) string {
	labels := strings.Split(b.Host(), ".")
	slices.Reverse(labels)
	return strings.Join(labels, ".") + "/foyer"
}

// aiCatalog lists what an assistant can use here: the MCP server and the HTTP interface.
func aiCatalog(b catalog.Brand) wire.Object {
	entry := func(kind, title, mediaType, address, description string) wire.Object {
		return wire.Object{
			{"identifier", "urn:air:" + b.Host() + ":" + kind + ":foyer"},
			{"displayName", b.Name + " " + title},
			{"type", mediaType},
			{"url", address},
			{"description", description},
			{"tags", []string{"home services", "plumbing", "cleaning", "united states"}},
			{"version", catalog.Version},
		}
	}
	return wire.Object{
		{"specVersion", "1.0"},
		{"host", wire.Object{{"displayName", b.Name}, {"identifier", b.Host()}, {"documentationUrl", b.Endpoints().Docs}}},
		{"entries", []wire.Object{
			entry("mcp", "tools", cardType, b.URL("/mcp/server-card"), catalog.Tagline),
			entry("api", "HTTP interface", openAPIType, b.Endpoints().OpenAPI, catalog.About),
		}},
	}
}

// apiCatalog lists the interfaces with their descriptions, as a set of links: RFC 9727, RFC 9264.
func apiCatalog(b catalog.Brand) wire.Object {
	e := b.Endpoints()
	link := func(href, mediaType, title string) wire.Object {
		target := wire.Object{{"href", href}}
		if mediaType != "" {
			target = append(target, wire.Member{"type", mediaType})
		}
		if title != "" {
			target = append(target, wire.Member{"title", title})
		}
		return target
	}
	docs := []wire.Object{link(e.Docs, "text/html", "Docs"), link(e.Docs+".md", "text/markdown", "Docs"), link(e.LLMs, "text/plain", "In short, for an assistant")}
	status := []wire.Object{link(b.URL("/health"), jsonType, "")}
	return wire.Object{{"linkset", []wire.Object{
		{{"anchor", b.URL("/.well-known/api-catalog")}, {"item", []wire.Object{link(e.Services, jsonType, "HTTP interface"), link(e.MCP, "", "Tools for assistants")}}},
		{
			{"anchor", e.Services},
			{"service-desc", []wire.Object{link(e.OpenAPI, openAPIType, "")}},
			{"service-doc", docs},
			{"service-meta", []wire.Object{link(e.Services, jsonType, "Catalog of services")}},
			{"status", status},
		},
		{{"anchor", e.MCP}, {"service-desc", []wire.Object{link(b.URL("/mcp/server-card"), cardType, "")}}, {"service-doc", docs}, {"status", status}},
	}}}
}

// securityTxt says where to report a vulnerability: RFC 9116. It is built at startup and expires after a year, less a
// day; an operator who never restarts should check that the contact is still right.
func securityTxt(b catalog.Brand, now time.Time) string {
	expires := now.UTC().AddDate(1, 0, -1).Truncate(24 * time.Hour)
	return "Contact: " + b.ContactURL() + "\n" +
		"Expires: " + expires.Format(time.RFC3339) + "\n" +
		"Preferred-Languages: en\n" +
		"Canonical: " + b.URL("/.well-known/security.txt") + "\n"
}

// machineRoutes serves the discovery documents to any origin: they are public and the same for every client.
func (s *Site) machineRoutes() []edge.Resource {
	routes := []edge.Resource{{Path: "/llms.txt", Get: s.llms.Get, Open: true}, {Path: "/llms-full.txt", Get: s.llmsFull.Get, Open: true}}
	for _, f := range discovery(s.brand, s.interfaces.Now) {
		doc := edge.NewDocument(f.Type, "public, max-age=3600", f.Body)
		if f.Type == apiCatalogType { // RFC 9727 requires the header, for clients that send only HEAD
			doc.With("Link", "<"+s.brand.URL(f.Path)+`>; rel="api-catalog"`)
		}
		routes = append(routes, edge.Resource{Path: f.Path, Get: doc.Get, Open: true})
	}
	return routes
}

// linkHeader is the Link header of the home page, which points to the other documents: RFC 9727, RFC 8631.
func linkHeader(b catalog.Brand) string {
	e := b.Endpoints()
	return "<" + b.URL("/.well-known/api-catalog") + `>; rel="api-catalog", ` +
		"<" + e.OpenAPI + `>; rel="service-desc", <` + e.Docs + `>; rel="service-doc", ` +
		"<" + b.URL("/index.md") + `>; rel="alternate"; type="text/markdown"`
}

const plainType = "text/plain; charset=utf-8"

// SetCoverage rewrites the documents that list which services are covered. Pages for people are worded so that they hold
// either way.
func (s *Site) SetCoverage(covered ...lead.Service) {
	short := markdown(s.brand.LLMsPage(covered...))
	s.llms.Put(edge.NewDocument(plainType, cacheOf("/llms.txt"), []byte(short)))
	s.llmsFull.Put(edge.NewDocument(plainType, cacheOf("/llms-full.txt"), []byte(short+s.llmsPages)))
}

// fullPaths are the pages that llms-full.txt appends to llms.txt. The contract for buyers is not for assistants, so
// llms.txt only links to it.
var fullPaths = []string{"/plumbing", "/how-it-works", "/privacy", "/docs"}

// fullText joins pages into one document, with each page's headings one level deeper.
func fullText(b catalog.Brand, pages map[string]string) string {
	var out strings.Builder
	for _, path := range fullPaths {
		if pages[path] != "" {
			out.WriteString("\n" + demoteHeadings(pages[path]) + "\nFrom " + b.URL(path) + "\n")
		}
	}
	return out.String()
}

// demoteHeadings moves every heading down one level, except inside code blocks.
func demoteHeadings(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	inCode := false
	for i, line := range lines {
		if strings.HasPrefix(line, "```") {
			inCode = !inCode
		}
		if !inCode && strings.HasPrefix(line, "#") {
			lines[i] = "#" + line
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
