package mcp

import (
	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/catalog"
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
