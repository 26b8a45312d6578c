package report

import (
	"cmp"
	"time"

	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// LegalHold is a legal hold as JSON.
func LegalHold(h lead.LegalHold) wire.Object {
	return wire.Object{
		{"legal_hold_id", h.ID},
		{"lead_id", h.LeadID},
		{"in_force", h.InForce()},
		{"created_at", h.CreatedAt},
		{"created_by", h.CreatedBy},
		{"why", h.Why},
		{"removed_at", wire.TimeOrNull(h.RemovedAt)},
		{"removed_by", wire.OrNull(h.RemovedBy)},
		{"removed_why", wire.OrNull(h.RemovedWhy)},
	}
}

func legalHolds(list []lead.LegalHold) []wire.Object {
	objects := make([]wire.Object, len(list))
	for i, h := range list {
		objects[i] = LegalHold(h)
	}
	return objects
}

// LegalHoldChange is a legal hold that was added or removed, as JSON.
func LegalHoldChange(c operator.LegalHoldChange) wire.Object {
	return append(LegalHold(c.LegalHold), wire.Object{
		{"other_legal_holds", lead.HoldIDs(c.Others)}, {"person_erased", c.Erased}, {"privacy_request_ids", append([]string{}, c.Requests...)},
	}...)
}

// LegalHoldLine is a legal hold in one line.
func LegalHoldLine(h lead.LegalHold) string {
	return h.ID + ", since " + h.CreatedAt.UTC().Format(time.DateOnly) + ", by " + h.CreatedBy + ": " + terminal.OneLine(h.Why)
}

// LegalHoldHeadings are the headings of LegalHoldRow.
const LegalHoldHeadings = "LEGAL HOLD\tLEAD\tSINCE\tBY\tWHY\tREMOVED"

// LegalHoldRow is a legal hold in a table.
func LegalHoldRow(h lead.LegalHold) []any {
	removed := "-"
	if !h.InForce() {
		removed = terminal.Time(h.RemovedAt) + " by " + h.RemovedBy + ": " + terminal.OneLine(h.RemovedWhy)
	}
	return []any{h.ID, cmp.Or(h.LeadID, "-"), terminal.Time(h.CreatedAt), h.CreatedBy, terminal.OneLine(h.Why), removed}
}
