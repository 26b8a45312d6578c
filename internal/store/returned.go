package store

import (
	"context"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/buyer"
	"foyer/internal/store/db"
	"foyer/internal/store/returns"
)

// OfferSecrets returns the secrets of the buyer that received an offer. There are none if there is no such offer or if the buyer
// was removed. It reads from the pool, so that an unauthenticated caller cannot delay the writer.
func (s *Store) OfferSecrets(ctx context.Context, offer string) (secrets []string, err error) {
	text, err := read(ctx, s, func(tx *Tx) (string, error) {
		text, _, err := one(tx, db.FirstText, `SELECT b.secrets FROM offers o JOIN buyers b ON b.id = o.buyer_id WHERE o.id = $1 AND b.state <> 'removed'`, offer)
		return text, err
	})
	if err != nil || text == "" {
		return nil, err
	}
	return secrets, json.Unmarshal([]byte(text), &secrets)
}

// ReturnFilter says which returns to list, and ListedReturn is one of them.
type (
	ReturnFilter = returns.Filter
	ListedReturn = returns.Listed
)

// Returns are the returns that the transaction sees.
func (tx *Tx) Returns() returns.Returns { return returns.Returns{Conn: tx.conn} }

// ReturnsToNotify lists returns whose buyers are to be told by now.
func (s *Store) ReturnsToNotify(ctx context.Context, now time.Time, limit int) ([]buyer.Return, error) {
	return read(ctx, s, func(tx *Tx) ([]buyer.Return, error) { return tx.Returns().ToNotify(now, limit) })
}
