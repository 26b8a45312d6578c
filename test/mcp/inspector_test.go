package mcp

import (
	"encoding/json"
	"testing"
)

// Exit codes of the Inspector.
const (
	fine    = 0
	refused = 5 // the tool answered with isError, or does not exist
)

// TestInspector uses the tools through the Inspector, as a person who tries the service does.
func TestInspector(t *testing.T) {
	inspector := script(t, "@modelcontextprotocol/inspector/clients/launcher/build/index.js")
	url := serve(t)
	passed := 0
	// inspect wants an exit code and, on success, no complaint from the client.
	inspect := func(name string, wantCode int, args ...string) (result json.RawMessage) {
		t.Run(name, func(t *testing.T) {
			args = append([]string{inspector, "--cli", url, "--transport", "http", "--stored-auth-only", "--format", "json"}, args...)
			out, errs, code := node(t, args...)
			var answer struct{ Result json.RawMessage }
			_ = json.Unmarshal([]byte(out), &answer)
			if result = answer.Result; code != wantCode || code == fine && (errs != "" || result == nil) {
				t.Errorf("ends with %d, want %d\n%s%s", code, wantCode, out, errs)
				return
			}
			passed++
		})
		return result
	}
	call := func(tool, arguments string, wantCode int) json.RawMessage {
		return inspect(tool, wantCode, "--method", "tools/call", "--tool-name", tool, "--tool-args-json", arguments)
	}

	for _, era := range []string{"legacy", "auto"} { // auto tries future versions first, and falls back
		var list struct{ Tools []any }
		result := inspect("strict list, era "+era, fine, "--strict", "--protocol-era", era, "--method", "tools/list")
		if err := json.Unmarshal(result, &list); err != nil || len(list.Tools) != 5 {
			t.Errorf("%d tools, want 5: %v", len(list.Tools), err)
		}
	}
	call("get_plumbing_call_number", `{"zip_code":"33139"}`, fine)
	call("list_supported_services", `{}`, fine)
	call("request_home_service", `{"service_type":"hvac","zip_code":"33139","customer_name":"Pat Example","customer_phone":"305-555-0123","consent_to_contact":true,"dry_run":true}`, fine)
	receipt := call("request_cleaning", `{"zip_code":"33139","customer_name":"Pat Example","customer_phone":"305-555-0123","consent_to_contact":true}`, fine)
	call("get_lead_status", `{"lead_id":"`+leadID(t, receipt)+`"}`, fine)
	call("request_home_service", `{"service_type":"hvac","zip_code":"1"}`, refused)
	call("no_such_tool", `{}`, refused)
	report("inspector, strict: %d passed, %d failed", passed, 9-passed)
}

// leadID finds the lead_id in the result of a request.
func leadID(t *testing.T, result json.RawMessage) string {
	t.Helper()
	var r struct{ StructuredContent struct{ Result string } }
	var receipt struct {
		LeadID string `json:"lead_id"`
	}
	if err := json.Unmarshal(result, &r); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(r.StructuredContent.Result), &receipt); err != nil || receipt.LeadID == "" {
		t.Fatalf("no lead_id in %s: %v", result, err)
	}
	return receipt.LeadID
}
