package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"foyer/internal/store/db"
)

func (p *Server) VersionQuery() string {
	return `SELECT 'PostgreSQL ' || current_setting('server_version')`
}

func (p *Server) Size(ctx context.Context, from db.Querier) (bytes int64, err error) {
	err = from.QueryRowContext(ctx, `SELECT pg_database_size(current_database())`).Scan(&bytes)
	return bytes, err
}

func (p *Server) HasTable(ctx context.Context, from db.Querier, table string) (found bool, err error) {
	err = from.QueryRowContext(ctx, `SELECT to_regclass($1) IS NOT NULL`, table).Scan(&found)
	return found, err
}

// lockTimeout is how long to wait until no other process writes. An autovacuum gives way within that time.
const lockTimeout = 5000 // milliseconds

// Snapshot reads for as long as it takes, and without preferIndexes: a check that looked up every lead by an index would take hours.
func (p *Server) Snapshot(ctx context.Context, lock ...db.Table) (*db.Snapshot, error) {
	pool := p.pool(1, "SET default_transaction_read_only = on", "SET statement_timeout = 0")
	snap, err := db.OpenSnapshot(ctx, pool, sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return nil, err
	}
	if len(lock) == 0 {
		return snap, nil
	}
	for _, statement := range []string{fmt.Sprintf(`SET LOCAL lock_timeout = %d`, lockTimeout), `LOCK TABLE ` + nameList(lock) + ` IN SHARE MODE`} {
		if _, err := snap.ExecContext(ctx, statement); err != nil {
			return nil, errors.Join(err, snap.Close())
		}
	}
	return snap, nil
}

// Same reports whether two addresses name one database: they have a host in common. The instance lock detects one host that has
// two names.
func (p *Server) Same(other db.Engine) bool {
	o, server := other.(*Server)
	return server && p.config.Database == o.config.Database && slices.ContainsFunc(p.hosts, func(a *pgx.ConnConfig) bool {
		return slices.ContainsFunc(o.hosts, func(b *pgx.ConnConfig) bool { return hostAddress(a) == hostAddress(b) })
	})
}
