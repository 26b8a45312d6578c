package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// postgresBulkWriter writes copied rows by COPY.
type postgresBulkWriter struct{ conn *pgx.Conn }

func (p *postgresServer) openBulkWriter(ctx context.Context) (bulkWriter, error) {
	conn, err := p.connect(ctx, "SET statement_timeout = 0", forceSyncCommit)
	if err != nil {
		return nil, err
	}
	return postgresBulkWriter{conn}, nil
}

// afterCopy has new rows numbered behind those that came with their numbers, and the planner know what there is.
func (p *postgresServer) afterCopy() (statements []string) {
	for _, s := range numberedTables() {
		statements = append(statements, fmt.Sprintf(`SELECT setval(pg_get_serial_sequence('%[1]s', 'seq'), COALESCE((SELECT max(seq) FROM %[1]s), 0) + 1, false)`, s.name))
	}
	for _, s := range tableSpecs {
		statements = append(statements, `ANALYZE `+s.name)
	}
	return statements
}

func (f postgresBulkWriter) replaceRows(ctx context.Context, s tableSpec, out, in []record) error {
	return pgx.BeginFunc(ctx, f.conn, func(tx pgx.Tx) error {
		if len(out) > 0 {
			var gone pgx.Batch
			for _, r := range out {
				gone.Queue(s.deleteQuery(), r[:s.keys]...)
			}
			if err := tx.SendBatch(ctx, &gone).Close(); err != nil {
				return err
			}
		}
		if len(in) == 0 {
			return nil
		}
		_, err := tx.CopyFrom(ctx, pgx.Identifier{s.name}, s.columns, pgx.CopyFromRows(in))
		return err
	})
}

func (f postgresBulkWriter) execAll(ctx context.Context, statements ...string) error {
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
	ctx, cancel := context.WithTimeout(context.Background(), connectTimeout)
	defer cancel()
	return f.conn.Close(ctx)
}
