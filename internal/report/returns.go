package report

import (
	"foyer/internal/buyer"
	"foyer/internal/store"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// Return is a return as JSON.
func Return(r store.ListedReturn) wire.Object {
	return wire.Object{
		{"offer_id", r.Offer},
		{"lead_id", r.LeadID},
		{"buyer_id", r.Buyer},
		{"buyer_name", wire.OrNull(r.BuyerName)},
		{"returned_at", r.At},
		{"code", r.Code},
		{"reason", wire.OrNull(r.Reason)},
		{"price_cents", r.Price},
		{"state", r.State},
		{"decided_at", wire.TimeOrNull(r.DecidedAt)},
		{"decided_by", wire.OrNull(r.DecidedBy)},
		{"note", wire.OrNull(r.Note)},
		{"buyer_notified_at", wire.TimeOrNull(r.NotifiedAt)},
	}
}

// DecidedReturn is what was decided about a return, as JSON.
func DecidedReturn(r buyer.Return) wire.Object {
	return wire.Object{{"offer_id", r.Offer}, {"buyer_id", r.Buyer}, {"code", r.Code}, {"state", r.State}, {"note", wire.OrNull(r.Note)}}
}

// ReturnRow is a return in a table.
func ReturnRow(r store.ListedReturn) []any {
	return []any{r.Offer, terminal.OneLine(r.BuyerName), terminal.Time(r.At), r.Code, r.Price, r.State, terminal.OneLine(r.Reason)}
}
