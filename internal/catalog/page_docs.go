package catalog

import (
	"strconv"
	"strings"

	"foyer/internal/lead"
)

// DocsPage is the reference for people. The HTTP status of an error's kind is up to the interfaces, so statusOf is an
// argument, and so are the sections generated from the interfaces' documents: operations and tools.
func (b Brand) DocsPage(statusOf func(lead.Kind) int, reference ...Section) Page {
	p := Page{
		Path: "/docs", Title: "Docs - " + b.Name,
		Description: "How programs and assistants use " + b.Name + ": addresses, fields, statuses, errors and limits.",
		Heading:     "Docs",
		Opening: []string{
			b.InShort() + " A request is not a booking.",
			"You don't need a key or an account. The interface version is " + Version + ".",
		},
		Sections: []Section{{Heading: "Rules", Items: Rules}, b.exampleSection(), b.clientSection()},
	}
	p.Sections = append(p.Sections, reference...)
	p.Sections = append(p.Sections, fieldSection(), statusSection(), errorSection(statusOf), keySection(), limitSection(), b.fileSection())
	return p
}

// exampleSection shows a dry run in four languages, so that a reader who copies one stores nothing. A test runs the
// examples.
func (b Brand) exampleSection() Section {
	return Section{
		Heading: "A first request",
		Text:    []string{"Each of these is a dry run: the request is checked and answered, and nothing is stored. Leave out ?dry_run=true to send it for real."},
		Parts: []Section{
			{Heading: "curl", Lang: "sh", Code: b.curlExample()},
			{Heading: "JavaScript", Lang: "js", Code: b.scriptExample()},
			{Heading: "Python", Lang: "python", Code: b.pythonExample()},
			{Heading: "Go", Lang: "go", Code: b.goExample()},
		},
	}
}

// toolSummaries say in one line what the tools' descriptions say in full.
var toolSummaries = [][]string{
	{ToolPlumbing.Name, "The number a person dials for plumbing. Needs no name, phone number or consent."},
	{ToolRequest.Name, "Submits a request, like POST /v1/intake."},
	{ToolCleaning.Name, "The same for house cleaning, with fewer fields."},
	{ToolStatus.Name, "The status of a request, by its lead_id."},
	{ToolServices.Name, "The catalog with the rules."},
}

func fieldSection() Section {
	t := &Table{Head: []string{"Field", "What it holds", "Meaning"}}
	for i := range lead.Fields {
		f := &lead.Fields[i]
		t.Rows = append(t.Rows, []string{f.Name, fieldType(f) + "; " + fieldRequirement(f), lead.IntakeInput.Help(f.Name)})
	}
	return Section{
		Heading: "Fields of a request",
		Text:    []string{"An error reports every problem at once, each with what to send instead. dry_run can also go in the query string."},
		Table:   t,
	}
}

// fieldType returns the type and the bounds of a field.
func fieldType(f *lead.Field) string {
	bounds := strconv.Itoa(f.Min) + " to " + strconv.Itoa(f.Max)
	switch f.Kind {
	case lead.Choice:
		return "one of " + strings.Join(f.Choices, ", ")
	case lead.Whole:
		return "whole number, " + bounds
	case lead.Decimal:
		return "number, " + bounds
	case lead.Date:
		return "date, YYYY-MM-DD"
	case lead.YesNo:
		return "true or false"
	}
	switch {
	case !f.Limited():
		return "text"
	case f.Min > 0:
		return "text, " + bounds + " characters"
	}
	return "text, at most " + strconv.Itoa(f.Max) + " characters"
}

func fieldRequirement(f *lead.Field) string {
	switch {
	case f.Required:
		return "required"
	case f.Default != "":
		return "optional, default " + f.Default
	}
	return FormOptional
}

var statusMeanings = map[lead.Status]string{
	lead.Received:      "Stored. A contractor network that covers the service and the ZIP code is being asked.",
	lead.Validated:     "A dry run passed every check. Nothing was stored.",
	lead.Forwarded:     "Passed to a contractor network that accepted it.",
	lead.Collected:     "Stored and on hold: no contractor network has it.",
	lead.CallToConnect: "Plumbing: the number was given out, and the person dials it.",
	lead.Rejected:      "Closed. It is not passed to anyone.",
	lead.Errored:       "It may not have reached the network that accepted it. It goes to no one else until the operator has looked into it.",
}

