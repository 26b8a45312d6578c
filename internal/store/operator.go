package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"foyer/internal/buyer"
)

// Exists says whether there is a database where a setting says.
func Exists(database string) (bool, error) {
	path, err := sqlitePath(database)
	if err != nil {
		return false, err
	}
	_, err = os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Delivering counts the contacts that are on their way to a buyer.
func (p *Page) Delivering(id string) (n int, err error) {
	_, err = p.h.one(`SELECT count(*) FROM deliveries WHERE lane = $1 AND step = $2`, []any{id, string(buyer.Deliver)},
		func(r row) { n = int(r.number(0)) })
	return n, err
}

// FailedBetween lists the leads in error that were taken in from one time up to another, in their order. It reads through
// all of them: an operator's rare wish, for which the intake keeps no index.
func (s *Store) FailedBetween(ctx context.Context, from, to time.Time) ([]int64, error) {
	h := s.open.Load()
	failed, err := collect(ctx, h.read, single[int64], `SELECT seq FROM leads WHERE status = 'error' AND created_at >= $1 AND created_at < $2 ORDER BY seq`,
		micros(from), micros(to))
	return failed, s.reading(h, err)
}
