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

// postgresPool opens connections that are shared. Where most is none, there is no limit, and nobody waits for another.
type postgresPool struct {
	db       *sql.DB
	server   *postgresServer
	settings []string
	maxOpen     int
}

func (p *postgresServer) pool(most int, settings ...string) *sql.DB {
	pool := &postgresPool{server: p, settings: settings, maxOpen: most}
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
	if p.maxOpen > 0 && isTooManyConnections(err) && p.db.Stats().OpenConnections > 1 { // this one counts as open until it has failed
		p.lowerLimit()
		return nil, driver.ErrBadConn // has the question put again
	}
	return conn, err
}

func (p *postgresPool) Driver() driver.Driver { return stdlib.GetDefaultDriver() }

// lowerLimit has questions wait for the connections there are, where the server lets no more in. After a while more are tried.
func (p *postgresPool) lowerLimit() {
	p.db.SetMaxOpenConns(max(1, p.db.Stats().MaxOpenConnections-1))
	time.AfterFunc(time.Minute, p.restoreLimit)
}

func (p *postgresPool) restoreLimit() {
	p.db.SetMaxOpenConns(p.maxOpen)
	p.db.SetMaxIdleConns(max(1, p.maxOpen))
}

// isTooManyConnections says that a server has no connection left, or none for us.
func isTooManyConnections(err error) bool {
	var said *pgconn.PgError
	return errors.As(err, &said) && said.Code == "53300"
}

// pingFails looks at a connection that has rested, like those that write. One that does not answer soon leaves time for another.
func pingFails(ctx context.Context, c stdlib.ShouldPingParams) bool {
	if c.IdleDuration < pingAfterIdle {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout/4)
	defer cancel()
	return c.Conn.Ping(ctx) != nil
}
