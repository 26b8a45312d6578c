package catalog

import (
	"strconv"
	"strings"

	"foyer/internal/lead"
)

// exampleMembers are the members of the shortest complete request, made of the field table's examples.
func exampleMembers(yes string) [][2]string {
	var members [][2]string
	for _, name := range lead.Required() {
		f := lead.FieldNamed(name)
		value := strconv.Quote(f.Example)
		if f.Kind == lead.YesNo {
			value = yes
		}
		members = append(members, [2]string{strconv.Quote(name), value})
	}
	return members
}

// memberLines writes one member per line.
func memberLines(members [][2]string, indent string) string {
	var lines []string
	for _, m := range members {
		lines = append(lines, indent+m[0]+": "+m[1])
	}
	return strings.Join(lines, ",\n")
}

// ExampleRequest returns the example as a JSON document.
func ExampleRequest() string { return "{\n" + memberLines(exampleMembers("true"), "  ") + "\n}" }

func (b Brand) dryRunURL() string { return b.URL("/v1/intake") + "?dry_run=true" }

func (b Brand) curlExample() string {
	return "curl '" + b.dryRunURL() + "' \\\n" +
		"  -H 'Content-Type: application/json' \\\n" +
		"  -d '" + strings.ReplaceAll(ExampleRequest(), "\n", "\n  ") + "'"
}

func (b Brand) scriptExample() string {
	return `const answer = await fetch("` + b.dryRunURL() + `", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({
` + memberLines(exampleMembers("true"), "    ") + `,
  }),
});
const lead = await answer.json();
// If something is wrong, lead.fields says what is wrong with each field.
if (!answer.ok) throw new Error(lead.message);
console.log(lead.status, lead.lead_id, lead.message);`
}

func (b Brand) pythonExample() string {
	return `import json
import urllib.error
import urllib.request

request = urllib.request.Request(
    "` + b.dryRunURL() + `",
    headers={"Content-Type": "application/json"},
    data=json.dumps({
` + memberLines(exampleMembers("True"), "        ") + `,
    }).encode(),
)
try:
    with urllib.request.urlopen(request) as answer:
        lead = json.load(answer)
except urllib.error.HTTPError as refusal:
    # Next to "message" there is "fields", which says what is wrong with each field.
    raise SystemExit(json.load(refusal)["message"])
print(lead["status"], lead["lead_id"], lead["message"])`
}

func (b Brand) goExample() string {
	return `package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strings"
)

const request = ` + "`" + ExampleRequest() + "`" + `

func main() {
	answer, err := http.Post("` + b.dryRunURL() + `", "application/json", strings.NewReader(request))
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	var lead struct {
		ID      string ` + "`json:\"lead_id\"`" + `
		Status  string
		Message string
		Fields  map[string]string // what is wrong with each field
	}
	if err := json.NewDecoder(answer.Body).Decode(&lead); err != nil {
		log.Fatal(err)
	}
	if answer.StatusCode >= 400 {
		log.Fatal(lead.Message)
	}
	fmt.Println(lead.Status, lead.ID, lead.Message)
}`
}

// clientSection explains how to add the server to common MCP clients.
func (b Brand) clientSection() Section {
	address := b.Endpoints().MCP
	config := func(key, more string) string {
		return "{\n  \"" + key + "\": {\n    \"foyer\": {\n" + more + "      \"url\": " + strconv.Quote(address) + "\n    }\n  }\n}"
	}
	const asHTTP = "      \"type\": \"http\",\n"
	return Section{
		Heading: "Connect an assistant (MCP)",
		Text: []string{
			"The tools are at " + address + ", over streamable HTTP. They need no key, keep no session and support protocol versions " + strings.Join(Protocols, ", ") + ".",
		},
		Parts: []Section{
			{Heading: "Claude", Text: []string{"In Claude and Claude Desktop, go to Settings, Connectors, Add custom connector, and enter the address above. It has to be public. For a service on your own machine, put this in claude_desktop_config.json:"}, Lang: "json", Code: "{\n  \"mcpServers\": {\n    \"foyer\": {\n      \"command\": \"npx\",\n      \"args\": [\"-y\", \"mcp-remote\", " + strconv.Quote(address) + "]\n    }\n  }\n}"},
			{Heading: "Claude Code", Lang: "text", Code: "claude mcp add --transport http foyer " + address},
			{Heading: "Cursor", Text: []string{"In a project's .cursor/mcp.json, or in ~/.cursor/mcp.json for all projects:"}, Lang: "json", Code: config("mcpServers", "")},
			{Heading: "VS Code", Text: []string{"In .vscode/mcp.json:"}, Lang: "json", Code: config("servers", asHTTP)},
			{Heading: "Any other client", Text: []string{"Most take a file like this one:"}, Lang: "json", Code: config("mcpServers", asHTTP)},
			{Heading: "By hand", Text: []string{"A call is one POST, without a handshake:"}, Lang: "sh", Code: "curl '" + address + "' \\\n" +
				"  -H 'Content-Type: application/json' \\\n" +
				"  -H 'Accept: application/json, text/event-stream' \\\n" +
				"  -H 'MCP-Protocol-Version: " + Protocols[0] + "' \\\n" +
				"  -d '{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"" + ToolPlumbing.Name + "\", \"arguments\": {\"zip_code\": \"33139\"}}}'"},
		},
	}
}

// ConsoleWords are the texts of the console on the docs page.
type ConsoleWords struct {
	Heading, Intro, WithoutScript, ToForm, Call, Body, Send, Sending, Failed string
}

// Console is for dry runs: a request sent from the console is only validated, never stored.
var Console = ConsoleWords{
	Heading:       "Try it",
	Intro:         "Send a call from this page. Requests are sent as dry runs: they are checked and answered, and nothing is stored.",
	WithoutScript: "This needs JavaScript. Without it, use the examples above, or send a request with the form:",
	ToForm:        "the form",
	Call:          "Call",
	Body:          "Body",
	Send:          "Send",
	Sending:       "Sending.",
	Failed:        "The service could not be reached.",
}

// ArticleWords are the texts around a long page.
type ArticleWords struct {
	ContentsLabel, Copy, Copied string
}

// Article holds the ArticleWords in use.
var Article = ArticleWords{ContentsLabel: "On this page", Copy: "Copy", Copied: "Copied"}

// FormInWords replaces the form where there is none.
func (b Brand) FormInWords() string {
	return "Send a request with the form at " + b.URL("/") + ", or as JSON to " + b.Endpoints().Intake + "; see " + b.Endpoints().Docs + "."
}
