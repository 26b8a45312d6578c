package mcp

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

// tool is one MCP tool.
type tool struct {
	catalog.Tool
	readOnly bool // changes nothing
	input    wire.Object
	run      func(c *call, arguments jsontext.Value) (result []byte, err error)
}

// newTools returns the tools in the order of the list.
func (s *Server) newTools() []tool {
	return []tool{
		{catalog.ToolPlumbing, true, plumbingInput(), s.plumbingNumber},
		{catalog.ToolRequest, false, wire.Schema(lead.ToolInput), s.request(lead.ToolInput)},
		{catalog.ToolCleaning, false, wire.Schema(lead.CleaningInput), s.request(lead.CleaningInput)},
		{s.brand.StatusTool(), true, statusInput(), s.status},
		{catalog.ToolServices, true, wire.Object{{"type", "object"}, {"properties", wire.Object{}}}, s.services},
	}
}

func plumbingInput() wire.Object {
	return wire.Object{{"type", "object"}, {"properties", wire.Object{{"zip_code", wire.Object{
		{"anyOf", []wire.Object{{{"type", "string"}}, {{"type", "null"}}}}, {"default", nil}, {"description", catalog.ToolZIPHelp},
	}}}}}
}

func statusInput() wire.Object {
	return wire.Object{
		{"type", "object"},
		{"properties", wire.Object{{"lead_id", wire.Object{{"type", "string"}, {"description", catalog.ToolLeadIDHelp}}}}},
		{"required", []string{"lead_id"}},
	}
}

// listResult builds the result of tools/list.
func listResult(tools []tool) []byte {
	list := make([]wire.Object, len(tools))
	for i, t := range tools {
		list[i] = wire.Object{
			{"name", t.Name},
			{"title", t.Title},
			{"description", t.Description},
			{"inputSchema", t.input},
			{"outputSchema", wire.Object{
				{"type", "object"},
				{"properties", wire.Object{{"result", wire.Object{{"type", "string"}, {"description", catalog.ToolResultHelp}}}}},
				{"required", []string{"result"}},
			}},
			{"annotations", wire.Object{
				{"title", t.Title},
				{"readOnlyHint", t.readOnly},
				{"destructiveHint", false},
				{"idempotentHint", t.readOnly},
				{"openWorldHint", !t.readOnly},
			}},
		}
	}
	return wire.Marshal(wire.Object{{"tools", list}})
}

// zipPlaceholder stands for a ZIP code. No other text contains it.
const zipPlaceholder = "#####"

// numberResult is a result with the plumbing number.
func numberResult(b catalog.Brand, more ...wire.Member) []byte {
	live := b.Live(lead.Plumbing)
	return toolResult(wire.Marshal(append(wire.Object{
		{"service_type", live.Service},
		{"call_to_connect", live.Call},
		{"call_to_connect_display", live.CallDisplay},
		{"tel_link", live.TelLink},
		{"what_to_tell_the_user", live.WhatToTell},
		{"call_instruction", live.CallInstruction},
		{"coverage_note", live.CoverageNote},
		{"web_page", live.WebPage},
	}, more...)), false)
}

// plumbingNumber returns the number. An invalid ZIP code is not an error.
func (s *Server) plumbingNumber(_ *call, arguments jsontext.Value) ([]byte, error) {
	zip, given := argument(arguments, "zip_code")
	text, _ := wire.Text(zip)
	switch code, ok := lead.ZIP(text); {
	case ok:
		return bytes.ReplaceAll(s.numberWithZIP, []byte(zipPlaceholder), []byte(code)), nil
	case given:
		return s.numberDropped, nil
	}
	return s.number, nil
}

// request returns a handler that submits a request with this input spec. Both request tools use it.
func (s *Server) request(spec *lead.InputSpec) func(*call, jsontext.Value) ([]byte, error) {
	return func(c *call, arguments jsontext.Value) ([]byte, error) {
		sub := c.newSubmission()
		sub.Raw = wire.ReadJSON(spec, arguments)
		receipt, err := s.intake.Submit(c.ctx, sub)
		if err != nil {
			return nil, err
		}
		return toolResult(wire.Receipt(receipt), false), nil
	}
}

// status returns the status of a request.
func (s *Server) status(c *call, arguments jsontext.Value) ([]byte, error) {
	value, _ := argument(arguments, "lead_id")
	id, isText := wire.Text(value)
	if !isText || id == "" {
		return nil, catalog.NoLeadID
	}
	status, err := s.intake.LookUp(c.ctx, c.info.Client, id)
	if err != nil {
		return nil, err
	}
	return toolResult(wire.Marshal(status), false), nil
}

func (s *Server) services(*call, jsontext.Value) ([]byte, error) { return *s.catalog.Load(), nil }

// argument returns one member of an object that may have others. Null counts as not given, and so does everything in an object that has a
// member twice.
func argument(object jsontext.Value, name string) (value jsontext.Value, given bool) {
	if err := wire.Members(object, func(n string, v jsontext.Value) {
		if n == name && v.Kind() != 'n' {
			value, given = v, true
		}
	}); err != nil {
		return nil, false
	}
	return value, given
}

// clientInfo returns the name and version that newer MCP clients send with each request.
func clientInfo(meta jsontext.Value) string {
	info, _ := argument(meta, "io.modelcontextprotocol/clientInfo")
	name, _ := argument(info, "name")
	version, _ := argument(info, "version")
	text, _ := wire.Text(name)
	number, _ := wire.Text(version)
	if number != "" {
		text += " " + number
	}
	return edge.Short(text)
}
