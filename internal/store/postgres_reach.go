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

// splitHosts takes an address apart: one configuration for each host, with all the ways to speak to it.
func splitHosts(c *pgx.ConnConfig) (hosts []*pgx.ConnConfig) {
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

// hostAddress names a host by its port, or the folder of its socket: with the port, where it is not the usual one.
func hostAddress(c *pgx.ConnConfig) string {
	if strings.HasPrefix(c.Host, "/") && c.Port == defaultPort {
		return c.Host
	}
	if strings.HasPrefix(c.Host, "/") {
		return c.Host + ":" + strconv.Itoa(int(c.Port))
	}
	return net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port)))
}

const defaultPort = 5432

// readCommitted is the isolation that every statement counts on: what another process committed before a lock was granted
// is seen after it.
const readCommitted = "SET default_transaction_isolation = 'read committed'"

// keepalives has the server find out within a minute that a process is gone whose machine went with it, and let go of what that
// one had locked.
var keepalives = []struct{ name, value string }{
	{"tcp_keepalives_idle", "20"}, {"tcp_keepalives_interval", "10"}, {"tcp_keepalives_count", "3"}, {"tcp_user_timeout", "50000"},
}

// keepaliveSettings are the statements for that, apart from what the address says itself.
func (p *postgresServer) keepaliveSettings() (statements []string) {
	for _, k := range keepalives {
		if p.config.RuntimeParams[k.name] == "" {
			statements = append(statements, "SET "+k.name+" = "+k.value)
		}
	}
	return statements
}

// dialHosts opens a connection to the first host that answers, and begins with the one that did so last. Settings are made
// when it is there: a pooler refuses them in the greeting, and a reader has to be on a server that can write.
func (p *postgresServer) dialHosts(ctx context.Context, settings []string, open func(context.Context, *pgx.ConnConfig) error) error {
	var failed connectErrors
	first, all := p.firstHost.Load(), int32(len(p.hosts))
	for i := range all {
		n := (first + i) % all
		c := p.hosts[n].Copy()
		c.ConnectTimeout = hostTimeout(ctx, int(all-i))
		c.AfterConnect = runOnConnect(append(append([]string{readCommitted}, p.keepaliveSettings()...), settings...), c.ConnectTimeout)
		err := dialHost(ctx, c, open)
		if err == nil {
			p.firstHost.Store(n)
			p.unreachable.Store(false)
			return nil
		}
		p.firstHost.CompareAndSwap(n, (n+1)%all) // with no time left for the next host, the next try begins there
		failed = append(failed, hostError{hostAddress(c), err})
		if ctx.Err() != nil {
			break
		}
	}
	return failed
}

// dialHost opens a connection within the share of its host: finding its addresses, each of them, and the settings.
func dialHost(ctx context.Context, c *pgx.ConnConfig, open func(context.Context, *pgx.ConnConfig) error) error {
	ctx, cancel := context.WithTimeout(ctx, c.ConnectTimeout)
	defer cancel()
	return open(ctx, c)
}

// hostTimeout is how long a host may take to answer, so that one that hangs leaves time for the others.
func hostTimeout(ctx context.Context, hosts int) time.Duration {
	if end, bounded := ctx.Deadline(); bounded {
		return min(connectTimeout, time.Until(end)/time.Duration(hosts))
	}
	return connectTimeout
}

func runOnConnect(statements []string, patience time.Duration) pgconn.AfterConnectFunc {
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
	return p.connectWithNotices(ctx, nil, settings...)
}

// connectWithNotices is connect for somebody who hears what the server has to say beside its answers.
func (p *postgresServer) connectWithNotices(ctx context.Context, hear pgconn.NoticeHandler, settings ...string) (conn *pgx.Conn, err error) {
	err = p.dialHosts(ctx, settings, func(ctx context.Context, c *pgx.ConnConfig) (err error) {
		c.OnNotice = hear
		conn, err = pgx.ConnectConfig(ctx, c)
		return err
	})
	p.unreachable.Store(err != nil && !serverResponded(err))
	return conn, err
}

// hostError is why a host was not reached.
type hostError struct {
	host string
	error
}

func (r hostError) Unwrap() error { return r.error }

// connectErrors tells of each host why it was not reached: once, though several ways were tried.
type connectErrors []hostError

func (e connectErrors) Error() string {
	var told []string
	for _, r := range e {
		told = append(told, r.host+": "+rootCause(r.error))
	}
	return "failed to connect to " + strings.Join(told, ", and to ")
}

func (e connectErrors) Unwrap() (all []error) {
	for _, r := range e {
		all = append(all, r)
	}
	return all
}

// serverResponded says that a server was there, whatever it said.
func serverResponded(err error) bool {
	var said *pgconn.PgError
	return errors.As(err, &said)
}

// rootCause is what lies at the bottom of an error. What a server said is worth more than that it does not speak TLS.
func rootCause(err error) string {
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
