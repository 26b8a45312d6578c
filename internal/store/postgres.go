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

// postgresServer is a database that several processes may share. Where its address names several hosts, one of them takes
// over from another.
type postgresServer struct {
	config   *pgx.ConnConfig
	hosts    []*pgx.ConnConfig
	firstHost    atomic.Int32 // the host that is tried first: it answered last
	instance advisoryLock // by which other processes see this one
	unreachable     atomic.Bool  // nobody answered when somebody last tried to connect
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
		if len(hosts) > 1 && h.ValidateConnect == nil { // else the first answer of one that only follows would keep us there
			h.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
		}
	}
	return &postgresServer{config: config, hosts: hosts}, nil
}

func (p *postgresServer) String() string {
	var places []string
	for _, h := range p.hosts {
		places = append(places, hostAddress(h))
	}
	return fmt.Sprintf("postgres://%s@%s/%s", p.config.User, strings.Join(places, ","), p.config.Database)
}

// roles has two writers for leads, so that one goes on while the other waits for a slow server or is ill, and one for
// everything else: that is done by one process at a time anyway.
func (p *postgresServer) roles() []role { return []role{roleSave, roleSave, roleUpdate, roleCount} }

// Locks that processes on one database agree on. The numbers spell "foyer" and count up.
const (
	lockUpdates   = 0x666f796572_01 // held by the process that makes a turn
	lockMigrations  = 0x666f796572_02 // by the one that changes the tables
	lockInstances = 0x666f796572_03 // shared by all that are there
)

// How long PostgreSQL may take. A door must know within three seconds that nothing was kept.
const (
	saveTimeout  = 2 * time.Second        // for a group of leads
	updateTimeout  = 8 * time.Second        // for a step of a turn, with the wait for other processes
	readTimeout   = 2 * time.Second        // for a question
	countTimeout = 500 * time.Millisecond // for counting what clients do; without an answer each process counts for itself
	idleTxTimeout = 3 * time.Second        // for one that stands still in a transaction: less than others wait for what it has locked
)

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// write opens a connection for a trade. The server gives up a moment before we do, so that what it did is known; and it
// does not let one that has hung up in the middle keep others waiting.
func (p *postgresServer) write(ctx context.Context, t role) (conn, error) {
	patience := map[role]time.Duration{roleSave: saveTimeout, roleUpdate: updateTimeout, roleCount: countTimeout}[t]
	settings := []string{
		"SET statement_timeout = " + milliseconds(patience*7/8),
		"SET idle_in_transaction_session_timeout = " + milliseconds(idleTxTimeout),
		forceSyncCommit,
	}
	if t == roleCount {
		settings[2] = "SET synchronous_commit = off" // a crash may forget who came how often, nothing else
	}
	settings = append(append(settings, preferIndexes...), "SET enable_sort = off") // what is taken in an order is found in that order
	l := &postgresConn{timeout: patience, pending: &pgx.Batch{}}
	l.dial = func(ctx context.Context) (*pgx.Conn, error) { return p.connectWithNotices(ctx, l.onNotice, settings...) }
	if t == roleUpdate {
		l.afterBegin = fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", lockUpdates)
	}
	var err error
	l.conn, err = l.dial(ctx)
	return l, err
}

// postgresReaders is how many look-ups run at once.
const postgresReaders = 8

func (p *postgresServer) read() (*sql.DB, error) {
	return p.pool(postgresReaders, append([]string{"SET default_transaction_read_only = on"}, preferIndexes...)...), nil
}

// preferIndexes has the server find everything by an index. It would rather read a small table from end to end, and keeps to that
// when the table has grown: made while almost nothing waited, such a plan took the forwarder from 600 leads a second to 90.
var preferIndexes = []string{
	"SET enable_seqscan = off", "SET enable_bitmapscan = off", "SET enable_hashjoin = off", "SET enable_mergejoin = off",
	"SET random_page_cost = 1.1", // a small index of a few leads is better than the large one of all
	"SET jit = off",              // it is begun where a plan looks costly, as one does that is turned off
}

// allowScans takes that back for whoever reads everything: a check that looks every lead up in another table would take hours.
var allowScans = []string{
	"SET LOCAL enable_seqscan = on", "SET LOCAL enable_bitmapscan = on", "SET LOCAL enable_hashjoin = on", "SET LOCAL enable_mergejoin = on",
}

// readContext bounds a question. While the server does not answer those who try to connect, nobody waits to find that out again.
func (p *postgresServer) readContext(ctx context.Context) (context.Context, context.CancelFunc) {
	if p.unreachable.Load() {
		return context.WithDeadline(ctx, time.Time{}) // it ends as one that took too long, not as one whose caller has gone
	}
	return context.WithTimeout(ctx, readTimeout)
}

// exists says whether the server answers and has our tables.
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

// reopen gives a writer a new connection. Those that read mend themselves. Where the newest lead is gone, another server
// has taken over that had not heard of it: the operator has to know, and the service goes on.
func (p *postgresServer) reopen(ctx context.Context, w *writer) error {
	_ = w.tx.conn.close() // it is broken, and says so
	fresh, err := p.write(ctx, w.role)
	if err != nil {
		return err
	}
	w.tx.conn = fresh
	there, err := w.hasLastCommitted()
	if err == nil && !there {
		w.store.log.Error("the newest acknowledged lead is not on this server: leads were lost when another server took over")
	}
	return err
}

// truncateLog leaves it to the server: its vacuum overwrites what was erased, in its own time (docs/decisions/0032).
func (p *postgresServer) truncateLog(context.Context) error { return nil }

func (p *postgresServer) acquireInstance() (bool, error) { return p.instance.acquire(p) }

func (p *postgresServer) keepInstance() { p.instance.keepAlive(p) }

func (p *postgresServer) releaseInstance() error { return p.instance.release() }
