// Package ledger has the SQL of the table ledger: what buyers owe and paid. It adds entries and sums them up; it never changes one, and
// decides nothing.
package ledger

import (
	"foyer/internal/buyer"
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

// Owed is what a buyer owes: the sum of its entries, negative if it paid more than it was charged.
func (l Ledger) Owed(id string) (buyer.Cents, error) {
	owed, _, err := db.One(l.Conn, db.FirstInt, `SELECT CAST(COALESCE(SUM(amount_cents), 0) AS BIGINT) FROM ledger WHERE buyer_id = $1`, id)
	return buyer.Cents(owed), err
}
