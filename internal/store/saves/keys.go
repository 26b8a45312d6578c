package saves

import (
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// Keys are the idempotency keys as one transaction sees them, for changes that are no new leads.
type Keys struct{ Conn db.Conn }

// claimKey waits if another process is using the key, until that process commits or rolls back.
const claimKey = `INSERT INTO idempotency_keys AS k (key_hash, request_hash, answer, created_at) VALUES ($1, $2, $3, $4)
	ON CONFLICT (key_hash) DO UPDATE SET request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at
		WHERE k.created_at <= $5`

// Claim stores a key that was not used since a time, and reports whether it did. It is committed together with the change that it stands
// for, or not at all. The answer follows with PutAnswer.
func (k Keys) Claim(key lead.Idempotency, at, since time.Time) (bool, error) {
	n, err := k.Conn.ExecCount(claimKey, []any{key.Key, key.Request, []byte{}, rows.Micros(at), rows.Micros(since)})
	return n == 1, err
}

// PutAnswer stores the answer of a key that was claimed.
func (k Keys) PutAnswer(key lead.Idempotency) error {
	return k.Conn.Exec(`UPDATE idempotency_keys SET answer = $1 WHERE key_hash = $2 AND request_hash = $3`, []any{key.Answer, key.Key, key.Request})
}

// Forget deletes a key that was claimed for a change that was not made after all.
func (k Keys) Forget(key lead.Idempotency) error {
	return k.Conn.Exec(`DELETE FROM idempotency_keys WHERE key_hash = $1 AND request_hash = $2`, []any{key.Key, key.Request})
}

// Find finds what a key was used for since a time, or nil. Its answer is empty until it is known.
func (k Keys) Find(key string, since time.Time) (*lead.Idempotency, error) {
	return Answer(k.Conn, key, since)
}
