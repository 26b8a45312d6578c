package web

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"foyer/docs"
	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/lead"
)

// Interfaces holds the descriptions that the other interfaces publish of themselves. The docs pages are generated from it,
// so there is no second description that could differ.
type Interfaces struct {
	OpenAPI []byte    // the OpenAPI document of the HTTP interface
	Tools   []byte    // the result of tools/list
	Now     time.Time // when the pages are rendered: security.txt expires a year later
}

// article is a page written in Markdown.
type article struct {
	Contents []catalog.Link // the table of contents
	Parts    []template.HTML
	markdown string
}

// docsView is the reference page, generated from the interfaces' own descriptions.
func (s *Site) docsView(d Interfaces) (view, error) {
	operations, err := operationsText(d.OpenAPI)
	if err != nil {
		return view{}, fmt.Errorf("the OpenAPI document: %w", err)
	}
	tools, err := toolsText(d.Tools)
	if err != nil {
		return view{}, fmt.Errorf("the list of tools: %w", err)
	}
	statusOf := func(k lead.Kind) int { return edge.Status(&lead.Error{Kind: k}) }
	text, err := s.brand.DocsText(statusOf, fieldType, tools, operations)
	if err != nil {
		return view{}, err
	}
	aboveConsole, belowConsole, _ := strings.Cut(text, consoleMark)
	before, contents := renderMarkdown(aboveConsole)
	after, more := renderMarkdown(belowConsole)
	console, err := s.part("console", newConsole(s.brand))
	if err != nil {
		return view{}, err
	}
	page := s.brand.DocsPage()
	return s.articleView(page, article{
		Contents: slices.Concat(contents, []catalog.Link{{Text: catalog.ConsoleHeading, Address: "#" + consoleID}}, more),
		Parts:    []template.HTML{before, console, after}, markdown: markdown(page) + "\n" + aboveConsole + belowConsole,
	}), nil
}

// buyersView is the contract for buyers, from docs/buyers.md in the repository.
func (s *Site) buyersView() view {
	title, text, _ := strings.Cut(strings.TrimPrefix(docs.Buyers, "# "), "\n")
	opening, rest, _ := strings.Cut(strings.TrimSpace(text), "\n\n## ")
	first, _ := renderMarkdown(opening)
	body, contents := renderMarkdown("## " + rest)
	page := catalog.Page{
		Path: catalog.PageBuyers, Title: title + " - " + s.brand.Name, Heading: title,
		Description: "What " + s.brand.Name + " sends to the endpoint of a contractor network that takes leads, what it answers, and what follows from it.",
	}
	return s.articleView(page, article{Contents: contents, Parts: []template.HTML{first, body}, markdown: docs.Buyers})
}

func (s *Site) articleView(page catalog.Page, a article) view {
	v := s.view(page).withPart("article", a)
	v.Layout = "broad"
	v.Styles = append(v.Styles, s.brand.URL(docsStyle.Path))
	v.Scripts = append(v.Scripts, s.brand.URL(docsScript.Path))
	return v
}

// operationsText describes each operation of the OpenAPI document, as Markdown.
func operationsText(document []byte) (string, error) {
	var api openAPI
	if err := json.Unmarshal(document, &api); err != nil {
		return "", err
	}
	var out strings.Builder
	for _, address := range api.Paths {
		for _, method := range address.value {
			out.WriteString("\n### " + strings.ToUpper(method.name) + " " + address.name + "\n" + operationText(&method.value))
		}
	}
	for _, name := range []string{"LeadResponse", "Error"} {
		out.WriteString("\n### " + name + "\n" + memberTable("Member", api.Components.Schemas[name]))
	}
	return out.String(), nil
}

func operationText(o *operation) string {
	text := "\n" + o.Summary + ".\n"
	if o.Description != "" {
		text += "\n" + o.Description + "\n"
	}
	var parameters, answers [][]string
	for _, p := range o.Parameters {
		parameters = append(parameters, []string{p.Name, "in the " + p.In + "; " + describeSchema(&p.Schema), p.Description})
	}
	if len(parameters) > 0 {
		text += table([]string{"Parameter", "What it holds", "Meaning"}, parameters)
	}
	for _, answer := range o.Responses {
		answers = append(answers, []string{answer.name, answer.value.Description})
	}
	return text + table([]string{"Answer", "When"}, answers)
}

// toolsText describes each tool in the result of tools/list, as Markdown.
func toolsText(list []byte) (string, error) {
	var all toolList
	if err := json.Unmarshal(list, &all); err != nil {
		return "", err
	}
	var out strings.Builder
	for _, tool := range all.Tools {
		out.WriteString("\n### " + tool.Name + "\n\n" + tool.Description + "\n")
		if count := len(tool.InputSchema.Properties); count > 3 {
			out.WriteString(argumentList(tool.InputSchema))
		} else if count > 0 {
			out.WriteString(memberTable("Argument", tool.InputSchema))
		}
	}
	return out.String(), nil
}

// argumentList lists the arguments of a tool that has many.
func argumentList(input schema) string {
	var required, optional []string
	for _, argument := range input.Properties {
		if slices.Contains(input.Required, argument.name) {
			required = append(required, "`"+argument.name+"`")
		} else {
			optional = append(optional, "`"+argument.name+"`")
		}
	}
	return "\n- Required: " + strings.Join(required, ", ") + ".\n- Optional: " + strings.Join(optional, ", ") + ".\n"
}

const consoleID = "try-it"

// consoleMark is the line of catalog/docs.md that the console stands in for. The Markdown version goes without both.
const consoleMark = "<!-- console -->\n"

// console lets a reader send calls from the page. Calls that submit a request only validate it: the address has
// dry_run, and the reader cannot change the address.
type console struct {
	ID    string
	Home  string // the form, for readers without scripts
	Calls []consoleCall
}

// consoleCall is a call that the reader can send.
type consoleCall struct {
	Name, Method, Address, Body string
}

func newConsole(b catalog.Brand) console {
	e := b.Endpoints()
	rpc := func(method, params string) string {
		return "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"method\": \"" + method + "\",\n  \"params\": " + params + "\n}"
	}
	return console{ID: consoleID, Home: b.URL("/"), Calls: []consoleCall{
		{"POST /v1/intake?dry_run=true", "POST", e.Intake + "?dry_run=true", catalog.ExampleRequest()},
		{"GET /v1/services", "GET", e.Services, ""},
		{"POST /mcp, tools/list", "POST", e.MCP, rpc("tools/list", "{}")},
		{"POST /mcp, " + catalog.ToolPlumbing.Name, "POST", e.MCP, rpc("tools/call", `{"name": "`+catalog.ToolPlumbing.Name+`", "arguments": {"zip_code": "33139"}}`)},
	}}
}
