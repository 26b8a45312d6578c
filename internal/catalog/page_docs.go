package catalog

import (
	"strconv"
	"strings"

	"foyer/internal/lead"
)

// DocsPage is the reference for people. How an error's kind is numbered on the wire is the doors' affair, so it is an
// argument.
func (b Brand) DocsPage(statusOf func(lead.Kind) int) Page {
	return Page{
		Path: "/docs", Title: "Docs - " + b.Name,
		Description: "How programs and assistants use " + b.Name + ": addresses, fields, statuses, errors and limits.",
		Heading:     "Docs",
		Opening: []string{
			b.inShort() + " A request is not a booking.",
			"No key and no account are needed. The interface version is " + Version + ".",
		},
		Sections: []Section{
			{Heading: "Rules", Items: Rules},
			b.endpointSection(),
			b.exampleSection(),
			b.toolSection(),
			fieldSection(),
			statusSection(),
			errorSection(statusOf),
			keySection(),
			limitSection(),
		},
	}
}

func (b Brand) endpointSection() Section {
	return Section{
		Heading: "Addresses",
		Text:    []string{"All of them start with " + b.BaseURL + "."},
		Table: &Table{Head: []string{"Address", "What it does"}, Rows: [][]string{
			{"GET /v1/services", "The catalog: what is live, what collects requests, the plumbing number, the rules."},
			{"POST /v1/intake", "Takes a request in, as JSON or as a form. JSON gets 202 and a receipt; a form is redirected with 303."},
			{"GET /v1/leads/{lead_id}", "Where a request stands. It tells nothing about the person."},
			{"POST /v1/offers/{offer_id}/returned", "For contractor networks: gives a lead back, with a reason. The message is signed."},
			{"POST /mcp", "The tools, over streamable HTTP."},
			{"GET /openapi.json", "This interface for machines, OpenAPI 3.1."},
			{"GET /llms.txt", "This interface in short, for an assistant."},
			{"GET /health", "Whether the service and its store answer."},
		}},
		Links: []Link{{"OpenAPI document", b.URL("/openapi.json")}, {"Catalog", b.URL("/v1/services")}, {"llms.txt", b.URL("/llms.txt")}},
	}
}

// exampleSection shows a dry run, so that who copies it stores nothing.
func (b Brand) exampleSection() Section {
	return Section{
		Heading: "A first request",
		Text:    []string{"This one is a dry run: it is checked and answered, and nothing is stored. Leave out ?dry_run=true to send it for real."},
		Code: "curl '" + b.URL("/v1/intake") + "?dry_run=true' \\\n" +
			"  -H 'Content-Type: application/json' \\\n" +
			"  -d '" + exampleBody() + "'",
	}
}

// exampleBody is the shortest request that is complete, made of the field table's own examples.
func exampleBody() string {
	var members []string
	for _, name := range lead.Required() {
		f := lead.FieldNamed(name)
		value := strconv.Quote(f.Example)
		if f.Kind == lead.YesNo {
			value = f.Example
		}
		members = append(members, strconv.Quote(name)+": "+value)
	}
	return "{\n    " + strings.Join(members, ",\n    ") + "\n  }"
}

// toolWords say in a line what the tools' own descriptions say in full.
var toolWords = [][]string{
	{ToolPlumbing.Name, "The number a person dials for plumbing. Needs no name, phone number or consent."},
	{ToolRequest.Name, "Takes a request in, like POST /v1/intake."},
	{ToolCleaning.Name, "The same for house cleaning, with fewer fields."},
	{ToolStatus.Name, "Where a request stands, by its lead_id."},
	{ToolServices.Name, "The catalog with the rules."},
}

func (b Brand) toolSection() Section {
	return Section{
		Heading: "Tools for assistants (MCP)",
		Text:    []string{"Give this to a client that speaks the Model Context Protocol over streamable HTTP:"},
		Code:    "{\n  \"mcpServers\": {\n    \"foyer\": {\n      \"type\": \"http\",\n      \"url\": " + strconv.Quote(b.URL("/mcp")) + "\n    }\n  }\n}",
		Table:   &Table{Head: []string{"Tool", "What it does"}, Rows: toolWords},
	}
}

