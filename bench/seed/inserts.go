package seed

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// rowBatch is how many rows one statement inserts: several, because the engine may be at the far end of a connection.
const rowBatch = 8

// tables are the tables to fill.
type tables struct {
	leads, history, offers, attempts, deliveries, fingerprints, sales *batchInserter
}

func openTables(ctx context.Context, conn *sql.Conn) (*tables, error) {
	t := &tables{}
	for _, s := range []struct {
		into                 **batchInserter
		table, columns, tail string
	}{
		{&t.leads, "leads", "seq, id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence", ""},
		{&t.history, "history", "lead_seq, at, status, actor, reason", ""},
		{&t.offers, "offers", "id, lead_seq, buyer_id, at, one_step, state, code", ""},
		{&t.attempts, "attempts", "lead_seq, offer_id, kind, at, took, status, failure, answer, decision", ""},
		{&t.deliveries, "deliveries", "lead_seq, buyer_queue, due_at, since, attempts", ""},
		{&t.fingerprints, "fingerprints", "fingerprint, lead_seq, at", ""},
		{&t.sales, "sales", "fingerprint, buyer_id, at", " ON CONFLICT DO NOTHING"}, // a few people send two requests
	} {
		made, err := newBatchInserter(ctx, conn, s.table, s.columns, s.tail)
		if err != nil {
			return nil, err
		}
		*s.into = made
	}
	return t, nil
}

func (t *tables) all() []*batchInserter {
	return []*batchInserter{t.leads, t.history, t.offers, t.attempts, t.deliveries, t.fingerprints, t.sales}
}

func (t *tables) flush() error {
	var errs []error
	for _, s := range t.all() {
		errs = append(errs, s.flush())
	}
	return errors.Join(errs...)
}

func (t *tables) close() error {
	var errs []error
	for _, s := range t.all() {
		errs = append(errs, s.one.Close(), s.many.Close())
	}
	return errors.Join(errs...)
}

// batchInserter inserts rows into one table, a few per statement.
type batchInserter struct {
	one, many *sql.Stmt
	columns   int
	waiting   []any
}

func newBatchInserter(ctx context.Context, conn *sql.Conn, table, columns, tail string) (*batchInserter, error) {
	s := &batchInserter{columns: strings.Count(columns, ",") + 1}
	insert := "INSERT INTO " + table + " (" + columns + ") VALUES "
	var err error
	if s.one, err = conn.PrepareContext(ctx, insert+placeholders(1, s.columns)+tail); err != nil {
		return nil, err
	}
	s.many, err = conn.PrepareContext(ctx, insert+placeholders(rowBatch, s.columns)+tail)
	return s, err
}

// placeholders are the parameters of a number of rows: ($1, $2), ($3, $4).
func placeholders(rows, columns int) string {
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

func (s *batchInserter) add(row ...any) error {
	s.waiting = append(s.waiting, row...)
	if len(s.waiting) < rowBatch*s.columns {
		return nil
	}
	_, err := s.many.Exec(s.waiting...)
	s.waiting = s.waiting[:0]
	return err
}

// flush writes the rows that did not fill a statement.
func (s *batchInserter) flush() error {
	for at := 0; at < len(s.waiting); at += s.columns {
		if _, err := s.one.Exec(s.waiting[at : at+s.columns]...); err != nil {
			return err
		}
	}
	s.waiting = s.waiting[:0]
	return nil
}
