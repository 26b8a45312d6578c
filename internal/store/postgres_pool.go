package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// postgresPool opens pooled connections. If maxOpen is 0, there is no limit and no query waits for a connection.
type postgresPool struct {
	db       *sql.DB
	server   *postgresServer
	settings []string
	maxOpen  int
}

func (p *postgresServer) pool(maxOpen int, settings ...string) *sql.DB {
	pool := &postgresPool{server: p, settings: settings, maxOpen: maxOpen}
	pool.db = sql.OpenDB(pool)
	pool.db.SetConnMaxIdleTime(5 * time.Minute)
	pool.restoreLimit()
	return pool.db
}

func (p *postgresPool) Connect(ctx context.Context) (conn driver.Conn, err error) {
	err = p.server.dialHosts(ctx, p.settings, func(ctx context.Context, c *pgx.ConnConfig) (err error) {
		conn, err = stdlib.GetConnector(*c, stdlib.OptionShouldPing(pingFails)).Connect(ctx)
		return err
	})
	if p.maxOpen > 0 && isTooManyConnections(err) && p.db.Stats().OpenConnections > 1 { // Stats counts the failing connection, too
		p.lowerLimit()
		return nil, driver.ErrBadConn // makes database/sql retry the query
	}
	return conn, err
}

func (p *postgresPool) Driver() driver.Driver { return stdlib.GetDefaultDriver() }

// lowerLimit makes queries share the open connections when the server accepts no more. A minute later the pool tries more again.
func (p *postgresPool) lowerLimit() {
	p.db.SetMaxOpenConns(max(1, p.db.Stats().MaxOpenConnections-1))
	time.AfterFunc(time.Minute, p.restoreLimit)
}

func (p *postgresPool) restoreLimit() {
	p.db.SetMaxOpenConns(p.maxOpen)
	p.db.SetMaxIdleConns(max(1, p.maxOpen))
}

// isTooManyConnections reports that the server, or this role on it, has no connection left.
func isTooManyConnections(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == "53300"
}

// pingFails checks an idle connection before use, as write connections do. Its short timeout leaves time for another connection.
func pingFails(ctx context.Context, c stdlib.ShouldPingParams) bool {
	if c.IdleDuration < pingAfterIdle {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout/4)
	defer cancel()
	return c.Conn.Ping(ctx) != nil
}
