package console

import (
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/report"
	"foyer/internal/store"
)

const tagLegalHolds = "legal holds"

// legalHoldWhy is why a legal hold is added or removed.
func legalHoldWhy(help string) field {
	return field{name: "why", kind: text, required: true, help: help + " At most 100 characters, kept for good: no names, phone numbers or email addresses."}
}

var legalHoldOperations = []operation{
	{
		method: get, path: "/legal-holds", id: "listLegalHolds", tag: tagLegalHolds, summary: "Legal holds, oldest first",
		query:  []field{{name: "state", kind: text, choices: []string{"in_force", "all"}, defaultValue: "in_force", help: "Which of them."}, limitField, cursorField},
		answer: answer{"LegalHold", report.LegalHold(lead.LegalHold{}), true}, run: (*call).listLegalHolds,
	},
	{
		method: post, path: "/legal-holds", id: "addLegalHold", tag: tagLegalHolds, write: true, created: true, summary: "Put a lead under a legal hold",
		description: "Until the hold is removed, the person of the lead is not erased, a privacy request to erase them stays open, and the audit trail keeps what is about the lead. " +
			"The status of the lead stays as it is: to take it off the market, close it. A lead can be under several holds, one for each matter.",
		body:   []field{leadID[0], legalHoldWhy("Which claim or investigation, such as the number of the matter.")},
		answer: answer{"ChangedLegalHold", report.LegalHoldChange(operator.LegalHoldChange{}), false},
		run: func(c *call) (any, error) {
			added, err := c.op.AddLegalHold(c.ctx, c.by(), c.in.text("lead_id"), c.in.text("why"))
			return report.LegalHoldChange(added), err
		},
	},
	{
		method: post, path: "/legal-holds/{legal_hold_id}/remove", id: "removeLegalHold", tag: tagLegalHolds, write: true, summary: "Remove a legal hold",
		description: "The hold stays on record. Unless the lead is under another, its person can be erased from now on.",
		inPath:      []field{{name: "legal_hold_id", kind: text, required: true, help: "The id of the hold, or that of a lead that is under one hold alone."}},
		body:        []field{legalHoldWhy("Why it is removed.")},
		answer:      answer{"ChangedLegalHold", report.LegalHoldChange(operator.LegalHoldChange{}), false},
		run: func(c *call) (any, error) {
			removed, err := c.op.RemoveLegalHold(c.ctx, c.by(), c.in.text("legal_hold_id"), c.in.text("why"))
			return report.LegalHoldChange(removed), err
		},
	},
}

func (c *call) listLegalHolds() (answer any, err error) {
	err = c.op.Store.View(c.ctx, func(tx *store.Tx) error {
		list, err := tx.LegalHolds().List(c.in.text("state") == "all")
		if err != nil {
			return err
		}
		answer, err = pageOf(c, list, func(h lead.LegalHold) string { return h.ID }, report.LegalHold)
		return err
	})
	return answer, err
}
