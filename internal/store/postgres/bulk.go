package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"foyer/internal/store/db"
)

// bulkWriter writes copied rows with COPY.
type bulkWriter struct{ conn *pgx.Conn }

// BulkWriter opens a connection without a timeout.
func (p *Server) BulkWriter(ctx context.Context) (db.BulkWriter, error) {
	c, err := p.connect(ctx, nil, "SET statement_timeout = 0", forceSyncCommit)
	if err != nil {
		return nil, err
	}
	return bulkWriter{c}, nil
}

// AfterCopy moves each sequence past the copied rows and updates the planner's statistics.
func (p *Server) AfterCopy(tables []db.Table) (statements []string) {
	for _, t := range tables {
		if t.Numbered() {
			statements = append(statements, fmt.Sprintf(`SELECT setval(pg_get_serial_sequence('%[1]s', 'seq'), COALESCE((SELECT max(seq) FROM %[1]s), 0) + 1, false)`, t.Name))
		}
		statements = append(statements, `ANALYZE `+t.Name)
	}
	return statements
}

// ClearTables leaves no dead rows behind, as DELETE would.
func (p *Server) ClearTables(tables []db.Table) []string {
	return []string{`TRUNCATE ` + nameList(tables)}
}

// nameList returns the names of tables, separated by commas.
func nameList(tables []db.Table) string {
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = t.Name
	}
	return strings.Join(names, ", ")
}

func (w bulkWriter) Put(ctx context.Context, t db.Table, rows [][]any) error {
	_, err := w.conn.CopyFrom(ctx, pgx.Identifier{t.Name}, t.Columns, pgx.CopyFromRows(rows))
	return err
}

func (w bulkWriter) ExecAll(ctx context.Context, statements ...string) error {
	return pgx.BeginFunc(ctx, w.conn, func(tx pgx.Tx) error {
		for _, s := range statements {
			if _, err := tx.Exec(ctx, s); err != nil {
				return err
			}
		}
		return nil
	})
}

func (w bulkWriter) Close() error { return closeConn(w.conn) }
