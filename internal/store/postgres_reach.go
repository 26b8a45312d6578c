package store

import (
	"context"
	"errors"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// hostsOf takes an address apart: one configuration for each host, with all the ways to speak to it.
func hostsOf(c *pgx.ConnConfig) (hosts []*pgx.ConnConfig) {
	ways := append([]*pgconn.FallbackConfig{{Host: c.Host, Port: c.Port, TLSConfig: c.TLSConfig}}, c.Fallbacks...)
	for _, w := range ways {
		if n := len(hosts); n > 0 && hosts[n-1].Host == w.Host && hosts[n-1].Port == w.Port {
			hosts[n-1].Fallbacks = append(hosts[n-1].Fallbacks, w)
			continue
		}
		one := c.Copy()
		one.Host, one.Port, one.TLSConfig, one.Fallbacks = w.Host, w.Port, w.TLSConfig, nil
		hosts = append(hosts, one)
	}
	return hosts
}

// place names a host by its port, or the folder of its socket: with the port, where it is not the usual one.
func place(c *pgx.ConnConfig) string {
	if strings.HasPrefix(c.Host, "/") && c.Port == usualPort {
		return c.Host
	}
	if strings.HasPrefix(c.Host, "/") {
		return c.Host + ":" + strconv.Itoa(int(c.Port))
	}
	return net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port)))
}

const usualPort = 5432

// readCommitted is the isolation that every statement counts on: what another process committed before a lock was granted
// is seen after it.
const readCommitted = "SET default_transaction_isolation = 'read committed'"

// keepalives has the server find out within a minute that a process is gone whose machine went with it, and let go of what that
// one had locked.
var keepalives = []struct{ name, value string }{
	{"tcp_keepalives_idle", "20"}, {"tcp_keepalives_interval", "10"}, {"tcp_keepalives_count", "3"}, {"tcp_user_timeout", "50000"},
}

// alive are the statements for that, apart from what the address says itself.
func (p *postgresServer) alive() (statements []string) {
	for _, k := range keepalives {
		if p.config.RuntimeParams[k.name] == "" {
			statements = append(statements, "SET "+k.name+" = "+k.value)
		}
	}
	return statements
}

// reach opens a connection to the first host that answers, and begins with the one that did so last. Settings are made
// when it is there: a pooler refuses them in the greeting, and a reader has to be on a server that can write.
func (p *postgresServer) reach(ctx context.Context, settings []string, open func(context.Context, *pgx.ConnConfig) error) error {
	var failed errNotReached
	first, all := p.first.Load(), int32(len(p.hosts))
	for i := range all {
		n := (first + i) % all
		c := p.hosts[n].Copy()
		c.ConnectTimeout = shareOf(ctx, int(all-i))
		c.AfterConnect = setting(append(append([]string{readCommitted}, p.alive()...), settings...), c.ConnectTimeout)
		err := inTime(ctx, c, open)
		if err == nil {
			p.first.Store(n)
			p.away.Store(false)
			return nil
		}
		p.first.CompareAndSwap(n, (n+1)%all) // with no time left for the next host, the next try begins there
		failed = append(failed, refusal{place(c), err})
		if ctx.Err() != nil {
			break
		}
	}
	return failed
}

// inTime opens a connection within the share of its host: finding its addresses, each of them, and the settings.
func inTime(ctx context.Context, c *pgx.ConnConfig, open func(context.Context, *pgx.ConnConfig) error) error {
	ctx, cancel := context.WithTimeout(ctx, c.ConnectTimeout)
	defer cancel()
	return open(ctx, c)
}

// shareOf is how long a host may take to answer, so that one that hangs leaves time for the others.
func shareOf(ctx context.Context, hosts int) time.Duration {
	if end, bounded := ctx.Deadline(); bounded {
		return min(openTime, time.Until(end)/time.Duration(hosts))
	}
	return openTime
}

func setting(statements []string, patience time.Duration) pgconn.AfterConnectFunc {
	return func(ctx context.Context, conn *pgconn.PgConn) error {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		_, err := conn.Exec(ctx, strings.Join(statements, "; ")).ReadAll()
		return err
	}
}

// connect opens a connection for somebody who tries again until it is there. So whether the server is away is known from
// these alone: those of a pool are not tried while it is.
func (p *postgresServer) connect(ctx context.Context, settings ...string) (conn *pgx.Conn, err error) {
	return p.connectTo(ctx, nil, settings...)
}

// connectTo is connect for somebody who hears what the server has to say beside its answers.
func (p *postgresServer) connectTo(ctx context.Context, hear pgconn.NoticeHandler, settings ...string) (conn *pgx.Conn, err error) {
	err = p.reach(ctx, settings, func(ctx context.Context, c *pgx.ConnConfig) (err error) {
		c.OnNotice = hear
		conn, err = pgx.ConnectConfig(ctx, c)
		return err
	})
	p.away.Store(err != nil && !heard(err))
	return conn, err
}

// refusal is why a host was not reached.
type refusal struct {
	host string
	error
}

func (r refusal) Unwrap() error { return r.error }

// errNotReached tells of each host why it was not reached: once, though several ways were tried.
type errNotReached []refusal

func (e errNotReached) Error() string {
	var told []string
	for _, r := range e {
		told = append(told, r.host+": "+because(r.error))
	}
	return "failed to connect to " + strings.Join(told, ", and to ")
}

func (e errNotReached) Unwrap() (all []error) {
	for _, r := range e {
		all = append(all, r)
	}
	return all
}

// heard says that a server was there, whatever it said.
func heard(err error) bool {
	var said *pgconn.PgError
	return errors.As(err, &said)
}

// because is what lies at the bottom of an error. What a server said is worth more than that it does not speak TLS.
func because(err error) string {
	var said *pgconn.PgError
	switch {
	case errors.As(err, &said):
		return said.Error()
	case pgconn.Timeout(err):
		return "timeout: no answer"
	}
	for {
		var inner error
		switch e := err.(type) {
		case interface{ Unwrap() error }:
			inner = e.Unwrap()
		case interface{ Unwrap() []error }:
			all := e.Unwrap()
			inner = all[len(all)-1]
		}
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}
