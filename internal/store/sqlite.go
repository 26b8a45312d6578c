package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// readers is how many look-ups run at once. They share the page cache of the operating system, so few are enough.
const readers = 4

// handles are the open connections to one database: one that writes and a few that read.
type handles struct {
	write      *sql.Conn
	statements map[string]statement // prepared on write
	newest     string               // id of the last lead in the transaction under way
	places     []driver.NamedValue  // the arguments of the statement under way
	pool       *sql.DB              // holds write
	read       *sql.DB
	glance     *sql.Stmt // prepared on read
	shut       bool
}

// synchronous makes a commit wait for the disk: a 202 is a promise. No setting reaches it. It is a variable only so that
// the linker can build a binary that does not wait, which has to lose leads where test/torture cuts the power.
var synchronous = "FULL"

// writing are the pragmas of connections that write.
var writing = []string{"journal_mode(WAL)", "synchronous(" + synchronous + ")", "journal_size_limit(67108864)", "cache_size(-16384)"}

// dsn builds the address of a SQLite file that is there. SQLite must never make one: where a disk is unmounted to be
// mended, a new database would be begun in the empty folder.
func dsn(path string, pragmas ...string) string {
	escaped := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path)
	query := url.Values{"mode": {"rw"}, "_pragma": append([]string{"busy_timeout(5000)"}, pragmas...)}
	return "file:" + escaped + "?" + query.Encode()
}

func openHandles(ctx context.Context, path string) (*handles, error) {
	pool, err := sql.Open("sqlite", dsn(path, writing...))
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(1)
	h := &handles{pool: pool, statements: make(map[string]statement)}
	if h.write, err = pool.Conn(ctx); err != nil {
		return nil, errors.Join(err, h.close())
	}
	if h.read, err = openReader(path); err != nil {
		return nil, errors.Join(err, h.close())
	}
	if h.glance, err = h.read.PrepareContext(ctx, glanceQuery); err != nil {
		return nil, errors.Join(err, h.close())
	}
	return h, nil
}

// openReader opens connections that cannot write.
func openReader(path string) (*sql.DB, error) {
	read, err := sql.Open("sqlite", dsn(path, "query_only(1)", "cache_size(-4096)"))
	if err != nil {
		return nil, err
	}
	read.SetMaxOpenConns(readers)
	read.SetMaxIdleConns(readers)
	return read, nil
}

// close closes everything. A second time is no news: a database that could not be reopened was closed before.
func (h *handles) close() error {
	if h.shut {
		return nil
	}
	h.shut = true
	errs := []error{h.closeStatements()}
	if h.read != nil {
		errs = append(errs, h.read.Close())
	}
	if h.write != nil {
		errs = append(errs, h.write.Close())
	}
	return errors.Join(append(errs, h.pool.Close())...)
}

// makePrivate makes the file of a new database readable by nobody else: it holds names and phone numbers. SQLite gives
// its log and its index the same rights.
func makePrivate(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// mustExist refuses to make a new, empty database for a command that only reads.
func mustExist(path string) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no database at %s: start the service once, or name another with --database", path)
	} else if err != nil {
		return err
	}
	return nil
}

// ailment says how the ground below the database is: whether an error comes from the disk rather than from a row, and
// whether the connections can be trusted after it.
func ailment(err error) (disk, reopen bool) {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return errors.Is(err, sql.ErrConnDone), errors.Is(err, sql.ErrConnDone)
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM:
		return true, false
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_CORRUPT,
		sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return true, true
	}
	return false, false
}
