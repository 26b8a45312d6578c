package operations

import (
	"foyer/internal/console/operation"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/report"
	"foyer/internal/store"
)

const tagLegalHolds = "legal holds"

// legalHoldWhy is why a legal hold is added or removed.
func legalHoldWhy(help string) operation.Field {
	return operation.Field{Name: "why", Kind: operation.Text, Required: true, Help: help + " At most 100 characters, kept for good: no names, phone numbers or email addresses."}
}

var legalHoldOperations = []operation.Operation{
	{
		Method: get, Path: "/legal-holds", ID: "listLegalHolds", Tag: tagLegalHolds, Summary: "Legal holds, oldest first",
		Query:  []operation.Field{{Name: "state", Kind: operation.Text, Choices: []string{"in_force", "all"}, DefaultValue: "in_force", Help: "Which of them."}, operation.LimitField, operation.CursorField},
		Answer: operation.Answer{Name: "LegalHold", Sample: report.LegalHold(lead.LegalHold{}), List: true}, Run: listLegalHolds,
	},
	{
		Method: post, Path: "/legal-holds", ID: "addLegalHold", Tag: tagLegalHolds, Write: true, Created: true, Summary: "Put a lead under a legal hold",
		Description: "Until the hold is removed, the person of the lead is not erased, a privacy request to erase them stays open, and the audit trail keeps what is about the lead. " +
			"The status of the lead stays as it is: to take it off the market, close it. A lead can be under several holds, one for each matter.",
		Body:   []operation.Field{leadID[0], legalHoldWhy("Which claim or investigation, such as the number of the matter.")},
		Answer: operation.Answer{Name: "ChangedLegalHold", Sample: report.LegalHoldChange(operator.LegalHoldChange{})},
		Run: func(c *operation.Call) (any, error) {
			added, err := c.Op.AddLegalHold(c.Ctx, c.By(), c.In.Text("lead_id"), c.In.Text("why"))
			return report.LegalHoldChange(added), err
		},
	},
	{
		Method: post, Path: "/legal-holds/{legal_hold_id}/remove", ID: "removeLegalHold", Tag: tagLegalHolds, Write: true, Summary: "Remove a legal hold",
		Description: "The hold stays on record. Unless the lead is under another, its person can be erased from now on.",
		InPath:      []operation.Field{{Name: "legal_hold_id", Kind: operation.Text, Required: true, Help: "The id of the hold, or that of a lead that is under one hold alone."}},
		Body:        []operation.Field{legalHoldWhy("Why it is removed.")},
		Answer:      operation.Answer{Name: "ChangedLegalHold", Sample: report.LegalHoldChange(operator.LegalHoldChange{})},
		Run: func(c *operation.Call) (any, error) {
			removed, err := c.Op.RemoveLegalHold(c.Ctx, c.By(), c.In.Text("legal_hold_id"), c.In.Text("why"))
			return report.LegalHoldChange(removed), err
		},
	},
}

func listLegalHolds(c *operation.Call) (answer any, err error) {
	err = c.Op.Store.View(c.Ctx, func(tx *store.Tx) error {
		list, err := tx.LegalHolds().List(c.In.Text("state") == "all")
		if err != nil {
			return err
		}
		answer, err = operation.PageOf(c, list, func(h lead.LegalHold) string { return h.ID }, report.LegalHold)
		return err
	})
	return answer, err
}
