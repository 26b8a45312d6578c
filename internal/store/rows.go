package store

import (
	"context"
	"database/sql"
)

// scanner is a row of either kind: the one of QueryRow, or the current one of Query.
type scanner interface{ Scan(dest ...any) error }

// collect reads every row of an answer.
func collect[T any](ctx context.Context, db *sql.DB, read func(scanner) (T, error), query string, args ...any) ([]T, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		one, err := read(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// single reads a row that is one value.
func single[T any](r scanner) (value T, err error) {
	err = r.Scan(&value)
	return value, err
}
