package operations

import (
	"foyer/internal/console/operation"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/sources"
	"foyer/internal/report"
	"foyer/internal/source"
)

const tagSources = "sources"

var (
	sourceKey    = []operation.Field{{Name: "source", Kind: operation.Text, Required: true, Help: "The source's key or name."}}
	SourceFields = operation.InputFields[entered.SourceTerms]()
	sourceAnswer = operation.Answer{Name: "Source", Sample: report.Source(sources.Summary{})}
)

var sourceOperations = []operation.Operation{
	{
		Method: get, Path: "/sources", ID: "listSources", Tag: tagSources, Summary: "The sources of leads, and what they sent this month",
		Query: []operation.Field{operation.LimitField, operation.CursorField}, Answer: operation.Answer{Name: "Source", Sample: sourceAnswer.Sample, List: true},
		Run: func(c *operation.Call) (any, error) {
			list, err := c.Op.Sources().List(c.Ctx)
			if err != nil {
				return nil, err
			}
			return operation.PageOf(c, list, func(s sources.Summary) string { return s.Key }, report.Source)
		},
	},
	{
		Method: post, Path: "/sources", ID: "addSource", Tag: tagSources, Write: true, Created: true, Summary: "Add a source of leads",
		Description: "Its key stands in links to the form, ?source=KEY, or in the header Foyer-Source of programs. The service knows it after a second.",
		Body:        append([]operation.Field{{Name: "name", Kind: operation.Text, Required: true, Help: "What you call it. Never shown to the public."}}, SourceFields...), Answer: sourceAnswer,
		Run: func(c *operation.Call) (any, error) {
			s, err := c.Op.Sources().Add(c.Ctx, c.By(), c.In.Text("name"), operation.Fill[entered.SourceTerms](SourceFields, c.In))
			return report.Source(sources.Summary{Source: s}), err
		},
	},
	{
		Method: get, Path: "/sources/{source}", ID: "getSource", Tag: tagSources, Summary: "Everything about a source",
		InPath: sourceKey, Answer: sourceAnswer, Run: func(c *operation.Call) (any, error) { return showSource(c, c.In.Text("source")) },
	},
	{
		Method: post, Path: "/sources/{source}", ID: "editSource", Tag: tagSources, Write: true, Summary: "Change a source",
		Description: "What is left out stays as it is. What leads cost changes for those that come from now on.",
		InPath:      sourceKey, Body: append([]operation.Field{{Name: "name", Kind: operation.Text, Help: "What you call it."}}, SourceFields...), Answer: sourceAnswer, Run: editSource,
	},
	{
		Method: post, Path: "/sources/{source}/block", ID: "blockSource", Tag: tagSources, Write: true, Summary: "Make a source's key count for nothing",
		Description: "Requests that name it are kept all the same, as if they named none, and marked.",
		InPath:      sourceKey, Body: []operation.Field{{Name: "hold", Kind: operation.Boolean, DefaultValue: false, Help: "Hold requests that name it, until they are released."}}, Answer: sourceAnswer,
		Run: func(c *operation.Call) (any, error) {
			return changeSource(c, func(word string) (source.Source, error) {
				return c.Op.Sources().Block(c.Ctx, c.By(), word, c.In.Flag("hold"))
			})
		},
	},
	{
		Method: post, Path: "/sources/{source}/unblock", ID: "unblockSource", Tag: tagSources, Write: true, Summary: "Make a source's key count again",
		Description: "Leads that are held stay held.",
		InPath:      sourceKey, Answer: sourceAnswer,
		Run: func(c *operation.Call) (any, error) {
			return changeSource(c, func(word string) (source.Source, error) { return c.Op.Sources().Unblock(c.Ctx, c.By(), word) })
		},
	},
}

func showSource(c *operation.Call, word string) (any, error) {
	s, err := c.Op.Sources().Find(c.Ctx, word)
	return report.Source(s), err
}

func changeSource(c *operation.Call, change func(word string) (source.Source, error)) (any, error) {
	s, err := change(c.In.Text("source"))
	if err != nil {
		return nil, err
	}
	return showSource(c, s.Key)
}

func editSource(c *operation.Call) (any, error) {
	var name *string
	if n, given := c.In["name"].(string); given {
		name = &n
	}
	in := operation.Fill[entered.SourceTerms](SourceFields, c.In)
	if name == nil && in == (entered.SourceTerms{}) {
		return nil, lead.InvalidField("body", "body: there is nothing to change. Name at least one field, as in {\"cost_cents\": 1250}.")
	}
	return changeSource(c, func(word string) (source.Source, error) { return c.Op.Sources().Edit(c.Ctx, c.By(), word, name, in) })
}
