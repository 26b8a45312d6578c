package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"modernc.org/sqlite"

	"foyer/internal/store/db"
)

// Roles has one writer for everything: a SQLite file has one at a time.
func (f *File) Roles() []db.Role { return []db.Role{db.RoleAll} }

// synchronous makes a commit wait for the disk, because a 202 is a promise. No setting changes it. It is a variable only so that
// the linker can build a binary that does not wait, which must lose leads when test/torture cuts the power.
var synchronous = "FULL"

// writePragmas are the pragmas of write connections. secure_delete overwrites erased data, both in its page and in the pages that
// it no longer needs, instead of only marking the space as free.
var writePragmas = []string{"journal_mode(WAL)", "synchronous(" + synchronous + ")", "journal_size_limit(67108864)", "cache_size(-16384)", "secure_delete(ON)"}

// Write opens the connection of the writer.
func (f *File) Write(context.Context, db.Role) (db.Conn, error) {
	c, err := new(sqlite.Driver).Open(DSN(f.path, writePragmas...))
	if err != nil {
		return nil, err
	}
	return &conn{conn: c, statements: make(statements)}, nil
}

// conn is the single write connection to a SQLite file. It calls the driver without database/sql, which would take a lock for every
// statement and convert every argument.
type conn struct {
	conn        driver.Conn
	statements  statements
	namedValues []driver.NamedValue // arguments of the current statement
	closed      bool
}

// SetDeadline does nothing: a file answers or fails.
func (c *conn) SetDeadline(time.Time) {}

// OnReconnect does nothing: a connection to a file does not replace itself.
func (c *conn) OnReconnect(func() error) {}

func (c *conn) Begin() error { return c.Exec("BEGIN IMMEDIATE", nil) }

func (c *conn) Commit() error { return c.Exec("COMMIT", nil) }

// Rollback ends the transaction. After some errors SQLite has already rolled it back, so the error is ignored.
func (c *conn) Rollback() { _ = c.Exec("ROLLBACK", nil) }

func (c *conn) Exec(query string, args []any) error {
	_, err := c.run(query, args)
	return err
}

func (c *conn) ExecOne(query string, args []any) error {
	rows, err := c.ExecCount(query, args)
	if err == nil && rows != 1 {
		err = db.ErrRowChanged
	}
	return err
}

func (c *conn) ExecCount(query string, args []any) (int64, error) {
	done, err := c.run(query, args)
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

func (c *conn) run(query string, args []any) (driver.Result, error) {
	if err := db.CheckText(args); err != nil {
		return nil, err
	}
	stmt, err := c.prepare(query)
	if err != nil {
		return nil, err
	}
	defer c.statements.giveBack(query, stmt)
	return stmt.ExecContext(context.Background(), c.namedArgs(args))
}

func (c *conn) Query(query string, args []any, do func(db.Row) error) error {
	return c.query(context.Background(), query, args, do)
}

func (c *conn) query(ctx context.Context, query string, args []any, do func(db.Row) error) error {
	stmt, err := c.prepare(query)
	if err != nil {
		return err
	}
	defer c.statements.giveBack(query, stmt)
	rows, err := stmt.QueryContext(ctx, c.namedArgs(args))
	if err != nil {
		return err
	}
	defer rows.Close()
	values := make([]driver.Value, len(rows.Columns()))
	for row := make(db.Row, len(values)); ; {
		if err := rows.Next(values); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		for i, v := range values {
			row[i] = v
		}
		if err := do(row); err != nil {
			return err
		}
	}
}

// MaxBatchRows is the most rows that one statement inserts. A group of a few dozen, the usual size under load, needs a single
// statement. Each statement costs the writer as much as a row or two.
const MaxBatchRows = 32

// InsertBatch inserts up to MaxBatchRows rows with each statement, a multi-row INSERT. With a single write connection, their numbers are consecutive.
func (c *conn) InsertBatch(b db.Batch, rows [][]any) error {
	var last int64
	for some := range slices.Chunk(rows, MaxBatchRows) {
		row := ", (?" + strings.Repeat(", ?", len(some[0])-1) + ")"
		// If one row fails, the whole transaction is rolled back, so SQLite need not be able to undo this statement alone.
		done, err := c.run("INSERT OR FAIL INTO "+b.Table+" ("+b.Columns+") VALUES "+strings.Repeat(row, len(some))[len(", "):], slices.Concat(some...))
		if err != nil {
			return err
		}
		if last, err = done.LastInsertId(); err != nil {
			return err
		}
	}
	then := "WITH inserted AS (SELECT " + b.Returning + " FROM " + b.Table + " WHERE seq > $1 AND seq <= $2) " + strings.Replace(b.Then, "INSERT INTO", "INSERT OR FAIL INTO", 1)
	return c.Exec(then, []any{last - int64(len(rows)), last})
}

func (c *conn) prepare(query string) (statement, error) {
	if c.closed {
		return nil, sql.ErrConnDone
	}
	return c.statements.take(query, c.conn)
}

// namedArgs numbers the arguments, in a slice that is reused: there is one writer.
func (c *conn) namedArgs(args []any) []driver.NamedValue {
	c.namedValues = c.namedValues[:0]
	for i, a := range args {
		c.namedValues = append(c.namedValues, driver.NamedValue{Ordinal: i + 1, Value: a})
	}
	return c.namedValues
}

// Close closes the statements before their connection: SQLite keeps a file open that has one. Calling it again does nothing: a
// database that could not be reopened is already closed.
func (c *conn) Close() error {
	if c.closed {
		return nil
	}
	c.closed = true
	return errors.Join(c.statements.close(), c.conn.Close())
}
