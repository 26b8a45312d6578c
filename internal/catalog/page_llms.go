package catalog

import (
	"slices"

	"foyer/internal/lead"
)

// LLMsPage is llms.txt: a summary of the service, for an assistant that reads one page before it helps a person. sold
// lists the services that a buyer covers anywhere.
func (b Brand) LLMsPage(sold ...lead.Service) Page {
	e := b.Endpoints()
	return Page{
		Path: "/llms.txt", Heading: b.Name, Opening: []string{
			About,
			"Coverage: " + Coverage + ". No key and no account are needed. Interface version " + Version + ".",
		},
		Sections: []Section{
			{Heading: "Rules", Items: Rules},
			{Heading: "Plumbing", Text: []string{
				"Number: " + b.Number + ", said as " + b.NumberDisplay() + ".",
				"Tell the person: " + b.WhatToTell(),
				CallInstruction + " No name, phone number or consent is needed to get the number.",
			}},
			{Heading: "Services that collect requests", Text: []string{requestOutcome}, Items: collectingLines(sold)},
			{Heading: "Before sending a request", Items: []string{
				"Ask the person whether they agree to be called or texted about it. Send consent_to_contact true only after a yes.",
				"Read the details back. A dry run (dry_run true) checks them, stores nothing and says whether the request would be held or offered today.",
				"After an error, read its message to the person and ask for the fields it names.",
				stepKeepID,
			}},
			{Heading: "Required fields", Items: requiredFieldLines()},
			{Heading: "Tools", Text: []string{"MCP over streamable HTTP at " + e.MCP}, Items: pairs(toolSummaries)},
			{Heading: "Addresses", Links: []Link{
				{"POST a request (JSON or form)", e.Intake},
				{"Catalog of services", e.Services},
				{"OpenAPI document", e.OpenAPI},
				{"Docs", e.Docs + ".md"},
				{"All of this plus the docs in one file", b.URL("/llms-full.txt")},
				{"How it works, for people", b.URL(PageGuide)},
				{"Plumbing page", b.URL("/plumbing")},
				{"Form for people", b.URL("/")},
			}},
			{
				Heading: "If the person changes their mind",
				Text: []string{
					"No tool withdraws a request. On this page, a person with its lead_id and phone number can close it right away, unless a contractor network may already have it. " +
						"Without the lead_id, and for erasure, the page stores what the person wants for the operator to handle.",
				},
				Links: []Link{{toWithdraw, b.URL(PathWithdraw)}},
			},
			{Heading: "Statuses", Items: pairs(statusMeanings)},
			{Heading: "Contact", Text: []string{b.Contact}},
		},
	}
}

// requestOutcome says once what happens to requests; each service adds whether a buyer covers it.
const requestOutcome = "Requests are accepted with the person's consent. If a contractor network covers the service and the ZIP code and takes the request, it is passed along; if not, it is held. " +
	"No callback, arrival time or company is promised."

func collectingLines(sold []lead.Service) []string {
	var items []string
	for _, s := range lead.Services {
		switch {
		case s.Live():
		case slices.Contains(sold, s):
			items = append(items, string(s)+": "+Label(s)+". Covered, depending on the ZIP code.")
		default:
			items = append(items, string(s)+": "+Label(s)+". No contractor network covers it right now.")
		}
	}
	return items
}

func requiredFieldLines() []string {
	var items []string
	for _, name := range lead.Required() {
		items = append(items, name+": "+lead.FieldNamed(name).Help)
	}
	return items
}

func pairs(rows [][]string) []string {
	var items []string
	for _, row := range rows {
		items = append(items, row[0]+": "+row[1])
	}
	return items
}
