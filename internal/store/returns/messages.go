package returns

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// MessageSeen reports whether a message with the id of a return, but another body, was received since a time.
func (t Returns) MessageSeen(r lead.Return, since time.Time) (another bool, err error) {
	id, body := messageKey(r)
	// In the key, a slash and the digest of the body follow the id; 0 is the character after the slash.
	err = t.Conn.Query(`SELECT id FROM webhook_ids WHERE id > $1 AND id < $2 AND at >= $3`, []any{id + "/", id + "0", rows.Micros(since)}, func(known db.Row) error {
		another = another || known.Text(0) != id+"/"+body
		return nil
	})
	return another, err
}

// RecordMessage stores the message of a return, until it is so old that its signature is refused.
func (t Returns) RecordMessage(r lead.Return, at time.Time) error {
	id, body := messageKey(r)
	return t.Conn.Exec(`INSERT INTO webhook_ids (id, at) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET at = excluded.at`, []any{id + "/" + body, rows.Micros(at)})
}

// messageKey is what the store keeps of a message: the offer with a digest of the buyer's id for it, and a digest of its body.
// The id may be long, and may contain personal data.
func messageKey(r lead.Return) (id, body string) {
	name, sum := sha256.Sum256([]byte(r.Message)), sha256.Sum256(r.Body)
	return r.Offer + "/" + hex.EncodeToString(name[:16]), hex.EncodeToString(sum[:16])
}
