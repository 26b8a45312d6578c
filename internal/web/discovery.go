package web

import (
	"time"

	"foyer/internal/catalog"
	"foyer/internal/edge"
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

// discovery builds the documents that depend only on the brand. The server card has three addresses: the one that
// SEP-2127 reserves, and the two where clients of earlier drafts look.
func discovery(b catalog.Brand, now time.Time) []File {
	card := wire.MarshalIndent(b.ServerCard())
	return []File{
		{"/mcp/server-card", catalog.CardType, card},
		{"/.well-known/mcp/server-card.json", catalog.CardType, card},
		{"/.well-known/mcp.json", "application/json", card},
		{"/.well-known/ai-catalog.json", catalog.AICatalogType, wire.MarshalIndent(b.AICatalog())},
		{"/.well-known/api-catalog", catalog.APICatalogType, wire.MarshalIndent(b.APICatalog())},
		{"/.well-known/security.txt", plainType, []byte(b.SecurityTxt(now))},
		{"/server.json", "application/json", wire.MarshalIndent(b.RegistryEntry())},
	}
}

// machineRoutes serves the discovery documents to any origin: they are public and the same for every client.
func (s *Site) machineRoutes() []edge.Resource {
	routes := []edge.Resource{{Path: "/llms.txt", Get: s.llms.Get, Open: true}, {Path: "/llms-full.txt", Get: s.llmsFull.Get, Open: true}}
	for _, f := range discovery(s.brand, s.interfaces.Now) {
		doc := edge.NewDocument(f.Type, "public, max-age=3600", f.Body)
		if f.Type == catalog.APICatalogType { // RFC 9727 requires the header, for clients that send only HEAD
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

// discoveryLinks lists the addresses in the index besides those of the published interface.
func discoveryLinks(b catalog.Brand) wire.Object {
	return wire.Object{
		{"server_card", b.URL("/mcp/server-card")},
		{"ai_catalog", b.URL("/.well-known/ai-catalog.json")},
		{"api_catalog", b.URL("/.well-known/api-catalog")},
		{"llms_full", b.URL("/llms-full.txt")},
		{"docs_for_buyers", b.URL(catalog.PageBuyers)},
		{"security", b.URL("/.well-known/security.txt")},
		{"health", b.URL("/health")},
	}
}
