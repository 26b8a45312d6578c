// Package db is what the two database engines have in common: connections, rows, snapshots, and what an engine can do. It knows
// neither the tables nor the drivers.
package db

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Conn is the connection of a writer, or, with nothing but Query, that of a read (store.readConn).
type Conn interface {
	SetDeadline(end time.Time) // of every later call; zero means no deadline
	Begin() error
	Commit() error
	Rollback()
	Exec(query string, args []any) error    // an engine may report its error only at the commit
	ExecOne(query string, args []any) error // fails, now or at the commit, unless it changes exactly one row
	ExecCount(query string, args []any) (rows int64, err error)
	// InsertBatch inserts one row or more with one statement, or a few. Outside a transaction it commits them by itself.
	InsertBatch(b Batch, rows [][]any) error
	Query(query string, args []any, do func(Row) error) error
	// Check looks for damage for at most CheckTimeout, after the connection replaced one that failed. It reports whether it
	// looked at everything.
	Check(ctx context.Context) (all bool, err error)
	// OnReconnect sets what runs when the connection replaced itself while it was idle, before anything else on the new one: that may
	// lead to another server. If it fails, the connection is closed.
	OnReconnect(check func() error)
	Close() error
}

// InTx runs do in one transaction.
func InTx(c Conn, do func() error) error {
	err := c.Begin()
	if err == nil {
		err = do()
	}
	if err == nil {
		err = c.Commit()
	}
	if err != nil {
		c.Rollback()
	}
	return err
}

// One reads at most one row, and reports whether there was one.
func One[T any](c Conn, scan func(Row) (T, error), query string, args ...any) (value T, found bool, err error) {
	err = c.Query(query, args, func(r Row) (err error) { found = true; value, err = scan(r); return err })
	return value, found, err
}

// All reads all rows.
func All[T any](c Conn, scan func(Row) (T, error), query string, args ...any) (list []T, err error) {
	err = c.Query(query, args, func(r Row) error {
		value, err := scan(r)
		list = append(list, value)
		return err
	})
	return list, err
}

// Batch describes the rows of InsertBatch. Each engine has its own way to insert many rows with one statement.
type Batch struct {
	Table     string // its rows are numbered in the column seq
	Columns   string // separated by commas
	Returning string // columns of the new rows, for Then
	Then      string // runs after the insert, in the same transaction; the table inserted has the new rows
}

// CheckTimeout bounds how long Conn.Check looks for damage.
const CheckTimeout = 2 * time.Second

// ErrRowChanged is the error of ExecOne, the optimistic lock of a row: it is not as the statement expects, or not there.
var ErrRowChanged = errors.New("a row changed meanwhile")

// ErrDeadlock is the error of a transaction that the server ended because it and another one waited for each other. It can run
// again.
var ErrDeadlock = errors.New("deadlock")

// ErrText refuses a text that one of the engines cannot store.
var ErrText = errors.New("a text holds a NUL or is not valid UTF-8")

// CheckText refuses texts that PostgreSQL cannot store, on both engines.
func CheckText(args []any) error {
	for _, a := range args {
		switch text := a.(type) {
		case string:
			if strings.IndexByte(text, 0) >= 0 || !utf8.ValidString(text) {
				return ErrText
			}
		case []byte: // JSON
			if bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text) {
				return ErrText
			}
		}
	}
	return nil
}

// Row is one row of a query result.
type Row []any

// Text returns column i as a string.
func (r Row) Text(i int) string {
	switch v := r[i].(type) {
	case nil:
		return ""
	case string:
		return v
	case []byte:
		return string(v)
	}
	return fmt.Sprint(r[i]) // SQLite accepts any kind of value in any column
}

// Int returns column i as a number.
func (r Row) Int(i int) int64 {
	switch v := r[i].(type) {
	case int64:
		return v
	case int32: // PostgreSQL's type of a number literal in a statement
		return int64(v)
	}
	return 0
}

// FirstText reads a row with one text.
func FirstText(r Row) (string, error) { return r.Text(0), nil }

// FirstInt reads a row with one number.
func FirstInt(r Row) (int64, error) { return r.Int(0), nil }
