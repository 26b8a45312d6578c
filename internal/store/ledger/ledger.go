// Package ledger has the SQL of money: the table ledger, what buyers owe and paid, and the statements that close a month of it. An amount
// is never changed, and an entry is put on one statement at most. It decides nothing.
package ledger

import (
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// Ledger is the ledger as one transaction sees it.
type Ledger struct{ Conn db.Conn }

// Add adds an entry. The database refuses a second charge or a second return for the same offer.
func (l Ledger) Add(e buyer.Entry) error {
	return l.Conn.Exec(`INSERT INTO ledger (buyer_id, at, kind, amount_cents, offer_id, lead_id, service_type, note) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		[]any{e.Buyer, rows.Micros(e.At), string(e.Kind), int64(e.Amount), e.Offer, e.LeadID, string(e.Service), e.Note})
}

// Owed is what a buyer owes, negative if it paid more than it was charged: what it owed after its last statement, and the entries since.
func (l Ledger) Owed(id string) (buyer.Cents, error) {
	last, _, err := l.LastStatement(id)
	if err != nil {
		return 0, err
	}
	open, err := l.Totals(Lines{Buyer: id})
	return last.Closing() + open.Net(), err
}

// Buyer finds a buyer by its id. A removed one still has an account.
func (l Ledger) Buyer(id string) (buyer.Buyer, error) {
	b, found, err := db.One(l.Conn, rows.Buyer, `SELECT `+rows.BuyerColumns+` FROM buyers WHERE id = $1`, id)
	if err == nil && !found {
		err = &lead.Error{Kind: lead.NotFound, Message: "There is no buyer with this id."}
	}
	return b, err
}

// Buyers lists every buyer, removed ones included.
func (l Ledger) Buyers() (list []buyer.Buyer, err error) {
	err = l.Conn.Query(`SELECT `+rows.BuyerColumns+` FROM buyers ORDER BY created_at, id`, nil, func(r db.Row) error {
		b, err := rows.Buyer(r)
		list = append(list, b)
		return err
	})
	return list, err
}
