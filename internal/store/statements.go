package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"regexp"
	"strconv"
)

// statement is one that was prepared on the writing connection, by the driver itself: database/sql would lock and convert
// for each argument.
type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// exec runs a statement on the writing connection. It is prepared once.
func (h *handles) exec(query string, args ...any) error {
	_, err := h.run(query, args)
	return err
}

// insert adds a row, and says which.
func (h *handles) insert(query string, args ...any) (int64, error) {
	done, err := h.run(query, args)
	if err != nil {
		return 0, err
	}
	return done.LastInsertId()
}

func (h *handles) run(query string, args []any) (done driver.Result, err error) {
	err = h.write.Raw(func(conn any) error {
		stmt, err := h.prepared(conn, query)
		if err != nil {
			return err
		}
		done, err = stmt.ExecContext(context.Background(), h.numbered(args))
		return err
	})
	return done, err
}

// queryRow reads one row on the writing connection, inside its transaction.
func (h *handles) queryRow(query string, args []any, dest ...any) error {
	return h.write.QueryRowContext(context.Background(), query, args...).Scan(dest...)
}

// rollback gives up the transaction. After some errors SQLite has done so already, which is no news.
func (h *handles) rollback() { _ = h.exec("ROLLBACK") }

func (h *handles) prepared(conn any, query string) (statement, error) {
	if stmt, ok := h.statements[query]; ok {
		return stmt, nil
	}
	made, err := conn.(driver.ConnPrepareContext).PrepareContext(context.Background(), nameless(query))
	if err != nil {
		return nil, err
	}
	stmt := made.(statement)
	h.statements[query] = stmt
	return stmt, nil
}

var inOrder = regexp.MustCompile(`\$\d+`)

// nameless writes ? for $1, $2, … where they come in that order: the driver asks SQLite for the name of each parameter
// every time, and copies it.
func nameless(query string) string {
	next := 0
	for _, place := range inOrder.FindAllString(query, -1) {
		if next++; place != "$"+strconv.Itoa(next) {
			return query
		}
	}
	return inOrder.ReplaceAllString(query, "?")
}

// numbered gives the arguments their places, in a slice that is used again and again: there is one writer.
func (h *handles) numbered(args []any) []driver.NamedValue {
	h.places = h.places[:0]
	for i, a := range args {
		h.places = append(h.places, driver.NamedValue{Ordinal: i + 1, Value: a})
	}
	return h.places
}

// closeStatements lets go of what was prepared, before its connection goes.
func (h *handles) closeStatements() error {
	if h.write == nil {
		return nil
	}
	err := h.write.Raw(func(any) error {
		var errs []error
		for _, s := range h.statements {
			errs = append(errs, s.Close())
		}
		return errors.Join(errs...)
	})
	if errors.Is(err, sql.ErrConnDone) {
		return nil
	}
	return err
}
