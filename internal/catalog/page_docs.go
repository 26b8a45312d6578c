package catalog

import (
	_ "embed"
	"strconv"
	"strings"
	"text/template"

	"foyer/internal/lead"
)

//go:embed docs.md
var docsTemplate string

// DocsPage is the head of the reference for people; DocsText is the rest.
func (b Brand) DocsPage() Page {
	return Page{
		Path: "/docs", Title: "Docs - " + b.Name,
		Description: "How programs and assistants use " + b.Name + ": addresses, fields, statuses, errors and limits.",
		Heading:     "Docs",
		Opening: []string{
			b.InShort() + " A request is not a booking.",
			"You don't need a key or an account. The interface version is " + Version + ".",
		},
	}
}

// DocsText fills in docs.md. The HTTP status of an error's kind and the type of a field are up to the interfaces, so they are
// arguments, and so are the parts generated from the interfaces' documents.
func (b Brand) DocsText(statusOf func(lead.Kind) int, typeOf func(*lead.Field) (string, error), tools, operations string) (string, error) {
	t, err := template.New("docs.md").Funcs(template.FuncMap{
		"members": exampleMembers, "type": typeOf, "requirement": fieldRequirement, "help": lead.IntakeInput.Help, "http": statusOf,
	}).Parse(docsTemplate)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = t.Execute(&out, struct {
		Brand
		Rules               []string
		Protocols, Protocol string
		Tools, Operations   string
		Fields              []lead.Field
		Statuses            [][]string
	}{b, Rules, strings.Join(Protocols, ", "), Protocols[0], tools, operations, lead.Fields[:], statusMeanings})
	return out.String(), err
}

// toolSummaries say in one line what the tools' descriptions say in full.
var toolSummaries = [][]string{
	{ToolPlumbing.Name, "The number a person dials for plumbing. Needs no name, phone number or consent."},
	{ToolRequest.Name, "Submits a request, like POST /v1/intake."},
	{ToolCleaning.Name, "The same for house cleaning, with fewer fields."},
	{ToolStatus.Name, "The status of a request, by its lead_id."},
	{ToolServices.Name, "The catalog with the rules."},
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

// statusMeanings are in the order of lead.Statuses.
var statusMeanings = [][]string{
	{string(lead.Received), "Stored. A contractor network that covers the service and the ZIP code is being asked."},
	{string(lead.Validated), "A dry run passed every check. Nothing was stored."},
	{string(lead.Forwarded), "Passed to a contractor network that accepted it."},
	{string(lead.Collected), "Stored and on hold: no contractor network has it."},
	{string(lead.CallToConnect), "Plumbing: the number was given out, and the person dials it."},
	{string(lead.Rejected), "Closed. It is not passed to anyone."},
	{string(lead.Errored), "It may not have reached the network that accepted it. It goes to no one else until the operator has looked into it."},
}

// PageBuyers is the contract for the buyers' engineers.
const PageBuyers = "/docs/buyers"

// exampleMembers are the members of the shortest complete request, made of the field table's examples, one per line.
func exampleMembers(indent, yes string) string {
	var lines []string
	for _, name := range lead.Required() {
		f := lead.FieldNamed(name)
		value := strconv.Quote(f.Example)
		if f.Kind == lead.YesNo {
			value = yes
		}
		lines = append(lines, indent+strconv.Quote(name)+": "+value)
	}
	return strings.Join(lines, ",\n")
}

// ExampleRequest returns the example as a JSON document.
func ExampleRequest() string { return "{\n" + exampleMembers("  ", "true") + "\n}" }

// FormInWords replaces the form where there is none.
func (b Brand) FormInWords() string {
	return "Send a request with the form at " + b.URL("/") + ", or as JSON to " + b.Endpoints().Intake + "; see " + b.Endpoints().Docs + "."
}

// PageOperatorDocs is the page that describes the operator's API to people who hold a token. No page links to it.
const PageOperatorDocs = "/docs/operator"

// OperatorDocsPage describes the operator's API.
func (b Brand) OperatorDocsPage() Page {
	return Page{
		Path: PageOperatorDocs, Title: "API for operators - " + b.Name, Description: "What programs of the operator can do.",
		Heading: "API for operators", Opening: []string{"Everything that the command line can do to leads, buyers, sources, money and reports, for programs."},
	}
}

// OperatorDocsText begins the description of the operator's API, as Markdown. base is where it is; rules are those of every operation.
func OperatorDocsText(base, rules string) string {
	return "## The first request\n\n```sh\ncurl -H \"Authorization: Bearer $TOKEN\" \\\n  '" + base + "/v1/operator/leads?received=today" + "'\n```\n\n" + rules +
		"\n\nThe OpenAPI document is at `" + base + "/v1/operator/openapi.json" + "`; it needs the token, too.\n\n## Errors\n\nAn error is an object with error, message and, if fields are wrong, what is wrong with each.\n\n"
}

// AskTokenPage asks for a token. problem says what was wrong with the last one, or is nil.
func (b Brand) AskTokenPage(problem *lead.Error) Page {
	p := Page{
		Path: PageOperatorDocs, Title: "Token needed - " + b.Name, Description: "This page is for the operator.",
		Heading: "Token needed", Opening: []string{"This page is for people who hold a token."},
	}
	if problem != nil {
		p.Opening = []string{"This token can't be used: it is wrong, revoked or expired."}
		if problem.Kind != lead.Unauthorized {
			p.Opening = []string{problem.Message}
		}
	}
	return p
}
