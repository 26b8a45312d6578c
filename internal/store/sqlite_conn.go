package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"regexp"
	"strconv"
	"time"
)

// sqliteConn is the one connection that writes to a SQLite file.
type sqliteConn struct {
	conn       *sql.Conn
	pool       *sql.DB              // holds conn
	statements map[string]statement // prepared on it
	namedValues     []driver.NamedValue  // the arguments of the statement under way
	closed       bool
}

// statement is one that was prepared on the writing connection, by the driver itself: database/sql would lock and convert
// for each argument.
type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// setDeadline bounds nothing: a file answers or fails.
func (l *sqliteConn) setDeadline(time.Time) {}

func (l *sqliteConn) begin() error { return l.exec("BEGIN IMMEDIATE", nil) }

func (l *sqliteConn) commit() error { return l.exec("COMMIT", nil) }

// rollback gives up the transaction. After some errors SQLite has done so already, which is no news.
func (l *sqliteConn) rollback() { _ = l.exec("ROLLBACK", nil) }

func (l *sqliteConn) exec(query string, args []any) error {
	_, err := l.run(query, args)
	return err
}

func (l *sqliteConn) execOne(query string, args []any) error {
	rows, err := l.execCount(query, args)
	if err == nil && rows != 1 {
		err = errRowChanged
	}
	return err
}

func (l *sqliteConn) execCount(query string, args []any) (int64, error) {
	done, err := l.run(query, args)
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

func (l *sqliteConn) insert(query string, args []any) (int64, error) {
	done, err := l.run(query, args)
	if err != nil {
		return 0, err
	}
	return done.LastInsertId()
}

func (l *sqliteConn) run(query string, args []any) (done driver.Result, err error) {
	if err := checkText(args); err != nil {
		return nil, err
	}
	err = l.conn.Raw(func(conn any) error {
		stmt, err := l.prepare(conn, query)
		if err != nil {
			return err
		}
		done, err = stmt.ExecContext(context.Background(), l.namedArgs(args))
		return err
	})
	return done, err
}

func (l *sqliteConn) query(query string, args []any, do func(row) error) error {
	return l.conn.Raw(func(conn any) error {
		stmt, err := l.prepare(conn, query)
		if err != nil {
			return err
		}
		rows, err := stmt.QueryContext(context.Background(), l.namedArgs(args))
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
			if err := recoverPanic(func() error { return do(values) }); err != nil { // a panic would close the connection
				return err
			}
		}
	})
}

func (l *sqliteConn) prepare(conn any, query string) (statement, error) {
	if stmt, ok := l.statements[query]; ok {
		return stmt, nil
	}
	made, err := conn.(driver.ConnPrepareContext).PrepareContext(context.Background(), positionalParams(query))
	if err != nil {
		return nil, err
	}
	stmt := made.(statement)
	l.statements[query] = stmt
	return stmt, nil
}

var paramPattern = regexp.MustCompile(`\$\d+`)

// positionalParams writes ? for $1, $2, … where they come in that order: the driver asks SQLite for the name of each parameter
// every time, and copies it.
func positionalParams(query string) string {
	next := 0
	for _, place := range paramPattern.FindAllString(query, -1) {
		if next++; place != "$"+strconv.Itoa(next) {
			return query
		}
	}
	return paramPattern.ReplaceAllString(query, "?")
}

// namedArgs gives the arguments their places, in a slice that is used again and again: there is one writer.
func (l *sqliteConn) namedArgs(args []any) []driver.NamedValue {
	l.namedValues = l.namedValues[:0]
	for i, a := range args {
		l.namedValues = append(l.namedValues, driver.NamedValue{Ordinal: i + 1, Value: a})
	}
	return l.namedValues
}

// close closes everything. A second time is no news: a database that could not be reopened was closed before.
func (l *sqliteConn) close() error {
	if l.closed {
		return nil
	}
	l.closed = true
	return errors.Join(l.closeStatements(), l.conn.Close(), l.pool.Close())
}

// closeStatements lets go of what was prepared, before its connection goes.
func (l *sqliteConn) closeStatements() error {
	err := l.conn.Raw(func(any) error {
		var errs []error
		for _, s := range l.statements {
			errs = append(errs, s.Close())
		}
		return errors.Join(errs...)
	})
	if errors.Is(err, sql.ErrConnDone) {
		return nil
	}
	return err
}
