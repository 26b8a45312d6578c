package postgres

import (
	"context"
	"errors"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// splitHosts makes one configuration for each host of an address, with all the ways to connect to that host.
func splitHosts(c *pgx.ConnConfig) (hosts []*pgx.ConnConfig) {
	attempts := append([]*pgconn.FallbackConfig{{Host: c.Host, Port: c.Port, TLSConfig: c.TLSConfig}}, c.Fallbacks...)
	for _, a := range attempts {
		if n := len(hosts); n > 0 && hosts[n-1].Host == a.Host && hosts[n-1].Port == a.Port {
			hosts[n-1].Fallbacks = append(hosts[n-1].Fallbacks, a)
			continue
		}
		host := c.Copy()
		host.Host, host.Port, host.TLSConfig, host.Fallbacks = a.Host, a.Port, a.TLSConfig, nil
		hosts = append(hosts, host)
	}
	return hosts
}

// hostAddress is host:port, or the directory of a Unix socket, followed by the port if it is not the default.
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

// readCommitted is the isolation level that every write relies on: after a lock is granted, the transaction sees what other processes
// committed before that. Snapshots are read-only and repeatable read. Nothing is SERIALIZABLE: neither READ COMMITTED nor a
// transaction that only reads fails with 40001 (serialization_failure), so only deadlocks are tried again.
const readCommitted = "SET default_transaction_isolation = 'read committed'"

// keepalives makes the server notice within a minute that a client's machine is gone, and release the locks of that client.
var keepalives = []struct{ name, value string }{
	{"tcp_keepalives_idle", "20"}, {"tcp_keepalives_interval", "10"}, {"tcp_keepalives_count", "3"}, {"tcp_user_timeout", "50000"},
}

// keepaliveSettings are the statements that set the keepalives, except those that the address sets itself.
func (p *Server) keepaliveSettings() (statements []string) {
	for _, k := range keepalives {
		if p.config.RuntimeParams[k.name] == "" {
			statements = append(statements, "SET "+k.name+" = "+k.value)
		}
	}
	return statements
}

// dialHosts connects to the first host that answers, starting with the last one that did. Settings are applied after connecting:
// a pooler rejects them in the startup message, and a read connection must reach a server that accepts writes.
func (p *Server) dialHosts(ctx context.Context, settings []string, open func(context.Context, *pgx.ConnConfig) error) error {
	var failed connectErrors
	first, all := p.firstHost.Load(), int32(len(p.hosts))
	for i := range all {
		n := (first + i) % all
		c := p.hosts[n].Copy()
		c.ConnectTimeout = p.hostTimeout(ctx, int(all-i))
		c.AfterConnect = runOnConnect(slices.Concat([]string{readCommitted}, p.keepaliveSettings(), settings))
		hostCtx, cancel := context.WithTimeout(ctx, c.ConnectTimeout) // for name resolution, every address, and the settings
		err := open(hostCtx, c)
		cancel()
		if err == nil {
			p.firstHost.Store(n)
			p.unreachable.Store(false)
			return nil
		}
		p.firstHost.CompareAndSwap(n, (n+1)%all) // if no time is left for the next host, the next call starts there
		failed = append(failed, hostError{hostAddress(c), p.pooled.Load(), err})
		if ctx.Err() != nil {
			break
		}
	}
	return failed
}

// hostTimeout bounds the attempt at one host, so that a host that hangs leaves time for the others.
func (p *Server) hostTimeout(ctx context.Context, hosts int) time.Duration {
	if end, bounded := ctx.Deadline(); bounded {
		return min(p.connectTimeout, time.Until(end)/time.Duration(hosts))
	}
	return p.connectTimeout
}

func runOnConnect(statements []string) pgconn.AfterConnectFunc {
	return func(ctx context.Context, conn *pgconn.PgConn) error {
		_, err := conn.Exec(ctx, strings.Join(statements, "; ")).ReadAll()
		return err
	}
}

// connect opens a connection for a caller that retries until it succeeds. Only these calls decide whether the server is
// unreachable: the pool does not try while it is. onNotice gets the server's notices, if it is not nil.
func (p *Server) connect(ctx context.Context, onNotice pgconn.NoticeHandler, settings ...string) (conn *pgx.Conn, err error) {
	err = p.dialHosts(ctx, settings, func(ctx context.Context, c *pgx.ConnConfig) (err error) {
		c.OnNotice = onNotice
		conn, err = pgx.ConnectConfig(ctx, c)
		return err
	})
	p.unreachable.Store(err != nil && errorCode(err) == "") // a server that answers with an error is there
	return conn, err
}

// hostError is the reason why a host was not reached.
type hostError struct {
	host   string
	pooled bool
	error
}

// connectErrors lists for each host why it was not reached: once, even if several ways were tried.
type connectErrors []hostError

func (e connectErrors) Error() string {
	var texts []string
	for _, r := range e {
		text := r.host + ": " + rootCause(r.error)
		if r.pooled && pgconn.Timeout(r.error) { // it lets clients wait in silence
			text += "; if the pooler has no connection left, raise its default_pool_size"
		}
		texts = append(texts, text)
	}
	return "failed to connect to " + strings.Join(texts, ", and to ")
}

func (e connectErrors) Unwrap() (all []error) {
	for _, r := range e {
		all = append(all, r.error)
	}
	return all
}

// rootCause is the innermost error. An error from the server is more useful than the fact that it does not support TLS.
func rootCause(err error) string {
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pgErr.Error()
	}
	if pgconn.Timeout(err) {
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
