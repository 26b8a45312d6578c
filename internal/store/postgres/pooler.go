package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// errPooled refuses a pooler that takes the session away after each transaction or statement.
var errPooled = errors.New("the connection goes through a pooler in transaction or statement mode, which breaks locks, settings and prepared statements: " +
	"use pool_mode = session, or connect to PostgreSQL directly")

// errNotReset refuses a pooler that gives the session of one client to the next with all that is in it, locks included.
var errNotReset = errors.New("the connection goes through a pooler that hands on sessions with the locks and prepared statements of others: use server_reset_query = DISCARD ALL")

// requireSession returns errPooled if a connection does not keep its session, and errNotReset if the session was another's. It must be
// called before the connection is used: the first prepared statement may fail on such a connection, with an error that explains nothing.
//
// A server introduces itself with the id of the process that answers. A pooler makes up its own, so without one this takes one
// round trip and no second connection.
func (p *Server) requireSession(ctx context.Context, a *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, 2*p.connectTimeout)
	defer cancel()
	id, err := simpleQuery(ctx, a, "SELECT pg_backend_pid()")
	if err != nil || id == strconv.FormatUint(uint64(a.PgConn().PID()), 10) {
		return err
	}
	p.pooled.Store(true)
	b, err := p.connect(ctx, nil)
	if err != nil {
		return err
	}
	defer closeConn(b)
	for range pooledRounds {
		if err := compareSessions(ctx, a, b); err != nil {
			return err
		}
	}
	switch left, err := simpleQuery(ctx, a, "SELECT count(*) FROM pg_prepared_statements"); {
	case err != nil:
		return err
	case left != "0":
		return errNotReset
	}
	return nil
}

// pooledRounds is how often the sessions of two connections are compared. While other clients use the pool, each connection may
// by chance get the session back that it had. With two sessions to choose from that is one round in eight, and with more sessions
// it is rarer.
const pooledRounds = 5

// compareSessions marks the sessions of two connections, and returns errPooled if one of them does not find its mark. A pooler that
// is otherwise idle gives both the same session, so that the second mark replaces the first. One that gives out its sessions in
// turn is found by the first look, which moves the turn by one. The transactions stay open, so that both have different sessions
// at the end.
func compareSessions(ctx context.Context, a, b *pgx.Conn) error {
	const look = "SELECT current_setting('foyer.session', true)"
	markA, markB := rand.Text(), rand.Text()
	for _, step := range []struct {
		conn        *pgx.Conn
		query, want string
	}{
		{a, "SET foyer.session = '" + markA + "'", ""},
		{b, "SET foyer.session = '" + markB + "'", ""},
		{a, look, markA},
		{a, "BEGIN; " + look, markA},
		{b, "BEGIN; " + look, markB},
		{a, "ROLLBACK; RESET foyer.session", ""},
		{b, "ROLLBACK; RESET foyer.session", ""},
	} {
		switch got, err := simpleQuery(ctx, step.conn, step.query); {
		case refusesTransactions(err):
			return errPooled
		case err != nil:
			return err
		case got != step.want:
			return errPooled
		}
	}
	return nil
}

// refusesTransactions reports whether err is PgBouncer's answer to BEGIN in statement mode. The code is the one of all its errors.
func refusesTransactions(err error) bool {
	answer, ok := errors.AsType[*pgconn.PgError](err)
	return ok && strings.Contains(answer.Message, "statement pooling")
}

// simpleQuery runs statements without preparing them, and returns the first column of the last row, or "" if there is none.
func simpleQuery(ctx context.Context, c *pgx.Conn, statements string) (value string, err error) {
	results, err := c.PgConn().Exec(ctx, statements).ReadAll()
	if err != nil {
		return "", err
	}
	for _, r := range results {
		for _, row := range r.Rows {
			value = string(row[0])
		}
	}
	return value, nil
}
