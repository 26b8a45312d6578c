package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Engine is what differs between SQLite and PostgreSQL, for one database. Everything else is the same for both, including nearly
// all SQL.
type Engine interface {
	// String returns the address of the database without its password.
	String() string
	// Name is String in a form that is the same in every directory.
	Name() string
	// Same reports whether another engine has the same database.
	Same(other Engine) bool
	// Exists returns nil, or says why the database cannot be opened: it is an ErrMissing if there is none yet.
	Exists(ctx context.Context) error
	// Roles lists the roles of the writers, one for each writer.
	Roles() []Role
	// Write opens a connection for the writer of a role.
	Write(ctx context.Context, r Role) (Conn, error)
	// Read opens a pool of connections that cannot write.
	Read() (*sql.DB, error)
	// ReadContext bounds how long a read may take. While the server is known to be unreachable, the context has expired already.
	ReadContext(ctx context.Context) (context.Context, context.CancelFunc)
	// Classify reports whether err is a storage failure rather than a bad row, and whether the connection must be reopened.
	Classify(err error) (storageFailure, reopen bool)
	// IsDamage reports whether a read failed because of the data, rather than because it was cut off or not permitted.
	IsDamage(err error) bool
	// IsServer reports whether a server has the database: then a failure concerns one connection, and another server may take over
	// that lacks the last commits. A failure of a file concerns every connection to it.
	IsServer() bool
	// TruncateLog removes erased data from the engine's own log, if the engine can.
	TruncateLog(ctx context.Context) error
	// Checkpoint moves the engine's log into the database without blocking the writers, unless a server does that by itself.
	Checkpoint(ctx context.Context) error
	// CheckSettings reports engine settings that put data at risk or slow a service down.
	CheckSettings(ctx context.Context, from Querier, report func(Finding)) error

	// Migrations.

	// Dialect is goose's name for the engine's SQL.
	Dialect() string
	// Migrate creates the SQLite file if necessary and calls apply while no other process migrates.
	Migrate(ctx context.Context, apply func(context.Context, *sql.DB) error) error
	// HasTable reports whether a table exists.
	HasTable(ctx context.Context, from Querier, table string) (bool, error)

	// The instance lock, which all services on a database share.

	// AcquireInstance takes this process's shared lock. It first tries the lock exclusively, without waiting, and reports whether
	// it got it: then no other service held the lock at this moment.
	AcquireInstance() (alone bool, err error)
	// LockExclusive takes the lock exclusively, without waiting, until release is called. It returns ErrServing if a service holds
	// the lock, and ErrMigrating if another process holds it exclusively.
	LockExclusive() (release func() error, err error)
	// KeepInstance takes the lock again if it was acquired and then lost with its connection.
	KeepInstance()
	// ReleaseInstance releases the lock.
	ReleaseInstance() error

	// Commands for a whole database.

	// VersionQuery selects the engine's name and version.
	VersionQuery() string
	// Size is the size of the database on disk, in bytes.
	Size(ctx context.Context, from Querier) (int64, error)
	// Snapshot opens a transaction that sees the database at one point in time. No other process can write to the tables in lock
	// until it ends.
	Snapshot(ctx context.Context, lock ...Table) (*Snapshot, error)
	// BulkWriter opens a connection that writes many rows at once.
	BulkWriter(ctx context.Context) (BulkWriter, error)
	// ClearTables are the statements that empty tables.
	ClearTables(tables []Table) []string
	// AfterCopy are the statements that make tables fit for use after they were filled.
	AfterCopy(tables []Table) []string
}

// BulkWriter writes copied rows.
type BulkWriter interface {
	// Put inserts rows in one transaction.
	Put(ctx context.Context, t Table, rows [][]any) error
	// ExecAll runs statements in one transaction.
	ExecAll(ctx context.Context, statements ...string) error
	Close() error
}

// Table describes a table. The first columns are its key.
type Table struct {
	Name        string
	Keys        int
	BytesColumn string // the column that holds bytes, if there is one
	Columns     []string
}

// ColumnList returns the columns, separated by commas.
func (t Table) ColumnList() string { return strings.Join(t.Columns, ", ") }

// Numbered reports whether the engine numbers the rows.
func (t Table) Numbered() bool { return t.Columns[0] == "seq" }

// Placeholders returns n parameters of a statement, separated by commas: $1, $2 and so on if from is 1.
func Placeholders(from, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("$%d", from+i)
	}
	return strings.Join(list, ", ")
}

// Quoted returns constants of this program as a list of SQL strings.
func Quoted[T ~string](words ...T) string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = "'" + string(w) + "'"
	}
	return strings.Join(list, ", ")
}

// Role is what a writer does.
type Role int

const (
	RoleAll    Role = iota // all of the others: the only writer of SQLite
	RoleSave               // saves leads, many in one statement
	RoleClaim              // claims deliveries, beside other processes
	RoleSettle             // records the answers of buyers, beside other processes
	RoleUpdate             // makes all other changes, one process at a time, while none claims or settles
	RoleCount              // counts requests of clients, if several processes share the counts
)

// String names what a writer of the role writes, for the log.
func (r Role) String() string {
	return [...]string{"writes", "leads", "claims", "answers", "changes", "shared counts"}[r]
}

// How long one step of a role may take on a server. An HTTP handler must know within three seconds that nothing was saved.
const (
	SaveTimeout   = 2 * time.Second        // for a group of leads
	UpdateTimeout = 8 * time.Second        // for one step of an update, including the wait for other processes
	UrgentTimeout = 2 * time.Second        // for an update for which a client waits
	CountTimeout  = 500 * time.Millisecond // for counting client requests; without an answer each process counts on its own
)

// ConnectTimeout is the timeout for opening a connection.
const ConnectTimeout = 2 * time.Second

// Finding is a problem with a database. It names leads by their ids and never includes personal data.
type Finding struct {
	What   string
	Remedy string
	Mild   bool // worth knowing, but no guarantee is violated
}

// Why the instance lock cannot be taken exclusively.
var (
	ErrServing   = errors.New("a service holds the instance lock")
	ErrMigrating = errors.New("another process migrates the database")
)

// ErrStoppedWaiting is the error of a process that was stopped while another one migrated.
var ErrStoppedWaiting = errors.New("stopped while it waited for another process that changes the tables")

// ErrMissing says that the database does not exist, and what to do.
type ErrMissing string

func (e ErrMissing) Error() string { return string(e) }

// Missing returns the error for a database that was not created yet.
func Missing(what string, e Engine) error {
	return ErrMissing(fmt.Sprintf("there %s at %s: start the service once, or name another with --database", what, e))
}

// openError says in one line why a database cannot be opened. Drivers may report several errors on several lines.
type openError struct {
	engine Engine
	error
}

func (e openError) Error() string {
	return fmt.Sprintf("database: cannot open %s: %s", e.engine, OneLine(e.error))
}

func (e openError) Unwrap() error { return e.error }

// CannotOpen says in one line why a database cannot be opened.
func CannotOpen(e Engine, err error) error { return openError{e, err} }

// OneLine returns the text of an error without line breaks.
func OneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// Progress is how far a long operation has come.
type Progress struct {
	What string // what is being done
	Done int64
	Of   int64  // 0 if the total is unknown
	Unit string // what is counted, in the plural; "" if nothing is
}

// ProgressEvery is the number of rows between progress reports.
const ProgressEvery = 500

// Watch receives the progress of an operation. It must return quickly. A nil Watch receives nothing.
type Watch func(Progress)

// Report passes the progress on, if there is a Watch.
func (w Watch) Report(p Progress) {
	if w != nil {
		w(p)
	}
}
