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

// lockTimeout is how long to wait until nobody writes any more. Where the server tidies up by itself, it stops within that.
const lockTimeout = 5000 // milliseconds

func (p *postgresServer) snapshot(ctx context.Context, held bool) (*snapshot, error) {
	db, err := p.read()
	if err != nil {
		return nil, err
	}
	now, err := openSnapshot(ctx, db, sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return nil, err
	}
	steps := append([]string{`SET LOCAL statement_timeout = 0`}, allowScans...) // to read everything takes as long as it takes
	if held {
		var names []string
		for _, s := range tableSpecs {
			names = append(names, s.name)
		}
		steps = append(steps, fmt.Sprintf(`SET LOCAL lock_timeout = %d`, lockTimeout), `LOCK TABLE `+strings.Join(names, ", ")+` IN SHARE MODE`)
	}
	for _, statement := range steps {
		if _, err := now.ExecContext(ctx, statement); err != nil {
			return nil, errors.Join(err, now.close())
		}
	}
	return now, nil
}

// same says whether two addresses are those of one database: they have a host in common. One that has two names is found out
// by the lock of those that are there.
func (p *postgresServer) same(other engine) bool {
	o, server := other.(*postgresServer)
	return server && p.config.Database == o.config.Database && slices.ContainsFunc(p.hosts, func(a *pgx.ConnConfig) bool {
		return slices.ContainsFunc(o.hosts, func(b *pgx.ConnConfig) bool { return hostAddress(a) == hostAddress(b) })
	})
}
