package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// postgresBulkWriter writes copied rows by COPY.
type postgresBulkWriter struct{ conn *pgx.Conn }

func (p *postgresServer) fill(ctx context.Context) (bulkWriter, error) {
	conn, err := p.connect(ctx, "SET statement_timeout = 0", promise)
	if err != nil {
		return nil, err
	}
	return postgresBulkWriter{conn}, nil
}

// afterCopy has new rows numbered behind those that came with their numbers, and the planner know what there is.
func (p *postgresServer) afterCopy() (statements []string) {
	for _, s := range numberedShapes() {
		statements = append(statements, fmt.Sprintf(`SELECT setval(pg_get_serial_sequence('%[1]s', 'seq'), COALESCE((SELECT max(seq) FROM %[1]s), 0) + 1, false)`, s.name))
	}
	for _, s := range shapes {
		statements = append(statements, `ANALYZE `+s.name)
	}
	return statements
}

// clearTables leaves no dead rows behind, as DELETE would.
func (p *postgresServer) clearTables() []string {
	names := make([]string, len(shapes))
	for i, s := range shapes {
		names[i] = s.name
	}
	return []string{`TRUNCATE ` + strings.Join(names, ", ")}
}

func (f postgresBulkWriter) put(ctx context.Context, s shape, rows []record) error {
	_, err := f.conn.CopyFrom(ctx, pgx.Identifier{s.name}, s.columns, pgx.CopyFromRows(rows))
	return err
}

func (f postgresBulkWriter) do(ctx context.Context, statements ...string) error {
	return pgx.BeginFunc(ctx, f.conn, func(tx pgx.Tx) error {
		for _, s := range statements {
			if _, err := tx.Exec(ctx, s); err != nil {
				return err
			}
		}
		return nil
	})
}

func (f postgresBulkWriter) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), openTime)
	defer cancel()
	return f.conn.Close(ctx)
}