func fieldSection() Section {
	t := &Table{Head: []string{"Field", "What it holds", "Meaning"}}
	for i := range lead.Fields {
		f := &lead.Fields[i]
		t.Rows = append(t.Rows, []string{f.Name, holds(f) + "; " + needed(f), f.Help})
	}
	return Section{
		Heading: "Fields of a request",
		Text:    []string{"All problems of a request are told at once, each with what to send instead. dry_run may stand in the address too."},
		Table:   t,
	}
}

// holds tells the type and the bounds of a field.
func holds(f *lead.Field) string {
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

func needed(f *lead.Field) string {
	switch {
	case f.Required:
		return "required"
	case f.Default != "":
		return "optional, else " + f.Default
	}
	return FormOptional
}

var statusWords = map[lead.Status]string{
	lead.Received:      "Stored. A contractor network that covers the service and the ZIP code is being asked.",
	lead.Validated:     "A dry run passed every check. Nothing was stored.",
	lead.Forwarded:     "Passed to a contractor network that accepted it.",
	lead.Collected:     "Stored and held, because no contractor network takes it right now.",
	lead.CallToConnect: "Plumbing: the number was handed out, and the person dials it.",
	lead.Rejected:      "Closed. It goes to nobody.",
	lead.Failed:        "It is not certain that it was passed along. It goes to nobody else until the operator has looked.",
}

func statusSection() Section {
	t := &Table{Head: []string{"Status", "Meaning"}}
	for _, s := range lead.Statuses {
		t.Rows = append(t.Rows, []string{string(s), statusWords[s]})
	}
	return Section{
		Heading: "Statuses",
		Text:    []string{"None of them is a booking, and none promises a callback, an arrival time or a company."},
		Table:   t,
	}
}

var errorWords = []struct {
	kind lead.Kind
	text string
}{
	{lead.Invalid, "Something in the request is wrong or missing; fields names each. Malformed JSON too."},
	{lead.Refused, "Well formed, but refused: the owner of the number asked not to be contacted, or a lead is given back that was not delivered in the last 7 days."},
	{lead.KeyReused, "The Idempotency-Key came with another request before."},
	{lead.TooLarge, "The body is over 64 KiB."},
	{lead.UnsupportedMedia, "The body is neither JSON nor a form."},
	{lead.NotAcceptable, "The Accept header asks for a type that is not offered."},
	{lead.Unauthorized, "A buyer's message is not signed with its secret."},
	{lead.Forbidden, "The Host or the Origin of the call is not allowed."},
	{lead.NotFound, "There is nothing at this address, or no request with this lead_id."},
	{lead.MethodNotAllowed, "The address does not take this method; the Allow header tells which it takes."},
	{lead.RateLimited, "Too many requests; come back after Retry-After."},
	{lead.Unavailable, "Nothing was accepted; send it again after Retry-After."},
	{lead.Internal, "A fault on our side. The message carries the id under which it was logged."},
}

func errorSection(statusOf func(lead.Kind) int) Section {
	t := &Table{Head: []string{"Code", "HTTP", "When"}}
	for _, e := range errorWords {
		t.Rows = append(t.Rows, []string{string(e.kind), strconv.Itoa(statusOf(e.kind)), e.text})
	}
	return Section{
		Heading: "Errors",
		Text:    []string{"An error is a JSON object with error (the code), message (to read to a person) and, where fields are wrong, fields. A tool gives the same object as its result, marked isError."},
		Table:   t,
	}
}

func keySection() Section {
	return Section{
		Heading: "Sending again",
		Text: []string{
			"Two equal requests are two requests. A program that may send one twice gives both the same Idempotency-Key header, for example a UUID of at most 255 characters.",
			"For 24 hours the same key with the same request gets the first answer again. The same key with another request is refused.",
		},
	}
}

func limitSection() Section {
	return Section{
		Heading: "Limits",
		Items: []string{
			"A body holds at most 64 KiB.",
			"Requests are counted for each client address. Over the limit the answer is 429 with Retry-After, RateLimit and RateLimit-Policy.",
			"Dry runs and refused requests have a larger limit of their own. The plumbing number is never limited.",
			"The bounds of each field stand in the table of fields.",
		},
	}
}
