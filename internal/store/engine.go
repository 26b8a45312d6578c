package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// engine is what differs between SQLite and PostgreSQL. Everything else is the same for both, including the SQL, apart from bulk
// statements: each engine saves leads in its own way, and PostgreSQL also claims idempotency keys and counts clients in bulk.
type engine interface {
	// String returns the address of the database without its password.
	String() string
	// exists returns an error that says why the database does not exist or cannot be reached, or nil.
	exists(ctx context.Context) error
	// prepare creates the SQLite file if necessary, and migrates the tables.
	prepare(ctx context.Context) error
	// write opens a connection for the writer of a role.
	write(ctx context.Context, r role) (conn, error)
	// read opens a pool of connections that cannot write.
	read() (*sql.DB, error)
	// classify reports whether err is a storage failure rather than a bad row, and whether the connection must be reopened.
	classify(err error) (storageFailure, reopen bool)
	// reopen gives a writer new connections after an error that left the state of the old ones unknown.
	reopen(ctx context.Context, w *writer) error
	// truncateLog removes erased data from the engine's own log, if the engine can.
	truncateLog(ctx context.Context) error
	// readContext bounds how long a read may take. While the server is known to be unreachable, the context has expired already.
	readContext(ctx context.Context) (context.Context, context.CancelFunc)
	// roles lists the roles of the writers, one for each writer.
	roles() []role
	// acquireInstance takes this process's instance lock, which all services on a database share. It first tries the lock
	// exclusively, without waiting, and reports whether it got it: then no other service held the lock at this moment.
	acquireInstance() (alone bool, err error)
	// lockExclusive takes the instance lock exclusively, without waiting, until release is called. It returns errServing if a
	// service holds the lock, and errMigrating if another process holds it exclusively.
	lockExclusive() (release func() error, err error)
	// keepInstance takes the instance lock again if it was acquired and then lost with its connection.
	keepInstance()
	// releaseInstance releases the instance lock.
	releaseInstance() error
	inspectable // for foyer db status and check
	copyTarget  // for foyer db copy
}

// role is what a writer does.
type role int

const (
	roleAll    role = iota // all of the others: the only writer of SQLite
	roleSave               // saves leads, many in one statement
	roleUpdate             // makes all other changes, one process at a time
	roleCount              // counts requests of clients, if several processes share the counts
)

// String names what a writer of the role writes, for the log.
func (r role) String() string { return [...]string{"leads", "leads", "changes", "shared counts"}[r] }

// conn is the connection of a writer.
type conn interface {
	setDeadline(end time.Time) // of every later call; zero means no deadline
	begin() error
	commit() error
	rollback()
	exec(query string, args []any) error
	execOne(query string, args []any) error // fails, now or at the commit, unless it changes exactly one row
	execCount(query string, args []any) (rows int64, err error)
	insert(query string, args []any) (seq int64, err error)
	query(query string, args []any, do func(row) error) error
	close() error
}

// engineFor returns the engine for a database address.
func engineFor(database string) (engine, error) {
	path, found := strings.CutPrefix(database, "sqlite:")
	switch {
	case found && path != "":
		return &sqliteFile{path: path}, nil
	case strings.HasPrefix(database, "postgres://"), strings.HasPrefix(database, "postgresql://"):
		return newPostgres(database)
	}
	return nil, errors.New("database: only sqlite:PATH and postgres://… are supported") // the address may contain a password
}

// Redacted returns the address of a database without its password.
func Redacted(database string) string {
	e, err := engineFor(database)
	if err != nil {
		return "an unknown database"
	}
	return e.String()
}

// mustExist returns an error if the database does not exist.
func mustExist(ctx context.Context, e engine) error {
	err := e.exists(ctx)
	var none errMissing
	if err == nil || errors.As(err, &none) {
		return err
	}
	return cannotOpen(e, err)
}

// Exists reports whether there is a database at an address.
func Exists(ctx context.Context, database string) (bool, error) {
	e, err := engineFor(database)
	if err != nil {
		return false, err
	}
	err = mustExist(ctx, e)
	var none errMissing
	if errors.As(err, &none) {
		return false, nil
	}
	return err == nil, err
}

// errMissing says that the database does not exist, and what to do.
type errMissing string

func (e errMissing) Error() string { return string(e) }

// missing returns the error for a database that was not created yet.
func missing(what string, e engine) error {
	return errMissing(fmt.Sprintf("there %s at %s: start the service once, or name another with --database", what, e))
}

// connectTimeout is the timeout for opening a connection.
const connectTimeout = 2 * time.Second
