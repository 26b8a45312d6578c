package web

import "foyer/internal/catalog"

const consoleID = "try-it"

// console lets a reader send calls from the page. Those that take a request only check it: the address says dry_run, and
// the address is not the reader's to change.
type console struct {
	catalog.ConsoleWords
	ID    string
	Home  string // the form, for readers without scripts
	Calls []trial
}

// trial is a call that can be sent.
type trial struct {
	Name, Method, Address, Body string
}

func newConsole(b catalog.Brand) console {
	e := b.Endpoints()
	rpc := func(method, params string) string {
		return "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"method\": \"" + method + "\",\n  \"params\": " + params + "\n}"
	}
	return console{ConsoleWords: catalog.Console, ID: consoleID, Home: b.URL("/"), Calls: []trial{
		{"POST /v1/intake?dry_run=true", "POST", e.Intake + "?dry_run=true", catalog.ExampleRequest()},
		{"GET /v1/services", "GET", e.Services, ""},
		{"POST /mcp, tools/list", "POST", e.MCP, rpc("tools/list", "{}")},
		{"POST /mcp, " + catalog.ToolPlumbing.Name, "POST", e.MCP, rpc("tools/call", `{"name": "`+catalog.ToolPlumbing.Name+`", "arguments": {"zip_code": "33139"}}`)},
	}}
}
