// Package mcp is the interface for assistants: five tools over stateless streamable HTTP, in three frozen versions of the
// Model Context Protocol.
//
// It keeps no session, opens no stream and offers only tools. Package intake does the work, and package catalog holds the
// texts.
package mcp

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"sync/atomic"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

// impliedVersion is the version of a client that sends no version header. It is also the only one with batches.
const impliedVersion = "2025-03-26"

// route is the only path of this package.
const route = "/mcp"

// Server serves the tools. Results that never change are built once.
type Server struct {
	brand       catalog.Brand
	intake      *intake.Service
	log         *edge.Log
	guard       guard
	tools       map[string]tool
	list        []byte                 // the result of tools/list
	initialized map[string][]byte      // the result of initialize, by version
	catalog     atomic.Pointer[[]byte] // the result of list_supported_services

	number        []byte // the result of get_plumbing_call_number
	numberDropped []byte // with a note that the ZIP code is invalid
	numberWithZIP []byte // with zipPlaceholder in place of the ZIP code
}

// New prepares the tools. If origins are given, pages of other origins are refused.
func New(brand catalog.Brand, svc *intake.Service, origins []string, log *edge.Log) *Server {
	s := &Server{
		brand: brand, intake: svc, log: log, guard: newGuard(brand.BaseURL, origins),
		tools: map[string]tool{}, initialized: map[string][]byte{}, number: numberResult(brand),
		numberDropped: numberResult(brand, wire.Member{"zip_code", nil}, wire.Member{"note", catalog.ToolZIPDropped}),
		numberWithZIP: numberResult(brand, wire.Member{"zip_code", zipPlaceholder}),
	}
	s.SetCoverage()
	tools := s.newTools()
	s.list = listResult(tools)
	for _, t := range tools {
		s.tools[t.Name] = t
	}
	for _, v := range catalog.Protocols {
		s.initialized[v] = initializeResult(brand, v)
	}
	return s
}

// SetCoverage updates the catalog tool. covered are the services that at least one buyer covers somewhere.
func (s *Server) SetCoverage(covered ...lead.Service) {
	result := toolResult(wire.Marshal(s.brand.Catalog(covered...)), false)
	s.catalog.Store(&result)
}

// List returns the result of tools/list.
func (s *Server) List() []byte { return s.list }

// Routes returns the only route of this package.
func (s *Server) Routes() []edge.Resource {
	return []edge.Resource{{Path: route, Post: s.post, Open: true}}
}

// post answers one message or a batch with JSON.
func (s *Server) post(w http.ResponseWriter, r *http.Request) error {
	if err := s.guard.admit(r); err != nil {
		return err
	}
	if err := negotiate(r); err != nil {
		return err
	}
	body, err := edge.ReadBody(w, r)
	if err != nil {
		return err
	}
	version := cmp.Or(r.Header.Get("MCP-Protocol-Version"), impliedVersion)
	if _, supported := s.initialized[version]; !supported {
		text := "Unsupported MCP-Protocol-Version. Supported: " + strings.Join(catalog.Protocols, ", ") + "."
		edge.WriteJSON(w, http.StatusBadRequest, errorResponse(nil, codeVersion, text))
		return nil
	}
	status, answer := s.handle(newCall(r), version, body)
	if err := r.Context().Err(); err != nil {
		return err // the client is gone
	}
	if answer == nil {
		w.WriteHeader(status)
		return nil
	}
	edge.WriteJSON(w, status, answer)
	return nil
}

// negotiate requires a JSON body and a client that accepts JSON.
func negotiate(r *http.Request) error {
	switch edge.MediaType(r) {
	case "", "application/json":
	default:
		return catalog.NotJSONRPC
	}
	if r.Header.Get("Accept") == "" || edge.Accepts(r, "application/json") || edge.Accepts(r, "*/*") || edge.Accepts(r, "application/*") {
		return nil
	}
	return catalog.OnlyJSON
}

// call is the request that a tool serves.
type call struct {
	ctx        context.Context
	info       edge.RequestInfo
	submission intake.Submission // what every request of the message has in common
}

// newSubmission is not inlined, because the stack of the tool would carry a copy of the evidence.
//
//go:noinline
func (c *call) newSubmission() *intake.Submission {
	sub := c.submission
	return &sub
}

// newCall is a function of its own, because the stack of post would carry a copy of the evidence.
func newCall(r *http.Request) *call {
	info := edge.RequestInfoOf(r.Context())
	return &call{ctx: r.Context(), info: info, submission: intake.Submission{
		Client: info.Client, Evidence: edge.EvidenceOf(r, lead.ChannelMCP), Attribution: lead.Attribution{Key: edge.SourceKey(r)}, Keys: r.Header["Idempotency-Key"],
	}}
}
