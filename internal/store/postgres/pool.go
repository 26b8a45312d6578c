package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// connector opens the connections of a connection pool, which is a database/sql.DB. If maxOpen is 0, there is no limit and no query waits for a connection.
type connector struct {
	pool     *sql.DB
	server   *Server
	settings []string
	maxOpen  int
}

func (p *Server) pool(maxOpen int, settings ...string) *sql.DB {
	c := &connector{server: p, settings: settings, maxOpen: maxOpen}
	c.pool = sql.OpenDB(c)
	c.pool.SetConnMaxIdleTime(5 * time.Minute)
	c.restoreLimit()
	return c.pool
}

func (c *connector) Connect(ctx context.Context) (conn driver.Conn, err error) {
	err = c.server.dialHosts(ctx, c.settings, func(ctx context.Context, config *pgx.ConnConfig) (err error) {
		conn, err = stdlib.GetConnector(*config, stdlib.OptionShouldPing(pingFails)).Connect(ctx)
		return err
	})
	if c.maxOpen > 0 && errorCode(err) == tooManyConnections && c.pool.Stats().OpenConnections > 1 { // it counts the failing one, too
		c.lowerLimit()
		return nil, driver.ErrBadConn // makes database/sql retry the query
	}
	return conn, err
}

func (c *connector) Driver() driver.Driver { return stdlib.GetDefaultDriver() }

// lowerLimit makes queries share the open connections when the server accepts no more. A minute later the pool tries more again.
func (c *connector) lowerLimit() {
	c.pool.SetMaxOpenConns(max(1, c.pool.Stats().MaxOpenConnections-1))
	time.AfterFunc(time.Minute, c.restoreLimit)
}

func (c *connector) restoreLimit() {
	c.pool.SetMaxOpenConns(c.maxOpen)
	c.pool.SetMaxIdleConns(max(1, c.maxOpen))
}

// tooManyConnections means that the server, or this role on it, has no connection left.
const tooManyConnections = "53300"

// pingFails checks an idle connection before use, as write connections do. Its short timeout leaves time for another connection.
func pingFails(ctx context.Context, c stdlib.ShouldPingParams) bool {
	if c.IdleDuration < pingAfterIdle {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout/4)
	defer cancel()
	return c.Conn.Ping(ctx) != nil
}
