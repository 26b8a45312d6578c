// Package postgres keeps a database on a PostgreSQL server, which several processes may share, or on several servers of which one
// takes over from another. It knows how PostgreSQL is reached, writes, locks and fails, and no table but the one that tells
// whether there are any.
package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"foyer/internal/store/db"
)

// Server is a database that several processes may share. If its address names several hosts, one of them takes over from
// another.
type Server struct {
	config         *pgx.ConnConfig
	hosts          []*pgx.ConnConfig
	connectTimeout time.Duration // for each host: what the address or PGCONNECT_TIMEOUT says, or else db.ConnectTimeout
	firstHost      atomic.Int32  // index of the host to try first: the last one that answered
	instance       advisoryLock  // shows other processes that this one is running
	unreachable    atomic.Bool   // no server answered the last connection attempt
	pooled         atomic.Bool   // there is a pooler between this process and the server
}

// New returns the database at an address. It need not be reachable.
func New(address string) (*Server, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("database: the address of the PostgreSQL server cannot be read; it looks like postgres://user:password@host:5432/name: %w", err)
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "foyer"
	}
	hosts := splitHosts(config)
	for _, h := range hosts {
		if len(hosts) > 1 && h.ValidateConnect == nil { // otherwise a standby that answers first would be used
			h.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
		}
	}
	return &Server{config: config, hosts: hosts, connectTimeout: cmp.Or(config.ConnectTimeout, db.ConnectTimeout)}, nil
}

// Name is String: an address is the same in every directory.
func (p *Server) Name() string { return p.String() }

func (p *Server) String() string {
	var addresses []string
	for _, h := range p.hosts {
		addresses = append(addresses, hostAddress(h))
	}
	return fmt.Sprintf("postgres://%s@%s/%s", p.config.User, strings.Join(addresses, ","), p.config.Database)
}

// Roles has two writers for leads, so that one continues while the other waits for a slow server or is down. It has one for all
// other changes, because only one process makes those at a time anyway, and one each for claims and for answers, which processes
// record at the same time.
func (p *Server) Roles() []db.Role {
	return []db.Role{db.RoleSave, db.RoleSave, db.RoleClaim, db.RoleSettle, db.RoleUpdate, db.RoleCount}
}

// Advisory locks that the processes on one database share. The numbers spell "foyer" and count up.
const (
	lockUpdates    = 0x666f796572_01 // held by the process that runs an update, and shared by those that claim or settle
	lockMigrations = 0x666f796572_02 // held by the process that runs migrations
	lockInstances  = 0x666f796572_03 // shared by all running instances
)

const (
	readTimeout   = 2 * time.Second // for a read
	idleTxTimeout = 3 * time.Second // for a connection that is idle in a transaction: shorter than others wait for its locks
)

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// Write opens a connection for a role. The server times out slightly before the client does, so that the outcome of a statement
// is known, and a client that disconnects inside a transaction does not block others.
func (p *Server) Write(ctx context.Context, r db.Role) (db.Conn, error) {
	timeout := map[db.Role]time.Duration{
		db.RoleSave: db.SaveTimeout, db.RoleClaim: db.UpdateTimeout, db.RoleSettle: db.UpdateTimeout, db.RoleUpdate: db.UpdateTimeout, db.RoleCount: db.CountTimeout,
	}[r]
	settings := []string{
		"SET statement_timeout = " + milliseconds(timeout*7/8),
		"SET idle_in_transaction_session_timeout = " + milliseconds(idleTxTimeout),
		forceSyncCommit,
	}
	if r == db.RoleCount {
		settings[2] = "SET synchronous_commit = off" // a crash may lose request counts, nothing else
	}
	settings = append(append(settings, preferIndexes...), "SET enable_sort = off") // indexes return rows in their order
	c := &conn{timeout: timeout, pending: &pgx.Batch{}}
	c.dial = func(ctx context.Context) (*pgx.Conn, error) {
		return p.connect(ctx, c.onNotice, settings...)
	}
	switch r {
	case db.RoleUpdate:
		c.afterBegin = fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", lockUpdates)
	case db.RoleClaim, db.RoleSettle:
		c.afterBegin = fmt.Sprintf("SELECT pg_advisory_xact_lock_shared(%d)", lockUpdates)
	}
	var err error
	c.conn, err = c.dial(ctx)
	return c, err
}

