package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/returns"
	"foyer/internal/store/rows"
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

// ReturnsToTell lists returns whose buyers are to be told by now.
func (s *Store) ReturnsToTell(ctx context.Context, now time.Time, limit int) ([]buyer.Return, error) {
	return read(ctx, s, func(tx *Tx) ([]buyer.Return, error) { return tx.Returns().ToTell(now, limit) })
}

// Returned is when the buyer returned the lead of an offer, or the zero time.
func (tx *Tx) Returned(offer string) (time.Time, error) {
	at, err := tx.number(`SELECT returned_at FROM offers WHERE id = $1`, offer)
	return rows.TimeOrZero(at), err
}

// LastAnsweredAt is when the buyer last answered a message about an offer: if the lead was delivered, the time of the delivery.
func (tx *Tx) LastAnsweredAt(o buyer.Offer) (time.Time, error) {
	answered, err := tx.number(`SELECT COALESCE(MAX(at + took), 0) FROM attempts WHERE lead_seq = $1 AND offer_id = $2`, o.Lead, o.ID)
	return rows.Time(max(answered, rows.Micros(o.At))), err
}

// MessageSeen reports whether a message with the id of a return, but another body, was received since a time.
func (tx *Tx) MessageSeen(r lead.Return, since time.Time) (another bool, err error) {
	id, body := messageKey(r)
	// In the key, a slash and the digest of the body follow the id; 0 is the character after the slash.
	err = tx.query(`SELECT id FROM webhook_ids WHERE id > $1 AND id < $2 AND at >= $3`, []any{id + "/", id + "0", rows.Micros(since)}, func(known db.Row) error {
		another = another || known.Text(0) != id+"/"+body
		return nil
	})
	return another, err
}

// RecordMessage stores the message of a return, until it is so old that its signature is refused.
func (tx *Tx) RecordMessage(r lead.Return, at time.Time) error {
	id, body := messageKey(r)
	return tx.exec(`INSERT INTO webhook_ids (id, at) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET at = excluded.at`, id+"/"+body, rows.Micros(at))
}

// messageKey is what the store keeps of a message: the offer with a digest of the buyer's id for it, and a digest of its body.
// The id may be long, and may contain personal data.
func messageKey(r lead.Return) (id, body string) {
	name, sum := sha256.Sum256([]byte(r.Message)), sha256.Sum256(r.Body)
	return r.Offer + "/" + hex.EncodeToString(name[:16]), hex.EncodeToString(sum[:16])
}
