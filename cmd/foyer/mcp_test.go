package main_test

import (
	"cmp"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"foyer/internal/store/storetest"
)

// TestOfficialClient uses the tools through the official Go SDK, as an assistant's host does, in every protocol version. By
// default the client asks for a version that the service does not support, and settles for the newest it does.
func TestOfficialClient(t *testing.T) {
	storetest.Parallel(t)
	p := serve(t, t.TempDir())
	for asked, want := range map[string]string{
		"": "2025-11-25", "2025-11-25": "2025-11-25", "2025-06-18": "2025-06-18", "2025-03-26": "2025-03-26",
	} {
		t.Run("asks for "+cmp.Or(asked, "its own"), func(t *testing.T) { useTools(t, p.URL+"/mcp", asked, want) })
	}
}

func useTools(t *testing.T, endpoint, asked, want string) {
	host := mcp.NewClient(&mcp.Implementation{Name: "example-host", Version: "1"}, nil)
	session, err := host.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: endpoint}, &mcp.ClientSessionOptions{ProtocolVersion: asked})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	server := session.InitializeResult()
	if server.ProtocolVersion != want || server.ServerInfo.Version != "0.2.0" || server.Capabilities.Tools == nil || server.Capabilities.Prompts != nil || !strings.Contains(server.Instructions, "get_plumbing_call_number") {
		t.Errorf("the server introduces itself as %+v", server)
	}
	if err := session.Ping(t.Context(), nil); err != nil {
		t.Error(err)
	}
	checkTools(t, session)

	number := callTool(t, session, "get_plumbing_call_number", nil, false)
	if number["call_to_connect"] != "+18005550199" || number["what_to_tell_the_user"] == "" {
		t.Errorf("the number: %v", number)
	}
	refused := callTool(t, session, "request_home_service", map[string]any{"service_type": "hvac", "zip_code": "1"}, true)
	if fields, _ := refused["fields"].(map[string]any); len(fields) != 4 {
		t.Errorf("the refusal names %v", refused["fields"])
	}
	person := map[string]any{"zip_code": "33139", "customer_name": "Pat Example", "customer_phone": "305-555-0123", "consent_to_contact": true}
	receipt := callTool(t, session, "request_cleaning", person, false)
	if receipt["status"] != "collected" {
		t.Errorf("the receipt: %v", receipt)
	}
	standing := callTool(t, session, "get_lead_status", map[string]any{"lead_id": receipt["lead_id"]}, false)
	if standing["status"] != "collected" || standing["service_type"] != "house_cleaning" {
		t.Errorf("the standing: %v", standing)
	}
	if services := callTool(t, session, "list_supported_services", nil, false); len(services["all_service_types"].([]any)) != 9 {
		t.Errorf("the services: %v", services)
	}
	if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "no_such_tool"}); err == nil {
		t.Error("an unknown tool was called")
	}
}

// checkTools wants five tools with titles, all four hints, and a description on every property.
func checkTools(t *testing.T, session *mcp.ClientSession) {
	t.Helper()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Tools) != 5 {
		t.Errorf("%d tools, want 5", len(list.Tools))
	}
	for _, tool := range list.Tools {
		if tool.Title == "" || tool.Description == "" || tool.OutputSchema == nil || tool.Annotations == nil ||
			tool.Annotations.DestructiveHint == nil || tool.Annotations.OpenWorldHint == nil {
			t.Errorf("%s is not described in full: %+v", tool.Name, tool)
		}
		schema, _ := json.Marshal(tool.InputSchema)
		var input struct {
			Type       string
			Properties map[string]struct{ Description string }
		}
		if err := json.Unmarshal(schema, &input); err != nil || input.Type != "object" {
			t.Errorf("%s takes %s", tool.Name, schema)
		}
		for name, property := range input.Properties {
			if property.Description == "" {
				t.Errorf("%s.%s has no description", tool.Name, name)
			}
		}
	}
}

// callTool calls a tool and returns its result, which must be the same document in both places.
func callTool(t *testing.T, session *mcp.ClientSession, name string, arguments map[string]any, wantError bool) map[string]any {
	t.Helper()
	params := &mcp.CallToolParams{Name: name}
	if arguments != nil {
		params.Arguments = arguments
	}
	result, err := session.CallTool(t.Context(), params)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	text := result.Content[0].(*mcp.TextContent).Text
	structured, _ := result.StructuredContent.(map[string]any)
	if structured["result"] != text || len(structured) != 1 || result.IsError != wantError {
		t.Errorf("%s: isError %v, text %s, structured %v", name, result.IsError, text, structured)
	}
	var document map[string]any
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		t.Fatalf("%s: %v in %s", name, err, text)
	}
	return document
}
