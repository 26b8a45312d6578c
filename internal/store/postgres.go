package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// postgresServer is a database that several processes may share.
type postgresServer struct {
	config *pgx.ConnConfig
	here   session     // by which other processes see this one
	away   atomic.Bool // the last try to connect failed
}

func newPostgres(address string) (*postgresServer, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("database: the address of the PostgreSQL server cannot be read; it looks like postgres://user:password@host:5432/name: %w", err)
	}
	config.ConnectTimeout = openTime
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "foyer"
	}
	return &postgresServer{config: config}, nil
}

func (p *postgresServer) String() string {
	c := p.config
	where := net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port)))
	if strings.HasPrefix(c.Host, "/") { // a socket
		where = c.Host
	}
	return fmt.Sprintf("postgres://%s@%s/%s", c.User, where, c.Database)
}

// plan has two writers for leads, so that one gathers while the other waits for the disk, and one for everything else:
// that is done by one process at a time anyway.
func (p *postgresServer) plan() []trade { return []trade{saving, saving, turning, counting} }

// Locks that processes on one database agree on. The numbers spell "foyer" and count up.
const (
	lockTurns   = 0x666f796572_01 // who makes a turn
	lockTables  = 0x666f796572_02 // who changes the tables
	lockPresent = 0x666f796572_03 // who is there
)

// How long PostgreSQL may take. A door must know within three seconds that nothing was kept.
const (
	saveTime  = 2 * time.Second        // for a group of leads
	turnTime  = 8 * time.Second        // for a step of a turn, with the wait for other processes
	askTime   = 2 * time.Second        // for a question
	countTime = 500 * time.Millisecond // for counting what clients do; without an answer each process counts for itself
	standTime = 3 * time.Second        // for one that stands still in a transaction; who waits for what it has locked has more patience
)

// session copies the configuration, with settings for one connection.
func (p *postgresServer) session(settings map[string]string) *pgx.ConnConfig {
	c := p.config.Copy()
	for name, value := range settings {
		c.RuntimeParams[name] = value
	}
	return c
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// write opens a connection for a trade. The server gives up a moment before we do, so that what it did is known; and it
// does not let one that has hung up in the middle keep others waiting.
func (p *postgresServer) write(ctx context.Context, t trade) (line, error) {
	patience := map[trade]time.Duration{saving: saveTime, turning: turnTime, counting: countTime}[t]
	c := p.session(map[string]string{
		"statement_timeout":                   milliseconds(patience * 7 / 8),
		"idle_in_transaction_session_timeout": milliseconds(standTime),
	})
	if t == counting {
		c.RuntimeParams["synchronous_commit"] = "off" // a crash may forget who came how often, nothing else
	}
	l := &postgresLine{patience: patience, pending: &pgx.Batch{}, dial: func(ctx context.Context) (*pgx.Conn, error) { return p.connect(ctx, c, t) }}
	if t == turning {
		l.opening = fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", lockTurns)
	}
	var err error
	l.conn, err = l.dial(ctx)
	return l, err
}

func (p *postgresServer) connect(ctx context.Context, c *pgx.ConnConfig, t trade) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, c)
	p.away.Store(err != nil)
	if err != nil || t == counting {
		return conn, err
	}
	if err := promise(ctx, conn); err != nil {
		return nil, errors.Join(err, conn.Close(ctx))
	}
	return conn, nil
}

// postgresReaders is how many look-ups run at once.
const postgresReaders = 8

func (p *postgresServer) read() (*sql.DB, error) {
	db := stdlib.OpenDB(*p.session(map[string]string{
		"default_transaction_read_only": "on",
		"random_page_cost":              "1.1", // else it reads through all leads rather than use a small index of a few
	}))
	db.SetMaxOpenConns(postgresReaders)
	db.SetMaxIdleConns(postgresReaders)
	db.SetConnMaxIdleTime(5 * time.Minute)
	return db, nil
}

// asking bounds a question. While the writers cannot reach the server, nobody waits to find that out again.
func (p *postgresServer) asking(ctx context.Context) (context.Context, context.CancelFunc) {
	if p.away.Load() {
		return context.WithDeadline(ctx, time.Time{}) // it ends as one that took too long, not as one whose caller has gone
	}
	return context.WithTimeout(ctx, askTime)
}

// there says whether the server answers and has our tables.
func (p *postgresServer) there(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, p.config.Copy())
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

// renew gives a writer a new connection. Those that read mend themselves. Where the newest lead is gone, another server
// has taken over that had not heard of it: the operator has to know, and the service goes on.
func (p *postgresServer) renew(ctx context.Context, w *writer) error {
	_ = w.hand.line.close() // it is broken, and says so
	fresh, err := p.write(ctx, w.trade)
	if err != nil {
		return err
	}
	w.hand.line = fresh
	there, err := w.remembers()
	if err == nil && !there {
		w.store.log.Error("the newest acknowledged lead is not on this server: leads were lost when another server took over")
	}
	return err
}

func (p *postgresServer) alone() bool { return p.here.enter(p) }

func (p *postgresServer) stay() { p.here.stay(p) }

func (p *postgresServer) leave() error { return p.here.leave() }
