package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// engine is what differs between SQLite and PostgreSQL. The rules about rows and everything above are the same for both,
// and so is the SQL, apart from what is done for many at once: each keeps leads in its own way, and PostgreSQL also redeems keys and
// counts clients.
type engine interface {
	// String names the database for people: without a password.
	String() string
	// exists says why a database that should be there is not, or nil.
	exists(ctx context.Context) error
	// prepare makes the database fit for use: the place where it lies, and its tables.
	prepare(ctx context.Context) error
	// write opens a connection that writes, for a kind of work.
	write(ctx context.Context, t role) (conn, error)
	// read opens connections that cannot write.
	read() (*sql.DB, error)
	// classify says whether an error comes from the ground below rather than from a row, and whether a connection can be
	// trusted after it.
	classify(err error) (ground, reopen bool)
	// reopen gives a writer new connections after an error that left the old ones in doubt.
	reopen(ctx context.Context, w *writer) error
	// truncateLog removes what the engine itself still has of something that was erased, where it can.
	truncateLog(ctx context.Context) error
	// readContext bounds how long a question may take. Where nobody is there to answer, it has ended already.
	readContext(ctx context.Context) (context.Context, context.CancelFunc)
	// roles says which writers there are, and what each is for.
	roles() []role
	// acquireInstance says whether no other service is on the database at this moment. From here on this one counts as there.
	acquireInstance() (bool, error)
	// keepInstance makes sure that it still does, where that can be lost.
	keepInstance()
	// releaseInstance ends it.
	releaseInstance() error
	inspectable // for foyer db status and check
	copyTarget  // for foyer db copy
}

// role is what a writer does.
type role int

const (
	roleAll    role = iota // whatever there is: the one writer of SQLite
	roleSave               // keeps leads, many in one statement
	roleUpdate             // everything else, one process at a time
	roleCount              // counts what clients do, where several processes share the counts
)

// String is what a writer of the trade takes.
func (t role) String() string { return [...]string{"leads", "leads", "changes", "shared counts"}[t] }

// conn is one connection that writes.
type conn interface {
	setDeadline(end time.Time) // bounds everything from here on; zero where nobody at a door waits
	begin() error
	commit() error
	rollback()
	exec(query string, args []any) error
	execOne(query string, args []any) error // changes one row, or is an error: at once or at the commit
	execCount(query string, args []any) (rows int64, err error)
	insert(query string, args []any) (seq int64, err error)
	query(query string, args []any, do func(row) error) error
	close() error
}

// engineFor finds the engine that a setting names.
func engineFor(database string) (engine, error) {
	path, found := strings.CutPrefix(database, "sqlite:")
	switch {
	case found && path != "":
		return &sqliteFile{path: path}, nil
	case strings.HasPrefix(database, "postgres://"), strings.HasPrefix(database, "postgresql://"):
		return newPostgres(database)
	}
	return nil, errors.New("database: only sqlite:PATH and postgres://… are supported") // what was given may hold a password
}

// Redacted is how a database may be shown: a password in its address is left out.
func Redacted(database string) string {
	e, err := engineFor(database)
	if err != nil {
		return "an unknown database"
	}
	return e.String()
}

// mustExist makes sure that a database is there.
func mustExist(ctx context.Context, e engine) error {
	err := e.exists(ctx)
	var none errMissing
	if err == nil || errors.As(err, &none) {
		return err
	}
	return cannotOpen(e, err)
}

// Exists says whether there is a database where a setting says.
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

// errMissing says that there is no database, and what to do.
type errMissing string

func (e errMissing) Error() string { return string(e) }

// missing is the error of a database that was not made yet.
func missing(what string, e engine) error {
	return errMissing(fmt.Sprintf("there %s at %s: start the service once, or name another with --database", what, e))
}

// connectTimeout is how long a connection may take to be there.
const connectTimeout = 2 * time.Second
