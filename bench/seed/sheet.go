package seed

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// rowsAtOnce is how many rows one statement adds: more than one, for an engine at the far end of a connection.
const rowsAtOnce = 8

// books are the tables that are filled.
type books struct {
	leads, history, offers, attempts, deliveries, prints, sold *sheet
}

func openBooks(ctx context.Context, conn *sql.Conn) (*books, error) {
	b := &books{}
	for _, s := range []struct {
		into                 **sheet
		table, columns, tail string
	}{
		{&b.leads, "leads", "seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence", ""},
		{&b.history, "history", "lead_seq, at, status, actor, reason", ""},
		{&b.offers, "offers", "id, lead_seq, buyer_id, at, one_step, state, code", ""},
		{&b.attempts, "attempts", "lead_seq, offer_id, kind, at, took, status, failure, answer, decision", ""},
		{&b.deliveries, "deliveries", "lead_seq, lane, due_at, since, attempts", ""},
		{&b.prints, "prints", "print, lead_seq, at", ""},
		{&b.sold, "sold", "print, buyer_id, at", " ON CONFLICT DO NOTHING"}, // a few people ask twice
	} {
		made, err := openSheet(ctx, conn, s.table, s.columns, s.tail)
		if err != nil {
			return nil, err
		}
		*s.into = made
	}
	return b, nil
}

func (b *books) all() []*sheet {
	return []*sheet{b.leads, b.history, b.offers, b.attempts, b.deliveries, b.prints, b.sold}
}

func (b *books) flush() error {
	var errs []error
	for _, s := range b.all() {
		errs = append(errs, s.flush())
	}
	return errors.Join(errs...)
}

func (b *books) close() error {
	var errs []error
	for _, s := range b.all() {
		errs = append(errs, s.one.Close(), s.many.Close())
	}
	return errors.Join(errs...)
}

// sheet is one table that rows are added to, a few in each statement.
type sheet struct {
	one, many *sql.Stmt
	columns   int
	waiting   []any
}

func openSheet(ctx context.Context, conn *sql.Conn, table, columns, tail string) (*sheet, error) {
	s := &sheet{columns: strings.Count(columns, ",") + 1}
	insert := "INSERT INTO " + table + " (" + columns + ") VALUES "
	var err error
	if s.one, err = conn.PrepareContext(ctx, insert+places(1, s.columns)+tail); err != nil {
		return nil, err
	}
	s.many, err = conn.PrepareContext(ctx, insert+places(rowsAtOnce, s.columns)+tail)
	return s, err
}

// places are the parameters of a number of rows: ($1, $2), ($3, $4).
func places(rows, columns int) string {
	var b strings.Builder
	for i := range rows * columns {
		switch {
		case i == 0:
			b.WriteString("(")
		case i%columns == 0:
			b.WriteString("), (")
		default:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "$%d", i+1)
	}
	return b.String() + ")"
}

func (s *sheet) add(row ...any) error {
	s.waiting = append(s.waiting, row...)
	if len(s.waiting) < rowsAtOnce*s.columns {
		return nil
	}
	_, err := s.many.Exec(s.waiting...)
	s.waiting = s.waiting[:0]
	return err
}

// flush writes the rows that did not fill a statement.
func (s *sheet) flush() error {
	for at := 0; at < len(s.waiting); at += s.columns {
		if _, err := s.one.Exec(s.waiting[at : at+s.columns]...); err != nil {
			return err
		}
	}
	s.waiting = s.waiting[:0]
	return nil
}
