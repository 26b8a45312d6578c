package postgres

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

// errorCode returns the code of the server's error, or "" if no server answered with one.
func errorCode(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

// connError wraps the error with which a connection broke.
type connError struct{ error }

func (e connError) Unwrap() error { return e.error }

// Classify tells failures of the server from errors of a row. Most failures need a new connection, which may reach another
// server.
func (p *Server) Classify(err error) (storage, reopen bool) {
	if _, notConnected := errors.AsType[connectErrors](err); notConnected { // whatever the server answered: no row was sent yet
		return true, true
	}
	if code := errorCode(err); code != "" {
		return isStorageFailure(code)
	}
	if errors.Is(err, errNotReplicated) {
		return true, false
	}
	_, failed := errors.AsType[connError](err)
	_, network := errors.AsType[net.Error](err)
	broken := failed || network || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone)
	return broken, broken
}

// isStorageFailure classifies the server's error codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
func isStorageFailure(code string) (storage, reopen bool) {
	switch code {
	case "53100", lockNotAvailable, "57014": // disk full (no space left on the server: new leads get a 503), lock timeout, statement timeout
		return true, false
	case "25006", "25P03": // read-only, as on a server that is no longer the primary; idle in a transaction for too long
		return true, true
	}
	switch {
	case strings.HasPrefix(code, "08"), // connection
		strings.HasPrefix(code, "28"),  // authentication
		strings.HasPrefix(code, "53"),  // out of memory, too many connections
		strings.HasPrefix(code, "57P"), // shutting down, crashed, starting
		strings.HasPrefix(code, "58"),  // disk
		strings.HasPrefix(code, "XX"):  // damaged
		return true, true
	}
	return false, false
}

// IsDamage reports whether the server's error is about its data, rather than about the server itself, a permission or the network.
func (p *Server) IsDamage(err error) bool {
	if _, notConnected := errors.AsType[connectErrors](err); notConnected {
		return false
	}
	switch code := errorCode(err); {
	case strings.HasPrefix(code, "XX"), strings.HasPrefix(code, "58"): // damaged data; unreadable file
		return true
	case code == "42501": // insufficient privilege
		return false
	}
	storage, _ := p.Classify(err)
	return !storage && !errors.Is(err, context.Canceled)
}
