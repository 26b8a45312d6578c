package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Look opens a page to read from, as the books are at one moment. It keeps nobody from writing, and waits for nobody who
// does. Whatever is written on it is refused.
func (s *Store) Look(ctx context.Context, do func(*Page) error) error {
	e := s.eyes.Load() // it takes as long as it takes: an operator waits for it
	tx, err := e.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return s.reading(e, err)
	}
	defer tx.Rollback() // there is nothing to keep
	return s.reading(e, do(&Page{newHand(lookingLine{ctx, tx})}))
}

// lookingLine is a connection that only reads.
type lookingLine struct {
	ctx context.Context
	tx  *sql.Tx
}

var errLooking = errors.New("this is a look: nothing can be written")

func (l lookingLine) query(query string, args []any, do func(row) error) error {
	rows, err := l.tx.QueryContext(l.ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for seen := make(row, len(columns)); rows.Next(); {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, v := range values {
			seen[i] = v
		}
		if err := do(seen); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (l lookingLine) until(time.Time) {}

func (l lookingLine) begin() error { return nil }

func (l lookingLine) commit() error { return errLooking }

func (l lookingLine) rollback() {}

func (l lookingLine) close() error { return nil }

func (l lookingLine) exec(string, []any) error { return errLooking }

func (l lookingLine) must(string, []any) error { return errLooking }

func (l lookingLine) change(string, []any) (int64, error) { return 0, errLooking }

func (l lookingLine) insert(string, []any) (int64, error) { return 0, errLooking }
