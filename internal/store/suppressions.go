package store

import (
	"context"
	"time"
)

// barred are the suppressed numbers, in memory: every intake asks.
type barred struct {
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
	_, found := s.barred.Load().phones[phone]
	return found
}

// Suppress adds a number. Adding one that is there changes its reason.
func (s *Store) Suppress(ctx context.Context, x Suppression) error {
	err := s.write(ctx, func(h *handles) error {
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

// Unsuppress removes a number, and says whether it was there.
func (s *Store) Unsuppress(ctx context.Context, phone string) (bool, error) {
	var found int
	err := s.write(ctx, func(h *handles) error {
		if err := h.queryRow(`SELECT count(*) FROM suppressions WHERE phone = $1`, []any{phone}, &found); err != nil || found == 0 {
			return err
		}
		if err := h.exec(`DELETE FROM suppressions WHERE phone = $1`, phone); err != nil {
			return err
		}
		return bump(h, "suppressions")
	})
	if err != nil {
		return false, err
	}
	return found > 0, s.Refresh(ctx)
}

// Refresh reads again what another process may have changed, where its version says so.
func (s *Store) Refresh(ctx context.Context) error {
	s.refreshing.Lock() // of two at once, the older list could win
	defer s.refreshing.Unlock()
	var version int64
	h := s.open.Load()
	err := h.read.QueryRowContext(ctx, `SELECT version FROM changes WHERE topic = 'suppressions'`).Scan(&version)
	if err != nil || version == s.barred.Load().version {
		return s.reading(h, err)
	}
	return s.reloadBarred(ctx)
}

func (s *Store) reloadBarred(ctx context.Context) error {
	h := s.open.Load()
	fresh := &barred{phones: make(map[string]struct{})}
	// The version first: a change that comes in between is read once more, never missed.
	if err := h.read.QueryRowContext(ctx, `SELECT version FROM changes WHERE topic = 'suppressions'`).Scan(&fresh.version); err != nil {
		return s.reading(h, err)
	}
	phones, err := collect(ctx, h.read, single[string], `SELECT phone FROM suppressions`)
	if err != nil {
		return s.reading(h, err)
	}
	for _, phone := range phones {
		fresh.phones[phone] = struct{}{}
	}
	s.barred.Store(fresh)
	return nil
}

// bump tells every process that a topic changed.
func bump(h *handles, topic string) error {
	return h.exec(`UPDATE changes SET version = version + 1 WHERE topic = $1`, topic)
}
