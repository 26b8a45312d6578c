package store

import (
	"context"
	"fmt"
	"time"

	"foyer/internal/store/db"
	"foyer/internal/store/rows"
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
		ON CONFLICT (phone) DO UPDATE SET reason = excluded.reason`, phone, reason, rows.Micros(at)); err != nil {
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
	args := []any{reason, rows.Micros(at)}
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
	known := s.suppressed.Load()
	loaded, err := read(ctx, s, func(tx *Tx) (*suppressedPhones, error) {
		// Read the version first: a change between the two reads is read again later, never missed.
		version, err := tx.number(`SELECT version FROM changes WHERE topic = 'suppressions'`)
		if err != nil || known != nil && known.version == version {
			return known, err
		}
		phones, err := all(tx, db.FirstText, `SELECT phone FROM suppressions`)
		loaded := &suppressedPhones{version, make(map[string]struct{}, len(phones))}
		for _, phone := range phones {
			loaded.phones[phone] = struct{}{}
		}
		return loaded, err
	})
	if err == nil {
		s.suppressed.Store(loaded)
	}
	return err
}

// Suppressions lists suppressed phone numbers, newest first: those from up to a time, after some that are skipped.
func (tx *Tx) Suppressions(upTo time.Time, skip, limit int) ([]Suppression, error) {
	return all(tx, func(r db.Row) (Suppression, error) {
		return Suppression{r.Text(0), r.Text(1), rows.Time(r.Int(2))}, nil
	},
		`SELECT phone, reason, created_at FROM suppressions WHERE created_at <= $1 ORDER BY created_at DESC, phone LIMIT $2 OFFSET $3`, rows.Micros(upTo), int64(limit), int64(skip))
}

// SuppressedSince returns since when a number is suppressed. The time is zero if it is not.
func (tx *Tx) SuppressedSince(phone string) (time.Time, error) {
	at, _, err := db.One(tx.conn, func(r db.Row) (time.Time, error) { return rows.Time(r.Int(0)), nil }, `SELECT created_at FROM suppressions WHERE phone = $1`, phone)
	return at, err
}

// bump changes the version of a topic, which every process polls.
func bump(tx *Tx, topic string) error {
	clear(tx.deliveries) // they were read with the version before
	tx.buyersVersion = 0
	return tx.exec(`UPDATE changes SET version = version + 1 WHERE topic = $1`, topic)
}
