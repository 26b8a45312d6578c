package db

import (
	"context"
	"database/sql"
	"errors"
)

// Querier is a pool, a connection or a transaction of database/sql.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Collect returns all rows of a query.
func Collect[T any](ctx context.Context, from Querier, scan func(Row) (T, error), query string, args ...any) (all []T, err error) {
	err = Each(ctx, from, func(r Row) error {
		one, err := scan(r)
		all = append(all, one)
		return err
	}, query, args...)
	return all, err
}

// Each calls do for each row of a query, without keeping them in memory. do may keep a row.
func Each(ctx context.Context, from Querier, do func(Row) error, query string, args ...any) error {
	rows, err := from.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	for into := make([]any, len(columns)); rows.Next(); {
		row := make(Row, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if err := do(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Snapshot is a database at one point in time, however long it is read.
type Snapshot struct {
	*sql.Tx
	pool *sql.DB
}

// OpenSnapshot starts the transaction of a snapshot on a pool of its own, which Close closes.
func OpenSnapshot(ctx context.Context, pool *sql.DB, o sql.TxOptions) (*Snapshot, error) {
	tx, err := pool.BeginTx(ctx, &o)
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return &Snapshot{tx, pool}, nil
}

// Close ends the snapshot.
func (s *Snapshot) Close() error {
	_ = s.Rollback() // nothing was written, and a canceled context has already rolled it back
	return s.pool.Close()
}
