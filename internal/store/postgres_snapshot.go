package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

func (p *postgresServer) versionQuery() string {
	return `SELECT 'PostgreSQL ' || current_setting('server_version')`
}

func (p *postgresServer) size(ctx context.Context, from querier) (bytes int64, err error) {
	err = from.QueryRowContext(ctx, `SELECT pg_database_size(current_database())`).Scan(&bytes)
	return bytes, err
}

func (p *postgresServer) hasTable(ctx context.Context, from querier, table string) (found bool, err error) {
	err = from.QueryRowContext(ctx, `SELECT to_regclass($1) IS NOT NULL`, table).Scan(&found)
	return found, err
}

// lockTimeout is how long to wait until no other process writes. An autovacuum gives way within that time.
const lockTimeout = 5000 // milliseconds

func (p *postgresServer) snapshot(ctx context.Context, exclusive bool) (*snapshot, error) {
	db, err := p.read()
	if err != nil {
		return nil, err
	}
	snap, err := openSnapshot(ctx, db, sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return nil, err
	}
	steps := append([]string{`SET LOCAL statement_timeout = 0`}, allowScans...) // reading everything takes as long as it takes
	if exclusive {
		var names []string
		for _, s := range tableSpecs {
			names = append(names, s.name)
		}
		steps = append(steps, fmt.Sprintf(`SET LOCAL lock_timeout = %d`, lockTimeout), `LOCK TABLE `+strings.Join(names, ", ")+` IN SHARE MODE`)
	}
	for _, statement := range steps {
		if _, err := snap.ExecContext(ctx, statement); err != nil {
			return nil, errors.Join(err, snap.close())
		}
	}
	return snap, nil
}

// same reports whether two addresses name one database: they have a host in common. The instance lock detects one host that has
// two names.
func (p *postgresServer) same(other engine) bool {
	o, server := other.(*postgresServer)
	return server && p.config.Database == o.config.Database && slices.ContainsFunc(p.hosts, func(a *pgx.ConnConfig) bool {
		return slices.ContainsFunc(o.hosts, func(b *pgx.ConnConfig) bool { return hostAddress(a) == hostAddress(b) })
	})
}
