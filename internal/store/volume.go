package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// LeadsBefore returns how many leads were created before each of the times, which must be sorted. Leads are numbered in the order
// of their arrival, so a binary search finds each count with some twenty reads of single rows, instead of reading all leads. The
// counts are as exact as that order, and they include numbers that an engine skipped.
func (s *Store) LeadsBefore(ctx context.Context, times ...time.Time) ([]int64, error) {
	pool := s.readPool.Load()
	first, _, err := leadFrom(ctx, pool, 0)
	if errors.Is(err, sql.ErrNoRows) {
		return make([]int64, len(times)), nil
	}
	var last int64
	if err == nil {
		err = pool.QueryRowContext(ctx, `SELECT max(seq) FROM leads`).Scan(&last)
	}
	counts, from := make([]int64, 0, len(times)), first
	for _, t := range times {
		if err == nil {
			from, err = firstSince(ctx, pool, from, last+1, micros(t))
		}
		counts = append(counts, from-first)
	}
	return counts, s.readError(pool, err)
}

// firstSince finds the number of the first lead since a time, at least from and below another number, which it returns if there
// is no such lead.
func firstSince(ctx context.Context, pool *readPool, from, below, since int64) (int64, error) {
	for from < below {
		middle := from + (below-from)/2
		seq, at, err := leadFrom(ctx, pool, middle)
		switch {
		case err != nil:
			return 0, err
		case at >= since:
			below = middle
		default:
			from = seq + 1
		}
	}
	return from, nil
}

// leadFrom reads the first lead whose number is at least from.
func leadFrom(ctx context.Context, pool *readPool, from int64) (seq, at int64, err error) {
	err = pool.QueryRowContext(ctx, `SELECT seq, created_at FROM leads WHERE seq >= $1 ORDER BY seq LIMIT 1`, from).Scan(&seq, &at)
	return seq, at, err
}
