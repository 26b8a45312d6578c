package mcp

import (
	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/catalog"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

// tool is one thing an assistant can do here.
type tool struct {
	catalog.Tool
	reads bool // looks, and changes nothing
	input wire.Object
	run   func(c *call, arguments jsontext.Value) (result []byte, err error)
}

// newTools is the list of tools, in the order in which they are shown.
func newTools(desk *handlers) []tool {
	return []tool{
		{catalog.ToolPlumbing, true, plumbingInput(), desk.plumbingNumber},
		{catalog.ToolRequest, false, wire.Schema(lead.ToolInput, true), desk.request(lead.ToolInput)},
		{catalog.ToolCleaning, false, wire.Schema(lead.CleaningInput, true), desk.request(lead.CleaningInput)},
		{desk.brand.StatusTool(), true, statusInput(), desk.status},
		{catalog.ToolServices, true, wire.Object{{"type", "object"}, {"properties", wire.Object{}}}, desk.services},
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

// listResult is the result of tools/list.
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
				{"readOnlyHint", t.reads},
				{"destructiveHint", false},
				{"idempotentHint", t.reads},
				{"openWorldHint", !t.reads},
			}},
		}
	}
	return wire.Marshal(wire.Object{{"tools", list}})
}
