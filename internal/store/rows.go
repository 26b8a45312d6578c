package store

import (
	"context"
	"database/sql"
)

// scanner is a row: a *sql.Row, the current row of *sql.Rows, or a row of dbTx.
type scanner interface{ Scan(dest ...any) error }

// querier is a pool, a connection or a transaction of database/sql.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// collect returns all rows of a query.
func collect[T any](ctx context.Context, from querier, scan func(scanner) (T, error), query string, args ...any) (all []T, err error) {
	err = each(ctx, from, func(r scanner) error {
		one, err := scan(r)
		all = append(all, one)
		return err
	}, query, args...)
	if err != nil {
		return nil, err
	}
	return all, nil
}

// each calls do for each row of a query, without keeping them in memory.
func each(ctx context.Context, from querier, do func(scanner) error, query string, args ...any) error {
	rows, err := from.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// scanOne reads a row with one column.
func scanOne[T any](r scanner) (value T, err error) {
	err = r.Scan(&value)
	return value, err
}
