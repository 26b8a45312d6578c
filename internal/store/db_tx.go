package store

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync/atomic"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// dbTx writes: it is what a piece of work holds while its transaction is open.
type dbTx struct {
	conn    conn
	newest  string                  // id of the last lead in the transaction under way
	healths map[string]buyer.Health // what was read or written of them in it
	leads   map[int64]leadResult    // what the piece of work under way read on the way
	buyersVersion  int64                   // the version of the buyers, where it was read; 0 else
	isNew   map[int64]bool          // which of the errands that it read stand in fresh
	erased  bool                    // the piece of work under way erased a person
	saves   []*save                 // leads that the group under way keeps together in the end
	args    []any                   // of the statement that does
	unkeyed *atomic.Bool            // the store's: there are prints of older versions
}

func newDBTx(l conn) *dbTx {
	return &dbTx{conn: l, healths: make(map[string]buyer.Health), leads: make(map[int64]leadResult), isNew: make(map[int64]bool), unkeyed: new(atomic.Bool)}
}

// leadResult is a lead as it was read, or why it could not be.
type leadResult struct {
	lead lead.Lead
	err  error
}

// begin opens a transaction.
func (h *dbTx) begin() error {
	h.newest = ""
	clear(h.healths)
	return h.conn.begin()
}

// exec runs a statement of which nothing is to be known but that it worked. Whether it did may only show at the commit.
func (h *dbTx) exec(query string, args ...any) error { return h.conn.exec(query, args) }

// execOne runs a statement that has to change one row.
func (h *dbTx) execOne(query string, args ...any) error { return h.conn.execOne(query, args) }

var errRowChanged = errors.New("a row that was to be changed is not what it was taken for")

// execCount runs a statement, and says how many rows it changed.
func (h *dbTx) execCount(query string, args ...any) (int64, error) {
	return h.conn.execCount(query, args)
}

// insert adds a row, and says which.
func (h *dbTx) insert(query string, args ...any) (int64, error) { return h.conn.insert(query, args) }

// query reads rows inside the transaction.
func (h *dbTx) query(query string, args []any, do func(row) error) error {
	return h.conn.query(query, args, do)
}

// queryRow is each for a question with at most one answer. It says whether there was one.
func (h *dbTx) queryRow(query string, args []any, do func(row)) (found bool, err error) {
	err = h.query(query, args, func(r row) error { found = true; do(r); return nil })
	return found, err
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
	switch v := r[i].(type) {
	case int64:
		return v
	case int32: // what stands as a number in a statement, to PostgreSQL
		return int64(v)
	}
	return 0
}

var errScan = errors.New("a row has another shape than was asked for")

// Scan lets a row of the writing connection be read like any other.
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
