package report

import (
	"fmt"

	"foyer/internal/buyer"
	"foyer/internal/operator/accounts"
	"foyer/internal/operator/entered"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// Statement is a statement as JSON.
func Statement(s buyer.Statement) wire.Object {
	return wire.Object{
		{"id", wire.OrNull(s.ID)},
		{"buyer_id", s.Buyer},
		{"buyer_name", s.BuyerName},
		{"month", s.Month.String()},
		{"time_zone", s.Zone},
		{"ends_at", s.Ends},
		{"closed", s.ID != ""},
		{"opening_cents", s.Opening},
		{"leads", s.Leads},
		{"charges_cents", s.Charges},
		{"returned", s.Returned},
		{"returns_cents", s.Returns},
		{"corrections_cents", s.Corrections},
		{"payments_cents", s.Payments},
		{"closing_cents", s.Closing()},
		{"hash", wire.OrNull(s.Hash)},
		{"closed_at", wire.TimeOrNull(s.ClosedAt)},
		{"closed_by", wire.OrNull(s.ClosedBy)},
	}
}

// StatementRow is a statement in a table.
func StatementRow(s buyer.Statement) []any {
	return []any{s.Month, s.Buyer, terminal.OneLine(s.BuyerName), s.Leads, s.Charges, s.Returns, s.Corrections, s.Payments, s.Closing(), terminal.Time(s.ClosedAt)}
}

// StatementFields is a statement as text.
func StatementFields(s buyer.Statement) wire.Object {
	state := "open: it may still change, and is closed with foyer statements close"
	if s.ID != "" {
		state = fmt.Sprintf("%s, closed %s by %s", s.ID, terminal.Time(s.ClosedAt), s.ClosedBy)
	}
	return wire.Object{
		{"statement", state},
		{"buyer", s.Buyer + " (" + terminal.OneLine(s.BuyerName) + ")"},
		{"month", fmt.Sprintf("%s, which ends %s (%s)", s.Month, terminal.Time(s.Ends), s.Zone)},
		{"owed before", s.Opening.String()},
		{"leads", fmt.Sprintf("%d for %s", s.Leads, s.Charges)},
		{"returns", fmt.Sprintf("%d for %s", s.Returned, s.Returns)},
		{"corrections", s.Corrections.String()},
		{"payments", s.Payments.String()},
		{"owed after", s.Closing().String()},
		{"hash", s.Hash},
	}
}

// Account is what a buyer owes, as JSON.
func Account(a accounts.Account) wire.Object {
	return wire.Object{
		{"buyer_id", a.Buyer.ID}, {"buyer_name", a.Buyer.Terms.Name}, {"state", a.Buyer.State}, {"owed_cents", a.Owed}, {"credit_limit_cents", a.Buyer.Terms.CreditLimit},
	}
}

// AccountRow is what a buyer owes, in a table. A negative amount is what it has left.
func AccountRow(a accounts.Account) []any {
	return []any{a.Buyer.ID, terminal.OneLine(a.Buyer.Terms.Name), State(a.Buyer.State), a.Owed, entered.CreditLimit(a.Buyer.Terms)}
}

// Entered is an entry in a buyer's account, as JSON.
func Entered(in accounts.Entered) wire.Object {
	return wire.Object{{"buyer_id", in.Buyer}, {"kind", in.Kind}, {"amount_cents", in.Amount}, {"note", wire.OrNull(in.Note)}, {"owed_cents", in.Owed}}
}