func statusSection() Section {
	t := &Table{Head: []string{"Status", "Meaning"}}
	for _, s := range lead.Statuses {
		t.Rows = append(t.Rows, []string{string(s), statusMeanings[s]})
	}
	return Section{
		Heading: "Statuses",
		Text:    []string{"None of them is a booking, and none promises a callback, an arrival time or a company."},
		Table:   t,
	}
}

var errorMeanings = []struct {
	kind lead.Kind
	text string
}{
	{lead.Invalid, "Something in the request is wrong or missing; fields names each problem. Also sent for malformed JSON."},
	{lead.Refused, "Well formed, but refused: the owner of the number asked not to be contacted (a dry run does not say so), or a lead is given back that was not delivered in the last 7 days."},
	{lead.KeyReused, "The Idempotency-Key was already used with a different request."},
	{lead.TooLarge, "The body is over 64 KiB."},
	{lead.UnsupportedMedia, "The body is neither JSON nor a form."},
	{lead.NotAcceptable, "The Accept header asks for a type that is not offered."},
	{lead.Unauthorized, "A buyer's message is not signed with its secret."},
	{lead.Forbidden, "The Host or the Origin of the call is not allowed."},
	{lead.NotFound, "There is nothing at this address, or no request with this lead_id."},
	{lead.MethodNotAllowed, "The address does not take this method; the Allow header lists those it takes."},
	{lead.RateLimited, "Too many requests; try again after Retry-After."},
	{lead.Unavailable, "Nothing was accepted; send it again after Retry-After."},
	{lead.Internal, "A bug on our side. The message includes the id it was logged under."},
}

func errorSection(statusOf func(lead.Kind) int) Section {
	t := &Table{Head: []string{"Code", "HTTP", "When"}}
	for _, e := range errorMeanings {
		t.Rows = append(t.Rows, []string{string(e.kind), strconv.Itoa(statusOf(e.kind)), e.text})
	}
	return Section{
		Heading: "Errors",
		Text:    []string{"An error is a JSON object with error (the code), message (to read to a person) and, if fields are wrong, fields. A tool returns the same object as its result, marked isError."},
		Table:   t,
	}
}

func keySection() Section {
	return Section{
		Heading: "Retries",
		Text: []string{
			"Two identical requests are two requests. To make a retry safe, send both with the same Idempotency-Key header, at most 255 characters long.",
			"All senders share the keys, so use one that no one else would choose, such as a UUID. A counter may collide with another sender's key.",
			"For 24 hours, the same key with the same request gets the first answer again. The same key with a different request is refused.",
		},
	}
}

func limitSection() Section {
	return Section{
		Heading: "Limits",
		Items: []string{
			"A body can be at most 64 KiB.",
			"Requests are counted per client address. Over the limit, the answer is 429 with Retry-After, RateLimit and RateLimit-Policy.",
			"An IPv6 client is counted by its /64, by its /56 with 4 times the limit, and by its /48 with 16 times.",
			"Dry runs, refused requests and repeats of a known Idempotency-Key have a larger limit of their own. The plumbing number is never limited.",
			"Lookups of unknown ids and of unknown consent texts count too.",
			"A batch of tool calls, which only protocol version 2025-03-26 has, can hold at most 32. It takes as much room as its calls would one by one.",
			"One client address can hold a quarter of the open connections. An idle connection may be closed when others need its place.",
			"The table of fields lists the bounds of each field.",
		},
	}
}

// fileSection lists the files that programs discover by themselves.
func (b Brand) fileSection() Section {
	return Section{
		Heading: "Files for machines",
		Text:    []string{"Every page has a Markdown version: add .md to its address, or ask for text/markdown. The home page's is /index.md."},
		Links: []Link{
			{"OpenAPI document", b.URL("/openapi.json")},
			{"Catalog of services", b.URL("/v1/services")},
			{"llms.txt: a summary for assistants", b.URL("/llms.txt")},
			{"llms-full.txt: these docs in one file", b.URL("/llms-full.txt")},
			{"MCP server card", b.URL("/mcp/server-card")},
			{"server.json of the MCP registry", b.URL("/server.json")},
			{"AI catalog", b.URL("/.well-known/ai-catalog.json")},
			{"API catalog, RFC 9727", b.URL("/.well-known/api-catalog")},
			{"security.txt", b.URL("/.well-known/security.txt")},
			{"Docs for contractor networks that take leads", b.URL(PageBuyers)},
		},
	}
}

// PageBuyers is the contract for the buyers' engineers.
const PageBuyers = "/docs/buyers"
