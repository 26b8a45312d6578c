package store

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// postgresServer is a database that several processes may share. If its address names several hosts, one of them takes over from
// another.
type postgresServer struct {
	config      *pgx.ConnConfig
	hosts       []*pgx.ConnConfig
	firstHost   atomic.Int32 // index of the host to try first: the last one that answered
	instance    advisoryLock // shows other processes that this one is running
	unreachable atomic.Bool  // no server answered the last connection attempt
}

func newPostgres(address string) (*postgresServer, error) {
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
	return &postgresServer{config: config, hosts: hosts}, nil
}

func (p *postgresServer) String() string {
	var addresses []string
	for _, h := range p.hosts {
		addresses = append(addresses, hostAddress(h))
	}
	return fmt.Sprintf("postgres://%s@%s/%s", p.config.User, strings.Join(addresses, ","), p.config.Database)
}

// roles has two writers for leads, so that one continues while the other waits for a slow server or is down. It has one for all
// other changes, because only one process makes those at a time anyway.
func (p *postgresServer) roles() []role { return []role{roleSave, roleSave, roleUpdate, roleCount} }

// Advisory locks that the processes on one database share. The numbers spell "foyer" and count up.
const (
	lockUpdates    = 0x666f796572_01 // held by the process that runs an update
	lockMigrations = 0x666f796572_02 // held by the process that runs migrations
	lockInstances  = 0x666f796572_03 // shared by all running instances
)

// How long PostgreSQL may take. An HTTP handler must know within three seconds that nothing was saved.
const (
	saveTimeout   = 2 * time.Second        // for a group of leads
	updateTimeout = 8 * time.Second        // for one step of an update, including the wait for other processes
	readTimeout   = 2 * time.Second        // for a read
	countTimeout  = 500 * time.Millisecond // for counting client requests; without an answer each process counts on its own
	idleTxTimeout = 3 * time.Second        // for a connection that is idle in a transaction: shorter than others wait for its locks
)

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// write opens a connection for a role. The server times out slightly before the client does, so that the outcome of a statement
// is known, and a client that disconnects inside a transaction does not block others.
func (p *postgresServer) write(ctx context.Context, r role) (conn, error) {
	timeout := map[role]time.Duration{roleSave: saveTimeout, roleUpdate: updateTimeout, roleCount: countTimeout}[r]
	settings := []string{
		"SET statement_timeout = " + milliseconds(timeout*7/8),
		"SET idle_in_transaction_session_timeout = " + milliseconds(idleTxTimeout),
		forceSyncCommit,
	}
	if r == roleCount {
		settings[2] = "SET synchronous_commit = off" // a crash may lose request counts, nothing else
	}
	settings = append(append(settings, preferIndexes...), "SET enable_sort = off") // indexes return rows in their order
	c := &postgresConn{timeout: timeout, pending: &pgx.Batch{}}
	c.dial = func(ctx context.Context) (*pgx.Conn, error) {
		return p.connectWithNotices(ctx, c.onNotice, settings...)
	}
	if r == roleUpdate {
		c.afterBegin = fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", lockUpdates)
	}
	var err error
	c.conn, err = c.dial(ctx)
	return c, err
}

// postgresReaders is the size of the read pool.
const postgresReaders = 8

func (p *postgresServer) read() (*sql.DB, error) {
	return p.pool(postgresReaders, append([]string{"SET default_transaction_read_only = on"}, preferIndexes...)...), nil
}

// preferIndexes makes the server use an index for every query. It prefers to scan a small table, and keeps that plan after the
// table has grown: a plan made while the queue was almost empty slowed the forwarder from 600 leads a second to 90.
var preferIndexes = []string{
	"SET enable_seqscan = off", "SET enable_bitmapscan = off", "SET enable_hashjoin = off", "SET enable_mergejoin = off",
	"SET random_page_cost = 1.1", // so that a small partial index is preferred to the index of all leads
	"SET jit = off",              // it starts for plans that look expensive, and a disabled plan type always does
}

// allowScans undoes preferIndexes for transactions that read everything: a check that looked up every lead by an index would take
// hours.
var allowScans = []string{
	"SET LOCAL enable_seqscan = on", "SET LOCAL enable_bitmapscan = on", "SET LOCAL enable_hashjoin = on", "SET LOCAL enable_mergejoin = on",
}

// readContext sets the timeout of a read. While the server is unreachable, reads fail immediately instead of waiting to find that
// out again.
func (p *postgresServer) readContext(ctx context.Context) (context.Context, context.CancelFunc) {
	if p.unreachable.Load() {
		return context.WithDeadline(ctx, time.Time{}) // DeadlineExceeded, not Canceled: the caller is still there
	}
	return context.WithTimeout(ctx, readTimeout)
}

// exists checks that the server answers and has the tables of Foyer.
func (p *postgresServer) exists(ctx context.Context) error {
	conn, err := p.connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	var found bool
	if err := conn.QueryRow(ctx, `SELECT to_regclass('leads') IS NOT NULL`).Scan(&found); err != nil {
		return err
	}
	if !found {
		return missing("are no tables", p)
	}
	return nil
}

// reopen gives a writer a new connection. The read pool recovers by itself. If the newest lead is missing, a server has taken
// over that never received it: the operator must know, and the service continues.
func (p *postgresServer) reopen(ctx context.Context, w *writer) error {
	_ = w.tx.conn.close() // the connection is broken, so this returns an error
	newConn, err := p.write(ctx, w.role)
	if err != nil {
		return err
	}
	w.tx.conn = newConn
	found, err := w.hasLastCommitted()
	if err == nil && !found {
		w.store.log.Error("the newest acknowledged lead is not on this server: leads were lost when another server took over")
	}
	return err
}

// truncateLog does nothing: the server's vacuum overwrites erased data in its own time (docs/decisions/0032).
func (p *postgresServer) truncateLog(context.Context) error { return nil }

// checkpoint does nothing: the server has a process for it.
func (p *postgresServer) checkpoint(context.Context) error { return nil }

func (p *postgresServer) acquireInstance() (bool, error) { return p.instance.acquire(p) }

func (p *postgresServer) keepInstance() { p.instance.keepAlive(p) }

func (p *postgresServer) releaseInstance() error { return p.instance.release() }
