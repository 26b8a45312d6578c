package web

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"foyer/docs"
	"foyer/internal/lead"
)

// testInterfaces holds the descriptions of the other interfaces, from their golden files.
func testInterfaces(t *testing.T) Interfaces {
	t.Helper()
	openapi, err := os.ReadFile("../api/testdata/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile("../mcp/testdata/tools-list.json")
	if err != nil {
		t.Fatal(err)
	}
	var answer struct{ Result json.RawMessage }
	if err := json.Unmarshal(list, &answer); err != nil {
		t.Fatal(err)
	}
	return Interfaces{OpenAPI: openapi, Tools: answer.Result, Now: time.Date(2026, time.November, 5, 17, 30, 12, 0, time.UTC)}
}

var update = flag.Bool("update", false, "write the golden files anew")

func TestDocsNameEverything(t *testing.T) {
	_, docs := ask(t, serve(t, sharedSite(t)), "GET", "/docs")
	var names []string
	for i := range lead.Fields {
		names = append(names, lead.Fields[i].Name)
	}
	for _, s := range lead.Statuses {
		names = append(names, string(s))
	}
	for _, k := range []lead.Kind{
		lead.Invalid, lead.Refused, lead.KeyReused, lead.TooLarge, lead.UnsupportedMedia, lead.NotAcceptable, lead.Unauthorized, lead.Forbidden,
		lead.NotFound, lead.MethodNotAllowed, lead.RateLimited, lead.Unavailable, lead.Internal,
	} {
		names = append(names, string(k))
	}
	for _, name := range names {
		if !strings.Contains(docs, "<code>"+name+"</code>") {
			t.Errorf("the docs do not name %s", name)
		}
	}
	for _, want := range []string{
		"curl &#39;" + origin + "/v1/intake?dry_run=true&#39;", "mcpServers", "Idempotency-Key", "<td>422</td>",
		"<h3 id=\"post-v1-intake\">POST /v1/intake</h3>", "<h3 id=\"get-lead-status\">get_lead_status</h3>", "<h3 id=\"leadresponse\">LeadResponse</h3>",
	} {
		if !strings.Contains(docs, want) {
			t.Errorf("the docs do not hold %s", want)
		}
	}
	if strings.Contains(docs, "<td></td>") || strings.Contains(docs, "<td>0</td>") {
		t.Error("a cell of a table is empty")
	}
}

// TestDocsIncludeEveryOperationAndTool checks that the page has every operation and every tool, with their own
// descriptions.
func TestDocsIncludeEveryOperationAndTool(t *testing.T) {
	doors := testInterfaces(t)
	_, text := ask(t, serve(t, sharedSite(t)), "GET", "/docs.md")
	var openapi struct {
		Paths map[string]map[string]struct{ Summary, Description string }
	}
	var list struct {
		Tools []struct{ Name, Description string }
	}
	if err := json.Unmarshal(doors.OpenAPI, &openapi); err != nil || len(openapi.Paths) == 0 {
		t.Fatal(err)
	}
	if err := json.Unmarshal(doors.Tools, &list); err != nil || len(list.Tools) != 5 {
		t.Fatal(err)
	}
	for path, operations := range openapi.Paths {
		for method, o := range operations {
			want := "\n### " + strings.ToUpper(method) + " " + path + "\n\n" + o.Summary + ".\n"
			if !strings.Contains(text, want) || !strings.Contains(text, "\n"+o.Description+"\n") {
				t.Errorf("%s %s is not told as the document tells it", method, path)
			}
		}
	}
	for _, tool := range list.Tools {
		if !strings.Contains(text, "\n### "+tool.Name+"\n\n"+tool.Description+"\n") {
			t.Errorf("%s is not told as the list tells it", tool.Name)
		}
	}
}

func TestInvalidDescriptionsAreRejected(t *testing.T) {
	good := testInterfaces(t)
	for name, doors := range map[string]Interfaces{
		"no document": {Tools: good.Tools}, "no list": {OpenAPI: good.OpenAPI},
		"half a document": {OpenAPI: good.OpenAPI[:len(good.OpenAPI)/2], Tools: good.Tools},
	} {
		if _, err := New(brand, 30, doors); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

// The page shows the complete docs/buyers.md.
func TestDocsForBuyers(t *testing.T) {
	server := serve(t, sharedSite(t))
	_, page := ask(t, server, "GET", "/docs/buyers", browser)
	_, text := ask(t, server, "GET", "/docs/buyers.md")
	if text != docs.Buyers {
		t.Error("the Markdown version is not the file")
	}
	if n := strings.Count(page, "<pre"); n != strings.Count(docs.Buyers, "\n```")/2 {
		t.Errorf("%d samples on the page", n)
	}
	for _, want := range []string{"<h1>Leads for your endpoint</h1>", "<code>webhook-signature</code>", `<a href="https://www.standardwebhooks.com">`, "hash_equals", "<ol>"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s", want)
		}
	}
	for _, never := range []string{"<!--", "**", "](", "|---"} {
		if strings.Contains(page, never) {
			t.Errorf("Markdown is left: %s", never)
		}
	}
}

// Requests from the console are always dry runs.
func TestConsoleSendsOnlyDryRuns(t *testing.T) {
	for _, call := range newConsole(brand).Calls {
		if strings.Contains(call.Address, "/v1/intake") && !strings.HasSuffix(call.Address, "?dry_run=true") {
			t.Errorf("%s is no dry run", call.Address)
		}
		if call.Body != "" && !json.Valid([]byte(call.Body)) {
			t.Errorf("%s: %s", call.Name, call.Body)
		}
		if strings.Contains(call.Body, "request_") {
			t.Errorf("%s could be kept", call.Name)
		}
	}
}
