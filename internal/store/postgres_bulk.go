package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// postgresBulkWriter writes copied rows with COPY.
type postgresBulkWriter struct{ conn *pgx.Conn }

func (p *postgresServer) openBulkWriter(ctx context.Context) (bulkWriter, error) {
	conn, err := p.connect(ctx, "SET statement_timeout = 0", forceSyncCommit)
	if err != nil {
		return nil, err
	}
	return postgresBulkWriter{conn}, nil
}

// afterCopy moves each sequence past the copied rows and updates the planner's statistics.
func (p *postgresServer) afterCopy() (statements []string) {
	for _, s := range numberedTables() {
		statements = append(statements, fmt.Sprintf(`SELECT setval(pg_get_serial_sequence('%[1]s', 'seq'), COALESCE((SELECT max(seq) FROM %[1]s), 0) + 1, false)`, s.name))
	}
	for _, s := range tableSpecs {
		statements = append(statements, `ANALYZE `+s.name)
	}
	return statements
}

// clearTables leaves no dead rows behind, as DELETE would.
func (p *postgresServer) clearTables() []string {
	names := make([]string, len(tableSpecs))
	for i, s := range tableSpecs {
		names[i] = s.name
	}
	return []string{`TRUNCATE ` + strings.Join(names, ", ")}
}

func (w postgresBulkWriter) put(ctx context.Context, s tableSpec, rows []record) error {
	_, err := w.conn.CopyFrom(ctx, pgx.Identifier{s.name}, s.columns, pgx.CopyFromRows(rows))
	return err
}

func (w postgresBulkWriter) execAll(ctx context.Context, statements ...string) error {
	return pgx.BeginFunc(ctx, w.conn, func(tx pgx.Tx) error {
		for _, s := range statements {
			if _, err := tx.Exec(ctx, s); err != nil {
				return err
			}
		}
		return nil
	})
}

func (w postgresBulkWriter) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), connectTimeout)
	defer cancel()
	return w.conn.Close(ctx)
}