// readers is the size of the read pool.
const readers = 8

func (p *Server) Read() (*sql.DB, error) {
	return p.pool(readers, append([]string{"SET default_transaction_read_only = on"}, preferIndexes...)...), nil
}

// preferIndexes makes the server use an index for every query. It prefers to scan a small table, and keeps that plan after the
// table has grown: a plan made while the queue was almost empty slowed the forwarder from 600 leads a second to 90.
var preferIndexes = []string{
	"SET enable_seqscan = off", "SET enable_bitmapscan = off", "SET enable_hashjoin = off", "SET enable_mergejoin = off",
	"SET random_page_cost = 1.1", // so that a small partial index is preferred to the index of all leads
	"SET jit = off",              // it starts for plans that look expensive, and a disabled plan type always does
}

// ReadContext sets the timeout of a read. While the server is unreachable, reads fail immediately instead of waiting to find that
// out again.
func (p *Server) ReadContext(ctx context.Context) (context.Context, context.CancelFunc) {
	if p.unreachable.Load() {
		return context.WithDeadline(ctx, time.Time{}) // DeadlineExceeded, not Canceled: the caller is still there
	}
	return context.WithTimeout(ctx, readTimeout)
}

// Exists checks that the server answers and has the tables of Foyer.
func (p *Server) Exists(ctx context.Context) error {
	c, err := p.connect(ctx, nil)
	if err != nil {
		return db.CannotOpen(p, err)
	}
	defer c.Close(ctx)
	if err := p.requireSession(ctx, c); err != nil {
		return db.CannotOpen(p, err)
	}
	var found bool
	if err := c.QueryRow(ctx, `SELECT to_regclass('leads') IS NOT NULL`).Scan(&found); err != nil {
		return db.CannotOpen(p, err)
	}
	if !found {
		return db.Missing("are no tables", p)
	}
	return nil
}

func (p *Server) IsServer() bool { return true }

func (p *Server) Dialect() string { return "postgres" }

// TruncateLog does nothing: the server's vacuum overwrites erased data in its own time (docs/decisions/0032).
func (p *Server) TruncateLog(context.Context) error { return nil }

// Checkpoint does nothing: the server writes its log by itself.
func (p *Server) Checkpoint(context.Context) error { return nil }

// Migrate applies the migrations. If several processes start at once, one migrates and the others wait. Its commits wait for the
// disk: a service would fail on the tables from before, if a crash of the server brought them back.
func (p *Server) Migrate(ctx context.Context, apply func(context.Context, *sql.DB) error) error {
	pool := p.pool(0, forceSyncCommit)
	defer pool.Close()
	c, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close() // releases the lock, too
	if err := c.Raw(func(conn any) error { return p.requireSession(ctx, conn.(*stdlib.Conn).Conn()) }); err != nil {
		return err
	}
	if _, err := c.ExecContext(ctx, fmt.Sprintf("SELECT pg_advisory_lock(%d)", lockMigrations)); ctx.Err() != nil {
		return db.ErrStoppedWaiting
	} else if err != nil {
		return err
	}
	return p.migrateBetweenReads(ctx, apply)
}

// A statement that changes a table waits for everyone who reads it, and everyone who comes later waits behind it: during a dump of an
// hour, no lead would be taken. So it gives up after migrationLockTimeout, in which an autovacuum gives way, and tries again while others
// have their turn.
const (
	migrationLockTimeout = 2 * time.Second
	migrationPause       = 5 * time.Second
	migrationPatience    = 10 * time.Minute
)

func (p *Server) migrateBetweenReads(ctx context.Context, apply func(context.Context, *sql.DB) error) error {
	pool := p.pool(0, forceSyncCommit, "SET lock_timeout = "+milliseconds(migrationLockTimeout))
	defer pool.Close()
	for deadline := time.Now().Add(migrationPatience); ; {
		err := apply(ctx, pool)
		switch {
		case errorCode(err) != lockNotAvailable:
			return err
		case time.Now().After(deadline):
			return fmt.Errorf("the tables cannot be changed: something reads them for minutes, such as a dump or an export. Start again when it has ended (%w)", err)
		}
		select {
		case <-ctx.Done():
			return db.ErrStoppedWaiting
		case <-time.After(migrationPause):
		}
	}
}

// lockNotAvailable is the server's code for a lock timeout.
const lockNotAvailable = "55P03"
