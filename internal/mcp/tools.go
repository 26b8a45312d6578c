package mcp

import (
	"bytes"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/intake"
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
func newTools(h *handlers) []tool {
	return []tool{
		{catalog.ToolPlumbing, true, plumbingInput(), h.plumbingNumber},
		{catalog.ToolRequest, false, wire.Schema(lead.ToolInput), h.request(lead.ToolInput)},
		{catalog.ToolCleaning, false, wire.Schema(lead.CleaningInput), h.request(lead.CleaningInput)},
		{h.brand.StatusTool(), true, statusInput(), h.status},
		{catalog.ToolServices, true, wire.Object{{"type", "object"}, {"properties", wire.Object{}}}, h.services},
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

// handlers implements the tools. Results that never change are built once; the catalog is rebuilt when coverage changes.
type handlers struct {
	brand   catalog.Brand
	intake  *intake.Service
	catalog atomic.Pointer[[]byte]
	number  numberResults
}

// numberResults are the prepared results with the plumbing number.
type numberResults struct {
	plain   []byte
	dropped []byte // with a note that the ZIP code is invalid
	withZIP []byte // with zipPlaceholder in place of the ZIP code
}

// zipPlaceholder stands for a ZIP code. No other text contains it.
const zipPlaceholder = "#####"

func newHandlers(b catalog.Brand, svc *intake.Service) *handlers {
	live := b.Live(lead.Plumbing)
	number := func(more ...wire.Member) []byte {
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
	h := &handlers{brand: b, intake: svc, number: numberResults{
		plain:   number(),
		dropped: number(wire.Member{"zip_code", nil}, wire.Member{"note", catalog.ToolZIPDropped}),
		withZIP: number(wire.Member{"zip_code", zipPlaceholder}),
	}}
	h.updateCatalog()
	return h
}

// updateCatalog rebuilds the catalog. covered are the services that at least one buyer covers somewhere.
func (h *handlers) updateCatalog(covered ...lead.Service) {
	result := toolResult(wire.Marshal(h.brand.Catalog(covered...)), false)
	h.catalog.Store(&result)
}

// plumbingNumber returns the number. An invalid ZIP code is not an error.
func (h *handlers) plumbingNumber(_ *call, arguments jsontext.Value) ([]byte, error) {
	zip, given := argument(arguments, "zip_code")
	text, _ := wire.Text(zip)
	switch code, ok := lead.ZIP(text); {
	case ok:
		return bytes.ReplaceAll(h.number.withZIP, []byte(zipPlaceholder), []byte(code)), nil
	case given:
		return h.number.dropped, nil
	}
	return h.number.plain, nil
}

// request returns a handler that submits a request with this input spec. Both request tools use it.
func (h *handlers) request(spec *lead.InputSpec) func(*call, jsontext.Value) ([]byte, error) {
	return func(c *call, arguments jsontext.Value) ([]byte, error) {
		receipt, err := h.intake.Submit(c.ctx, &intake.Submission{
			Raw: wire.ReadJSON(spec, arguments), Client: c.info.Client, Evidence: c.evidence, Keys: c.keys,
		})
		if err != nil {
			return nil, err
		}
		return toolResult(wire.Marshal(receipt), false), nil
	}
}

// status returns the status of a request.
func (h *handlers) status(c *call, arguments jsontext.Value) ([]byte, error) {
	value, _ := argument(arguments, "lead_id")
	id, isText := wire.Text(value)
	if !isText || id == "" {
		return nil, catalog.NoLeadID
	}
	status, err := h.intake.LookUp(c.ctx, c.info.Client, id)
	if err != nil {
		return nil, err
	}
	return toolResult(wire.Marshal(status), false), nil
}

func (h *handlers) services(*call, jsontext.Value) ([]byte, error) { return *h.catalog.Load(), nil }

// argument returns one member of an object that may have others. Null counts as not given.
func argument(object jsontext.Value, name string) (value jsontext.Value, given bool) {
	_ = wire.Members(object, func(n string, v jsontext.Value) {
		if n == name && v.Kind() != 'n' {
			value, given = v, true
		}
	})
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
