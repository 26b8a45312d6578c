package console

import (
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/report"
	"foyer/internal/source"
)

const tagSources = "sources"

var (
	sourceKey    = []field{{name: "source", kind: text, required: true, help: "The source's key or name."}}
	sourceFields = inputFields[entered.SourceTerms]()
	sourceAnswer = answer{"Source", report.Source(operator.SourceSummary{}), false}
)

var sourceOperations = []operation{
	{
		method: get, path: "/sources", id: "listSources", tag: tagSources, summary: "The sources of leads, and what they sent this month",
		query: []field{limitField, cursorField}, answer: answer{"Source", sourceAnswer.sample, true},
		run: func(c *call) (any, error) {
			list, err := c.op.Sources(c.ctx)
			if err != nil {
				return nil, err
			}
			return pageOf(c, list, func(s operator.SourceSummary) string { return s.Key }, report.Source)
		},
	},
	{
		method: post, path: "/sources", id: "addSource", tag: tagSources, write: true, created: true, summary: "Add a source of leads",
		description: "Its key stands in links to the form, ?source=KEY, or in the header Foyer-Source of programs. The service knows it after a second.",
		body:        append([]field{{name: "name", kind: text, required: true, help: "What you call it. Never shown to the public."}}, sourceFields...), answer: sourceAnswer,
		run: func(c *call) (any, error) {
			s, err := c.op.AddSource(c.ctx, c.by(), c.in.text("name"), fill[entered.SourceTerms](sourceFields, c.in))
			return report.Source(operator.SourceSummary{Source: s}), err
		},
	},
	{
		method: get, path: "/sources/{source}", id: "getSource", tag: tagSources, summary: "Everything about a source",
		inPath: sourceKey, answer: sourceAnswer, run: func(c *call) (any, error) { return c.showSource(c.in.text("source")) },
	},
	{
		method: post, path: "/sources/{source}", id: "editSource", tag: tagSources, write: true, summary: "Change a source",
		description: "What is left out stays as it is. What leads cost changes for those that come from now on.",
		inPath:      sourceKey, body: append([]field{{name: "name", kind: text, help: "What you call it."}}, sourceFields...), answer: sourceAnswer, run: (*call).editSource,
	},
	{
		method: post, path: "/sources/{source}/block", id: "blockSource", tag: tagSources, write: true, summary: "Make a source's key count for nothing",
		description: "Requests that name it are kept all the same, as if they named none, and marked.",
		inPath:      sourceKey, body: []field{{name: "hold", kind: boolean, defaultValue: false, help: "Hold requests that name it, until they are released."}}, answer: sourceAnswer,
		run: func(c *call) (any, error) {
			return c.changeSource(func(word string) (source.Source, error) {
				return c.op.BlockSource(c.ctx, c.by(), word, c.in.flag("hold"))
			})
		},
	},
	{
		method: post, path: "/sources/{source}/unblock", id: "unblockSource", tag: tagSources, write: true, summary: "Make a source's key count again",
		description: "Leads that are held stay held.",
		inPath:      sourceKey, answer: sourceAnswer,
		run: func(c *call) (any, error) {
			return c.changeSource(func(word string) (source.Source, error) { return c.op.UnblockSource(c.ctx, c.by(), word) })
		},
	},
}

func (c *call) showSource(word string) (any, error) {
	s, err := c.op.Source(c.ctx, word)
	return report.Source(s), err
}

func (c *call) changeSource(change func(word string) (source.Source, error)) (any, error) {
	s, err := change(c.in.text("source"))
	if err != nil {
		return nil, err
	}
	return c.showSource(s.Key)
}

func (c *call) editSource() (any, error) {
	var name *string
	if n, given := c.in["name"].(string); given {
		name = &n
	}
	in := fill[entered.SourceTerms](sourceFields, c.in)
	if name == nil && in == (entered.SourceTerms{}) {
		return nil, lead.InvalidField("body", "body: there is nothing to change. Name at least one field, as in {\"cost_cents\": 1250}.")
	}
	return c.changeSource(func(word string) (source.Source, error) { return c.op.EditSource(c.ctx, c.by(), word, name, in) })
}
