// Package arrivals counts leads by when they arrived, without reading them all: leads are numbered in the order of their arrival, so a
// binary search finds each count with some twenty reads of single rows.
package arrivals

import (
	"time"

	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// Before returns how many leads were created before each of the times, which must be sorted. The counts are as exact as the order of the
// numbers, and they include numbers that an engine skipped.
func Before(c db.Conn, times ...time.Time) (counts []int64, err error) {
	first, err := leadFrom(c, 0)
	if err != nil {
		return nil, err
	}
	last, _, err := db.One(c, db.FirstInt, `SELECT COALESCE(max(seq), -1) FROM leads`) // nothing is searched if there are no leads
	from := first.seq
	for _, t := range times {
		if err == nil {
			from, err = firstSince(c, from, last+1, rows.Micros(t))
		}
		counts = append(counts, from-first.seq)
	}
	return counts, err
}

// firstSince finds the number of the first lead since a time, at least from and below another number, which it returns if there
// is no such lead.
func firstSince(c db.Conn, from, below, since int64) (int64, error) {
	for from < below {
		middle := from + (below-from)/2
		l, err := leadFrom(c, middle)
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
func leadFrom(c db.Conn, from int64) (arrival, error) {
	a, _, err := db.One(c, func(r db.Row) (arrival, error) { return arrival{r.Int(0), r.Int(1)}, nil },
		`SELECT seq, created_at FROM leads WHERE seq >= $1 ORDER BY seq LIMIT 1`, from)
	return a, err
}
