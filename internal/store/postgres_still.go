package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

func (p *postgresServer) named() string {
	return `SELECT 'PostgreSQL ' || current_setting('server_version')`
}

func (p *postgresServer) size(ctx context.Context, from asker) (bytes int64, err error) {
	err = from.QueryRowContext(ctx, `SELECT pg_database_size(current_database())`).Scan(&bytes)
	return bytes, err
}

func (p *postgresServer) has(ctx context.Context, from asker, table string) (found bool, err error) {
	err = from.QueryRowContext(ctx, `SELECT to_regclass($1) IS NOT NULL`, table).Scan(&found)
	return found, err
}

// holdTime is how long to wait until nobody writes any more. Where the server tidies up by itself, it stops within that.
const holdTime = 5000 // milliseconds

func (p *postgresServer) still(ctx context.Context, held bool) (*still, error) {
	db, err := p.read()
	if err != nil {
		return nil, err
	}
	now, err := stand(ctx, db, sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil || !held {
		return now, err
	}
	var names []string
	for _, s := range shapes {
		names = append(names, s.name)
	}
	for _, statement := range []string{fmt.Sprintf(`SET LOCAL lock_timeout = %d`, holdTime), `LOCK TABLE ` + strings.Join(names, ", ") + ` IN SHARE MODE`} {
		if _, err := now.ExecContext(ctx, statement); err != nil {
			return nil, errors.Join(err, now.close())
		}
	}
	return now, nil
}

// same says whether two addresses are those of one database. One that has two names is found by who is there.
func (p *postgresServer) same(other engine) bool {
	o, server := other.(*postgresServer)
	return server && p.config.Host == o.config.Host && p.config.Port == o.config.Port && p.config.Database == o.config.Database
}
