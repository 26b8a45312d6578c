package store

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync/atomic"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// hand writes: it is what a piece of work holds while its transaction is open.
type hand struct {
	line      line
	newest    string                    // id of the last lead in the transaction under way
	standings map[string]buyer.Standing // what was read or written of them in it
	leads     map[int64]found           // what the piece of work under way read on the way
	buyers    int64                     // the version of the buyers, where it was read; 0 else
	isFresh   map[int64]bool            // which of the errands that it read stand in fresh
	forgot    bool                      // the piece of work under way erased a person
	saves     []*save                   // leads that the group under way keeps together in the end
	args      []any                     // of the statement that does
	unkeyed   *atomic.Bool              // the store's: there are prints of older versions
}

func newHand(l line) *hand {
	return &hand{line: l, standings: make(map[string]buyer.Standing), leads: make(map[int64]found), isFresh: make(map[int64]bool), unkeyed: new(atomic.Bool)}
}

// found is a lead as it was read, or why it could not be.
type found struct {
	lead lead.Lead
	err  error
}

// begin opens a transaction.
func (h *hand) begin() error {
	h.newest = ""
	clear(h.standings)
	return h.line.begin()
}

// exec runs a statement of which nothing is to be known but that it worked. Whether it did may only show at the commit.
func (h *hand) exec(query string, args ...any) error { return h.line.exec(query, args) }

// must runs a statement that has to change one row.
func (h *hand) must(query string, args ...any) error { return h.line.must(query, args) }

var errElsewhere = errors.New("a row that was to be changed is not what it was taken for")

// change runs a statement, and says how many rows it changed.
func (h *hand) change(query string, args ...any) (int64, error) { return h.line.change(query, args) }

// insert adds a row, and says which.
func (h *hand) insert(query string, args ...any) (int64, error) { return h.line.insert(query, args) }

// each reads rows inside the transaction.
func (h *hand) each(query string, args []any, do func(row) error) error {
	return h.line.query(query, args, do)
}

// one is each for a question with at most one answer. It says whether there was one.
func (h *hand) one(query string, args []any, do func(row)) (found bool, err error) {
	err = h.each(query, args, func(r row) error { found = true; do(r); return nil })
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
