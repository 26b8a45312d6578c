package store

import (
	"context"
	"time"

	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// LeadsBefore returns how many leads were created before each of the times, which must be sorted. Leads are numbered in the order
// of their arrival, so a binary search finds each count with some twenty reads of single rows, instead of reading all leads. The
// counts are as exact as that order, and they include numbers that an engine skipped.
func (s *Store) LeadsBefore(ctx context.Context, times ...time.Time) (counts []int64, err error) {
	err = s.View(ctx, func(tx *Tx) error {
		first, err := tx.leadFrom(0)
		if err != nil {
			return err
		}
		last, err := tx.number(`SELECT COALESCE(max(seq), -1) FROM leads`) // nothing is searched if there are no leads
		from := first.seq
		for _, t := range times {
			if err == nil {
				from, err = tx.firstSince(from, last+1, rows.Micros(t))
			}
			counts = append(counts, from-first.seq)
		}
		return err
	})
	return counts, err
}

// firstSince finds the number of the first lead since a time, at least from and below another number, which it returns if there
// is no such lead.
func (tx *Tx) firstSince(from, below, since int64) (int64, error) {
	for from < below {
		middle := from + (below-from)/2
		l, err := tx.leadFrom(middle)
		switch {
		case err != nil:
			return 0, err
		case l.at >= since:
			below = middle
		default:
			from = l.seq + 1
		}
	}
	return from, nil
}

// arrival is the number of a lead, and when it was created.
type arrival struct{ seq, at int64 }

// leadFrom reads the first lead whose number is at least from. It is zero if there are no leads.
func (tx *Tx) leadFrom(from int64) (arrival, error) {
	a, _, err := one(tx, func(r db.Row) (arrival, error) { return arrival{r.Int(0), r.Int(1)}, nil },
		`SELECT seq, created_at FROM leads WHERE seq >= $1 ORDER BY seq LIMIT 1`, from)
	return a, err
}
