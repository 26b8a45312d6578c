// Package arrivals finds rows by when they were added, without an index of their times: rows are numbered in the order in which they were
// added, so a binary search finds a time with some twenty reads of single rows.
package arrivals

import (
	"time"

	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// Table is a table whose rows are numbered in the order of their times, or nearly so: each process has its own clock.
type Table struct{ name, time string }

// The tables in which times are searched.
var (
	Leads    = Table{"leads", "created_at"}
	Attempts = Table{"attempts", "at"}
)

// Before returns how many leads were created before each of the times, which must be sorted. The counts are as exact as the order of the
// numbers, and they include numbers that an engine skipped.
func Before(c db.Conn, times ...time.Time) (counts []int64, err error) {
	first, err := Leads.rowFrom(c, 0)
	if err != nil {
		return nil, err
	}
	last, err := Leads.last(c)
	from := first.seq
	for _, t := range times {
		if err == nil {
			from, err = Leads.firstSince(c, from, last+1, rows.Micros(t))
		}
		counts = append(counts, from-first.seq)
	}
	return counts, err
}

// FirstSince returns the number of the first row since a time, or one above the last if there is no such row.
func (t Table) FirstSince(c db.Conn, since time.Time) (int64, error) {
	first, err := t.rowFrom(c, 0)
	if err != nil {
		return 0, err
	}
	last, err := t.last(c)
	if err != nil {
		return 0, err
	}
	return t.firstSince(c, first.seq, last+1, rows.Micros(since))
}

// last returns the number of the last row, or -1 if there are no rows: then nothing is searched.
func (t Table) last(c db.Conn) (int64, error) {
	last, _, err := db.One(c, db.FirstInt, `SELECT COALESCE(max(seq), -1) FROM `+t.name)
	return last, err
}

// firstSince finds the number of the first row since a time, at least from and below another number, which it returns if there
// is no such row.
func (t Table) firstSince(c db.Conn, from, below, since int64) (int64, error) {
	for from < below {
		middle := from + (below-from)/2
		r, err := t.rowFrom(c, middle)
		switch {
		case err != nil:
			return 0, err
		case r.at >= since:
			below = middle
		default:
			from = r.seq + 1
		}
	}
	return from, nil
}

// row is the number of a row, and its time.
type row struct{ seq, at int64 }

// rowFrom reads the first row whose number is at least from. It is zero if there are no rows.
func (t Table) rowFrom(c db.Conn, from int64) (row, error) {
	r, _, err := db.One(c, func(r db.Row) (row, error) { return row{r.Int(0), r.Int(1)}, nil },
		`SELECT seq, `+t.time+` FROM `+t.name+` WHERE seq >= $1 ORDER BY seq LIMIT 1`, from)
	return r, err
}
