package store

import (
	"context"
	"fmt"
	"time"
)

// suppressedPhones are the suppressed numbers, in memory: every intake asks.
type suppressedPhones struct {
	version int64
	phones  map[string]struct{}
}

// Suppression is a number whose owner asked not to be contacted.
type Suppression struct {
	Phone     string
	Reason    string
	CreatedAt time.Time
}

// Suppressed says whether a number's owner asked not to be contacted.
func (s *Store) Suppressed(phone string) bool {
	_, found := s.suppressed.Load().phones[phone]
	return found
}

// Suppress adds a number. Adding one that is there changes its reason.
func (s *Store) Suppress(ctx context.Context, x Suppression) error {
	err := s.write(ctx, func(h *dbTx) error {
		if err := h.exec(`INSERT INTO suppressions (phone, reason, created_at) VALUES ($1, $2, $3)
			ON CONFLICT (phone) DO UPDATE SET reason = excluded.reason`, x.Phone, x.Reason, micros(x.CreatedAt)); err != nil {
			return err
		}
		return bump(h, "suppressions")
	})
	if err != nil {
		return err
	}
	return s.Refresh(ctx)
}

// SuppressBatch is how many numbers one commit adds, so that the intake never waits long behind it.
const SuppressBatch = 500

// SuppressMany adds up to SuppressedAtOnce numbers, and says how many of them are new. Those that are there keep their reason
// and their time. Whoever adds many calls Refresh at the end.
func (s *Store) SuppressMany(ctx context.Context, phones []string, reason string, at time.Time) (added int64, err error) {
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
	err = s.write(ctx, func(h *dbTx) (err error) {
		if added, err = h.execCount(string(query), args...); err != nil || added == 0 {
			return err
		}
		return bump(h, "suppressions")
	})
	return added, err
}

// Unsuppress removes a number, and says whether it was there.
func (s *Store) Unsuppress(ctx context.Context, phone string) (bool, error) {
	found := false
	err := s.write(ctx, func(h *dbTx) error {
		rows, err := h.execCount(`DELETE FROM suppressions WHERE phone = $1`, phone)
		if found = rows > 0; err != nil || !found {
			return err
		}
		return bump(h, "suppressions")
	})
	if err != nil {
		return false, err
	}
	return found, s.Refresh(ctx)
}

// Refresh shows other processes that this one is there, and reads again what they may have changed, where its version says so.
func (s *Store) Refresh(ctx context.Context) error {
	s.refreshMu.Lock() // of two at once, the older list could win
	defer s.refreshMu.Unlock()
	s.engine.keepInstance()
	var version int64
	e, ctx, done := s.useReadPool(ctx)
	defer done()
	if err := s.checkUnkeyed(ctx); err != nil { // a process of an older version may write such prints
		return err
	}
	err := e.QueryRowContext(ctx, `SELECT version FROM changes WHERE topic = 'suppressions'`).Scan(&version)
	if err != nil || version == s.suppressed.Load().version {
		return s.readError(e, err)
	}
	return s.reloadSuppressions(ctx)
}

func (s *Store) reloadSuppressions(ctx context.Context) error {
	e, ctx, done := s.useReadPool(ctx)
	defer done()
	fresh := &suppressedPhones{phones: make(map[string]struct{})}
	// The version first: a change that comes in between is read once more, never missed.
	if err := e.QueryRowContext(ctx, `SELECT version FROM changes WHERE topic = 'suppressions'`).Scan(&fresh.version); err != nil {
		return s.readError(e, err)
	}
	phones, err := collect(ctx, e.DB, scanOne[string], `SELECT phone FROM suppressions`)
	if err != nil {
		return s.readError(e, err)
	}
	for _, phone := range phones {
		fresh.phones[phone] = struct{}{}
	}
	s.suppressed.Store(fresh)
	return nil
}

// bump tells every process that a topic changed.
func bump(h *dbTx, topic string) error {
	return h.exec(`UPDATE changes SET version = version + 1 WHERE topic = $1`, topic)
}
