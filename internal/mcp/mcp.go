// Package mcp is the door for assistants: five tools over stateless streamable HTTP, on three frozen versions of the
// Model Context Protocol.
//
// It keeps no session, opens no stream and offers nothing but tools. What a tool does, intake does; what it says, catalog
// says.
package mcp

import (
	"context"
	"net/http"
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/intake"
	"foyer/internal/lead"
)

// versions are the protocol versions that are spoken, the newest first.
var versions = catalog.Protocols

// impliedVersion is what a client that sends no version header speaks. It is also the only one with batches.
const impliedVersion = "2025-03-26"

// route is the one address of this door.
const route = "/mcp"

// Server serves the tools.
type Server struct {
	Gate *edge.Gate // what the messages of a batch have to pass, beyond the first

	log         *edge.Log
	guard       guard
	handlers    *handlers
	tools       map[string]tool
	list        []byte            // the result of tools/list
	initialized map[string][]byte // the result of initialize, by version
}

// New prepares the tools. Where origins are named, pages of no other origin are served.
func New(brand catalog.Brand, reception *intake.Service, origins []string, log *edge.Log) *Server {
	desk := newHandlers(brand, reception)
	tools := newTools(desk)
	s := &Server{
		log: log, guard: newGuard(brand.BaseURL, origins), handlers: desk,
		tools: make(map[string]tool, len(tools)), list: listResult(tools), initialized: make(map[string][]byte, len(versions)),
	}
	for _, t := range tools {
		s.tools[t.Name] = t
	}
	for _, v := range versions {
		s.initialized[v] = initializeResult(brand, v)
	}
	return s
}

// Tell has the tools tell anew which services somebody covers somewhere.
func (s *Server) Tell(covered ...lead.Service) { s.handlers.tell(covered...) }

// List is the result of tools/list.
func (s *Server) List() []byte { return s.list }

// Routes is the one address of this door.
func (s *Server) Routes() []edge.Resource {
	return []edge.Resource{{Path: route, Post: s.post, Open: true, Work: true}}
}

// post takes one message, or a batch of them, and answers with JSON.
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
	version := r.Header.Get("MCP-Protocol-Version")
	if version == "" {
		version = impliedVersion
	}
	if _, spoken := s.initialized[version]; !spoken {
		edge.WriteJSON(w, http.StatusBadRequest, errorResponse(nil, codeVersion, "Unsupported MCP-Protocol-Version. Supported: "+strings.Join(versions, ", ")+"."))
		return nil
	}
	status, answer, err := s.handle(newCall(r), version, body)
	if left := r.Context().Err(); left != nil {
		return left // nobody is there to be answered
	}
	if err != nil {
		return err
	}
	if answer == nil {
		w.WriteHeader(status)
		return nil
	}
	edge.WriteJSON(w, status, answer)
	return nil
}

// negotiate wants JSON in and a client that takes JSON back.
func negotiate(r *http.Request) error {
	switch edge.MediaType(r) {
	case "", "application/json":
	default:
		return catalog.NotJSONRPC()
	}
	if r.Header.Get("Accept") == "" || edge.Accepts(r, "application/json") || edge.Accepts(r, "*/*") || edge.Accepts(r, "application/*") {
		return nil
	}
	return catalog.OnlyJSON()
}

// call is what the tools may know about the request they serve.
type call struct {
	ctx      context.Context
	info     edge.RequestInfo
	evidence lead.Evidence
	keys     []string // Idempotency-Key headers
}

func newCall(r *http.Request) *call {
	return &call{
		ctx: r.Context(), info: edge.RequestInfoOf(r.Context()), evidence: edge.EvidenceOf(r, lead.DoorMCP),
		keys: r.Header["Idempotency-Key"],
	}
}
