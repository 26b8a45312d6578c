package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
)

// Page is one transaction in the books of the forwarder. It reads and writes rows; what they mean is decided above.
type Page struct{ h *handles }

// Turn opens a page, lets do write on it, and commits it together with whatever else is waiting. It may be done again
// when a neighbour failed, so it must begin by forgetting what it found before.
func (s *Store) Turn(ctx context.Context, do func(*Page) error) error {
	return s.enqueue(ctx, func(h *handles) error { return do(&Page{h}) }, true)
}

// row is one row of an answer.
type row []driver.Value

func (r row) text(i int) string {
	switch v := r[i].(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}

func (r row) number(i int) int64 {
	n, _ := r[i].(int64)
	return n
}

// each runs a prepared question on the writing connection, inside its transaction.
func (h *handles) each(query string, args []any, do func(row) error) error {
	return h.write.Raw(func(conn any) error {
		stmt, err := h.prepared(conn, query)
		if err != nil {
			return err
		}
		rows, err := stmt.QueryContext(context.Background(), h.numbered(args))
		if err != nil {
			return err
		}
		defer rows.Close()
		for values := make(row, len(rows.Columns())); ; {
			if err := rows.Next(values); errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
			if err := do(values); err != nil {
				return err
			}
		}
	})
}

// one is each for a question with at most one answer. It says whether there was one.
func (h *handles) one(query string, args []any, do func(row)) (found bool, err error) {
	err = h.each(query, args, func(r row) error { found = true; do(r); return nil })
	return found, err
}
