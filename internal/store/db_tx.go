package store

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync/atomic"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// dbTx is the open transaction of a writer, with what the requests in it have read. Tx wraps it for other packages.
type dbTx struct {
	conn          conn
	newest        string                  // id of the last lead that the transaction saves
	healths       map[string]buyer.Health // by buyer id, as the transaction read or wrote them
	leads         map[int64]leadResult    // by seq, as the current request read them together with deliveries
	buyersVersion int64                   // as the current request read it; 0 before that
	isNew         map[int64]bool          // by seq: whether a delivery that the current request read is in table new_leads
	erased        bool                    // whether the current request erased a person
	saves         []*save                 // leads of the current group, saved together at the end
	args          []any                   // of the statement that saves them, reused
	unkeyed       *atomic.Bool            // Store.unkeyed
}

func newDBTx(c conn) *dbTx {
	return &dbTx{conn: c, healths: make(map[string]buyer.Health), leads: make(map[int64]leadResult), isNew: make(map[int64]bool), unkeyed: new(atomic.Bool)}
}

// leadResult is a lead, or the error of reading it.
type leadResult struct {
	lead lead.Lead
	err  error
}

// begin opens a transaction.
func (tx *dbTx) begin() error {
	tx.newest = ""
	clear(tx.healths)
	return tx.conn.begin()
}

// exec runs a statement without a result. Its error may be reported only at the commit.
func (tx *dbTx) exec(query string, args ...any) error { return tx.conn.exec(query, args) }

// execOne runs a statement that must change exactly one row.
func (tx *dbTx) execOne(query string, args ...any) error { return tx.conn.execOne(query, args) }

var errRowChanged = errors.New("a row that was to be changed is not what it was taken for")

// execCount runs a statement and returns how many rows it changed.
func (tx *dbTx) execCount(query string, args ...any) (int64, error) {
	return tx.conn.execCount(query, args)
}

// insert adds a row and returns its number.
func (tx *dbTx) insert(query string, args ...any) (int64, error) { return tx.conn.insert(query, args) }

// query reads rows inside the transaction.
func (tx *dbTx) query(query string, args []any, do func(row) error) error {
	return tx.conn.query(query, args, do)
}

// queryRow is query for at most one row. It reports whether there was one.
func (tx *dbTx) queryRow(query string, args []any, do func(row)) (found bool, err error) {
	err = tx.query(query, args, func(r row) error { found = true; do(r); return nil })
	return found, err
}

// row is one row of a query result.
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
	switch v := r[i].(type) {
	case int64:
		return v
	case int32: // PostgreSQL's type of a number literal in a statement
		return int64(v)
	}
	return 0
}

var errScan = errors.New("a row has another shape than was asked for")

// Scan makes row a scanner, like the rows of database/sql.
func (r row) Scan(dest ...any) error {
	if len(dest) != len(r) {
		return errScan
	}
	for i, d := range dest {
		switch d := d.(type) {
		case *string:
			*d = r.text(i)
		case *int64:
			*d = r.number(i)
		case *[]byte:
			*d = []byte(r.text(i))
		case *lead.Status:
			*d = lead.Status(r.text(i))
		case *buyer.State:
			*d = buyer.State(r.text(i))
		case sql.Scanner:
			if err := d.Scan(r[i]); err != nil {
				return err
			}
		default:
			return errScan
		}
	}
	return nil
}
