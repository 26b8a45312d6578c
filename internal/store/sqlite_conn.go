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
	conn        *sql.Conn
	pool        *sql.DB              // holds conn
	statements  map[string]statement // prepared on it
	namedValues []driver.NamedValue  // the arguments of the statement under way
	closed      bool
}

// statement is one that was prepared on the writing connection, by the driver itself: database/sql would lock and convert
// for each argument.
type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// setDeadline bounds nothing: a file answers or fails.
func (c *sqliteConn) setDeadline(time.Time) {}

func (c *sqliteConn) begin() error { return c.exec("BEGIN IMMEDIATE", nil) }

func (c *sqliteConn) commit() error { return c.exec("COMMIT", nil) }

// rollback gives up the transaction. After some errors SQLite has done so already, which is no news.
func (c *sqliteConn) rollback() { _ = c.exec("ROLLBACK", nil) }

func (c *sqliteConn) exec(query string, args []any) error {
	_, err := c.run(query, args)
	return err
}

func (c *sqliteConn) execOne(query string, args []any) error {
	rows, err := c.execCount(query, args)
	if err == nil && rows != 1 {
		err = errElsewhere
	}
	return err
}

func (c *sqliteConn) execCount(query string, args []any) (int64, error) {
	done, err := c.run(query, args)
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

func (c *sqliteConn) insert(query string, args []any) (int64, error) {
	done, err := c.run(query, args)
	if err != nil {
		return 0, err
	}
	return done.LastInsertId()
}

func (c *sqliteConn) run(query string, args []any) (done driver.Result, err error) {
	if err := storable(args); err != nil {
		return nil, err
	}
	err = c.conn.Raw(func(conn any) error {
		stmt, err := c.prepare(conn, query)
		if err != nil {
			return err
		}
		done, err = stmt.ExecContext(context.Background(), c.namedArgs(args))
		return err
	})
	return done, err
}

func (c *sqliteConn) query(query string, args []any, do func(row) error) error {
	return c.conn.Raw(func(conn any) error {
		stmt, err := c.prepare(conn, query)
		if err != nil {
			return err
		}
		rows, err := stmt.QueryContext(context.Background(), c.namedArgs(args))
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

func (c *sqliteConn) prepare(conn any, query string) (statement, error) {
	if stmt, ok := c.statements[query]; ok {
		return stmt, nil
	}
	made, err := conn.(driver.ConnPrepareContext).PrepareContext(context.Background(), positionalParams(query))
	if err != nil {
		return nil, err
	}
	stmt := made.(statement)
	c.statements[query] = stmt
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
func (c *sqliteConn) namedArgs(args []any) []driver.NamedValue {
	c.namedValues = c.namedValues[:0]
	for i, a := range args {
		c.namedValues = append(c.namedValues, driver.NamedValue{Ordinal: i + 1, Value: a})
	}
	return c.namedValues
}

// close closes everything. A second time is no news: a database that could not be reopened was closed before.
func (c *sqliteConn) close() error {
	if c.closed {
		return nil
	}
	c.closed = true
	return errors.Join(c.closeStatements(), c.conn.Close(), c.pool.Close())
}

// closeStatements lets go of what was prepared, before its connection goes.
func (c *sqliteConn) closeStatements() error {
	err := c.conn.Raw(func(any) error {
		var errs []error
		for _, s := range c.statements {
			errs = append(errs, s.Close())
		}
		return errors.Join(errs...)
	})
	if errors.Is(err, sql.ErrConnDone) {
		return nil
	}
	return err
}
