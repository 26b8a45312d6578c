package store

import (
	"context"
	"fmt"
	"time"

	"foyer/internal/store/db"
)

// suppressedPhones are the suppressed phone numbers, kept in memory because every new lead is checked.
type suppressedPhones struct {
	version int64
	phones  map[string]struct{}
}

// Suppression is a phone number whose owner asked not to be contacted.
type Suppression struct {
	Phone     string
	Reason    string
	CreatedAt time.Time
}

// Suppressed reports whether a phone number is suppressed.
func (s *Store) Suppressed(phone string) bool {
	_, found := s.suppressed.Load().phones[phone]
	return found
}

// Suppress adds a phone number. If the number is suppressed already, Suppress changes its reason. After the commit, the caller must
// call Refresh.
func (tx *Tx) Suppress(phone, reason string, at time.Time) error {
	if err := tx.exec(`INSERT INTO suppressions (phone, reason, created_at) VALUES ($1, $2, $3)
		ON CONFLICT (phone) DO UPDATE SET reason = excluded.reason`, phone, reason, micros(at)); err != nil {
		return err
	}
	return bump(tx, "suppressions")
}

// SuppressMany adds numbers, and returns how many of them are new. Numbers that are suppressed already keep their reason and time.
// After the commit, the caller must call Refresh.
func (tx *Tx) SuppressMany(phones []string, reason string, at time.Time) (added int64, err error) {
	if len(phones) == 0 {
		return 0, nil
	}
	query := []byte(`INSERT INTO suppressions (reason, created_at, phone) VALUES `)
	args := []any{reason, micros(at)}
	for i, phone := range phones {
		if i > 0 {
			query = append(query, ',')
		}
		args = append(args, phone)
		query = fmt.Appendf(query, "($1, $2, $%d)", len(args))
	}
	query = append(query, ` ON CONFLICT (phone) DO NOTHING`...)
	if added, err = tx.execCount(string(query), args...); err != nil || added == 0 {
		return added, err
	}
	return added, bump(tx, "suppressions")
}

// Unsuppress removes a number, and reports whether it was suppressed. After the commit, the caller must call Refresh.
func (tx *Tx) Unsuppress(phone string) (bool, error) {
	rows, err := tx.execCount(`DELETE FROM suppressions WHERE phone = $1`, phone)
	if err != nil || rows == 0 {
		return false, err
	}
	return true, bump(tx, "suppressions")
}

// Refresh keeps the instance lock alive, and reloads what other processes may have changed, if its version changed.
func (s *Store) Refresh(ctx context.Context) error {
	s.refreshMu.Lock() // with two concurrent reloads, the older list could win
	defer s.refreshMu.Unlock()
	s.engine.KeepInstance()
	pool, ctx, done := s.useReadPool(ctx)
	defer done()
	loaded := &suppressedPhones{phones: make(map[string]struct{})}
	// Read the version first: a change between the two reads is read again later, never missed.
	err := pool.QueryRowContext(ctx, `SELECT version FROM changes WHERE topic = 'suppressions'`).Scan(&loaded.version)
	if known := s.suppressed.Load(); err != nil || known != nil && known.version == loaded.version {
		return s.readError(pool, err)
	}
	phones, err := db.Collect(ctx, pool.DB, db.ScanOne[string], `SELECT phone FROM suppressions`)
	if err != nil {
		return s.readError(pool, err)
	}
	for _, phone := range phones {
		loaded.phones[phone] = struct{}{}
	}
	s.suppressed.Store(loaded)
	return nil
}

// bump changes the version of a topic, which every process polls.
func bump(tx *Tx, topic string) error {
	return tx.exec(`UPDATE changes SET version = version + 1 WHERE topic = $1`, topic)
}
