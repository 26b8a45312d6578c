package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Tx is one transaction, as other packages see it. It reads and writes rows; its callers decide what they mean.
type Tx struct{ db *dbTx }

// Update runs do in a transaction and commits it together with the other requests that are waiting. If another request in the
// group fails, do runs again, so it must start by resetting what it collected before.
func (s *Store) Update(ctx context.Context, do func(*Tx) error) error {
	return s.updates.submit(ctx, work{do: func(tx *dbTx) error { return do(&Tx{tx}) }, background: true})
}

// UpdateUrgent is Update for a client that waits.
func (s *Store) UpdateUrgent(ctx context.Context, do func(*Tx) error) error {
	return s.writeUrgent(ctx, func(tx *dbTx) error { return do(&Tx{tx}) })
}

// View runs do on a snapshot of the database. It neither blocks writers nor waits for them. Every write in do fails.
func (s *Store) View(ctx context.Context, do func(*Tx) error) error {
	pool := s.readPool.Load() // without a timeout: an operator waits for it
	tx, err := pool.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return s.readError(pool, err)
	}
	defer tx.Rollback() // there is nothing to commit
	return s.readError(pool, do(&Tx{newDBTx(snapshotConn{ctx, tx})}))
}

// snapshotConn is a conn for a read-only transaction.
type snapshotConn struct {
	ctx context.Context
	tx  *sql.Tx
}

var errReadOnly = errors.New("this is a look: nothing can be written")

func (c snapshotConn) query(query string, args []any, do func(row) error) error {
	rows, err := c.tx.QueryContext(c.ctx, query, args...)
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

func (c snapshotConn) setDeadline(time.Time) {}

func (c snapshotConn) begin() error { return nil }

func (c snapshotConn) commit() error { return errReadOnly }

func (c snapshotConn) rollback() {}

func (c snapshotConn) close() error { return nil }

func (c snapshotConn) exec(string, []any) error { return errReadOnly }

func (c snapshotConn) execOne(string, []any) error { return errReadOnly }

func (c snapshotConn) execCount(string, []any) (int64, error) { return 0, errReadOnly }

func (c snapshotConn) insert(string, []any) (int64, error) { return 0, errReadOnly }
