package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// LeadsBefore says how many leads were taken in before each of these times, which stand in their order. Leads are numbered
// in the order in which they came, so each answer is found by halving, with some twenty looks at single rows, where counting
// would read them all. It is as exact as that order: numbers that an engine gave to nobody count, too.
func (s *Store) LeadsBefore(ctx context.Context, times ...time.Time) ([]int64, error) {
	e := s.readPool.Load()
	first, _, err := leadFrom(ctx, e, 0)
	if errors.Is(err, sql.ErrNoRows) {
		return make([]int64, len(times)), nil
	}
	var last int64
	if err == nil {
		err = e.QueryRowContext(ctx, `SELECT max(seq) FROM leads`).Scan(&last)
	}
	counts, from := make([]int64, 0, len(times)), first
	for _, t := range times {
		if err == nil {
			from, err = firstSince(ctx, e, from, last+1, micros(t))
		}
		counts = append(counts, from-first)
	}
	return counts, s.readError(e, err)
}

// firstSince finds the number of the first lead since a time, from one number on and below another, which it is where there
// is no such lead.
func firstSince(ctx context.Context, e *readPool, from, below, since int64) (int64, error) {
	for from < below {
		middle := from + (below-from)/2
		seq, at, err := leadFrom(ctx, e, middle)
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

// leadFrom looks at the first lead from a number on.
func leadFrom(ctx context.Context, e *readPool, from int64) (seq, at int64, err error) {
	err = e.QueryRowContext(ctx, `SELECT seq, created_at FROM leads WHERE seq >= $1 ORDER BY seq LIMIT 1`, from).Scan(&seq, &at)
	return seq, at, err
}
