package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// View opens a page to read from, as the books are at one moment. It keeps nobody from writing, and waits for nobody who
// does. Whatever is written on it is refused.
func (s *Store) View(ctx context.Context, do func(*Tx) error) error {
	e := s.readPool.Load() // it takes as long as it takes: an operator waits for it
	tx, err := e.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return s.readError(e, err)
	}
	defer tx.Rollback() // there is nothing to keep
	return s.readError(e, do(&Tx{newDBTx(snapshotConn{ctx, tx})}))
}

// snapshotConn is a connection that only reads.
type snapshotConn struct {
	ctx context.Context
	tx  *sql.Tx
}

var errReadOnly = errors.New("this is a look: nothing can be written")

func (l snapshotConn) query(query string, args []any, do func(row) error) error {
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

func (l snapshotConn) setDeadline(time.Time) {}

func (l snapshotConn) begin() error { return nil }

func (l snapshotConn) commit() error { return errReadOnly }

func (l snapshotConn) rollback() {}

func (l snapshotConn) close() error { return nil }

func (l snapshotConn) exec(string, []any) error { return errReadOnly }

func (l snapshotConn) execOne(string, []any) error { return errReadOnly }

func (l snapshotConn) execCount(string, []any) (int64, error) { return 0, errReadOnly }

func (l snapshotConn) insert(string, []any) (int64, error) { return 0, errReadOnly }
