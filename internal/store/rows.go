package store

import (
	"context"
	"database/sql"
)

// scanner is a row of either kind: the one of QueryRow, or the current one of Query.
type scanner interface{ Scan(dest ...any) error }

// querier answers questions: connections, or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// collect reads every row of an answer.
func collect[T any](ctx context.Context, from querier, read func(scanner) (T, error), query string, args ...any) (all []T, err error) {
	err = each(ctx, from, func(r scanner) error {
		one, err := read(r)
		all = append(all, one)
		return err
	}, query, args...)
	if err != nil {
		return nil, err
	}
	return all, nil
}

// each reads the rows of an answer one after the other, however many there are.
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

// scanOne reads a row that is one value.
func scanOne[T any](r scanner) (value T, err error) {
	err = r.Scan(&value)
	return value, err
}
