package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// connError wraps what a connection said when it broke.
type connError struct{ error }

func (e connError) Unwrap() error { return e.error }

// classify tells the server's troubles from those of a row. After most a new connection is needed; it may reach another
// server.
func (p *postgresServer) classify(err error) (ground, reopen bool) {
	var (
		closed  connectErrors
		said    *pgconn.PgError
		hungUp  connError
		network net.Error
	)
	if errors.As(err, &closed) { // whatever it said at the door: no row has come that far
		return true, true
	}
	if errors.As(err, &said) {
		return isStorageFailure(said.Code)
	}
	if errors.Is(err, errNotReplicated) {
		return true, false
	}
	broken := errors.As(err, &hungUp) || errors.As(err, &network) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone)
	return broken, broken
}

// isStorageFailure reads the server's own codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
func isStorageFailure(code string) (ground, reopen bool) {
	switch code {
	case "53100", "55P03", "57014": // disk full, a lock that was not to be had, a statement that took too long
		return true, false
	case "25006", "25P03": // read-only, as on a server that is no longer the first; idle for too long in a transaction
		return true, true
	}
	switch {
	case strings.HasPrefix(code, "08"), // connection
		strings.HasPrefix(code, "28"),  // not let in
		strings.HasPrefix(code, "53"),  // no memory, no connection left
		strings.HasPrefix(code, "57P"), // shutting down, crashed, starting
		strings.HasPrefix(code, "58"),  // disk
		strings.HasPrefix(code, "XX"):  // damaged
		return true, true
	}
	return false, false
}
