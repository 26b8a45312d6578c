package catalog

import "foyer/internal/lead"

// LLMsPage is llms.txt: the service in short, for an assistant that reads one page before it helps a person.
func (b Brand) LLMsPage() Page {
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
			{Heading: "Services that collect requests", Text: []string{NoteHeld}, Items: collecting()},
			{Heading: "Before sending a request", Items: []string{
				"Ask the person whether they agree to be called or texted about it. Send consent_to_contact true only after a yes.",
				"Read the details back. A dry run (dry_run true) checks them and stores nothing.",
				"After a mistake, read the error's message to the person and ask for the fields it names.",
				"Keep the lead_id: it is the only way to look the request up.",
			}},
			{Heading: "Required fields", Items: requiredWords()},
			{Heading: "Tools", Text: []string{"MCP over streamable HTTP at " + e.MCP}, Items: pairs(toolWords)},
			{Heading: "Addresses", Links: []Link{
				{"POST a request (JSON or form)", e.Intake},
				{"Catalog of services", e.Services},
				{"OpenAPI document", e.OpenAPI},
				{"Docs for people", e.Docs},
				{"Plumbing page", b.URL("/plumbing")},
				{"Form for people", b.URL("/")},
			}},
			{Heading: "Statuses", Items: pairs(statusSection().Table.Rows)},
			{Heading: "Contact", Text: []string{b.Contact}},
		},
	}
}

func collecting() []string {
	var items []string
	for _, s := range lead.Services {
		if !s.Live() {
			items = append(items, string(s)+": "+Label(s)+".")
		}
	}
	return items
}

func requiredWords() []string {
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
