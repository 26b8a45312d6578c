package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// sqliteFile is a database in one file, with one writer.
type sqliteFile struct {
	path     string
	instance instanceLock
}

func (f *sqliteFile) String() string { return "sqlite:" + f.path }

func (f *sqliteFile) roles() []role { return []role{roleAll} }

// exists refuses to make a new, empty database for a command that only reads.
func (f *sqliteFile) exists(context.Context) error {
	if _, err := os.Stat(f.path); errors.Is(err, fs.ErrNotExist) {
		return missing("is no database", f)
	} else {
		return err
	}
}

func (f *sqliteFile) prepare(ctx context.Context) error {
	if err := f.makePrivate(); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", dsn(f.path, writePragmas...))
	if err != nil {
		return err
	}
	defer db.Close()
	for began := time.Now(); ; time.Sleep(startRetryTime / 50) {
		err = migrate(ctx, goose.DialectSQLite3, db, migrations)
		if !isBusy(err) || time.Since(began) > startRetryTime {
			return err
		}
	}
}

// startRetryTime is for how long those that start at once try again. Who has waited for a lock that is not given back has waited longer.
const startRetryTime = 2 * time.Second

// isBusy says that another process which starts at the same moment was quicker: what it made is found next time. SQLite refuses
// at once, without waiting, where two have read and both want to write.
func isBusy(err error) bool {
	var half *goose.PartialError
	var e *sqlite.Error
	return errors.As(err, &half) || errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_BUSY
}

// synchronous makes a commit wait for the disk: a 202 is a promise. No setting reaches it. It is a variable only so that
// the linker can build a binary that does not wait, which has to lose leads where test/torture cuts the power.
var synchronous = "FULL"

// writePragmas are the pragmas of connections that write. What is erased is overwritten, in its page and in those that it no longer
// needs, not only marked as free.
var writePragmas = []string{"journal_mode(WAL)", "synchronous(" + synchronous + ")", "journal_size_limit(67108864)", "cache_size(-16384)", "secure_delete(ON)"}

// dsn builds the address of a SQLite file that is there. SQLite must never make one: where a disk is unmounted to be
// mended, a new database would be begun in the empty folder.
func dsn(path string, pragmas ...string) string {
	escaped := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path)
	query := url.Values{"mode": {"rw"}, "_pragma": append([]string{"busy_timeout(5000)"}, pragmas...)}
	return "file:" + escaped + "?" + query.Encode()
}

func (f *sqliteFile) write(ctx context.Context, _ role) (conn, error) {
	pool, err := sql.Open("sqlite", dsn(f.path, writePragmas...))
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(1)
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return &sqliteConn{conn: conn, pool: pool, statements: make(map[string]statement)}, nil
}

// sqliteReaders is how many look-ups run at once. They share the page cache of the operating system, so few are enough.
const sqliteReaders = 4

func (f *sqliteFile) read() (*sql.DB, error) {
	read, err := sql.Open("sqlite", dsn(f.path, "query_only(1)", "cache_size(-4096)"))
	if err != nil {
		return nil, err
	}
	read.SetMaxOpenConns(sqliteReaders)
	read.SetMaxIdleConns(sqliteReaders)
	return read, nil
}

// readContext bounds nothing: a file answers or fails, and can be read on a disk that refuses writes.
func (f *sqliteFile) readContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return ctx, func() {}
}

func (f *sqliteFile) classify(err error) (disk, reopen bool) {
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

// reopen closes everything and starts over: a failed fsync leaves every connection to the file in doubt. Look-ups use the
// new connections even where the check fails: reading needs no sound disk.
func (f *sqliteFile) reopen(ctx context.Context, w *writer) error {
	s := w.store
	if err := errors.Join(s.readPool.Load().close(), w.tx.conn.close()); err != nil {
		s.log.Warn("closing the doubtful database", "cause", err)
	}
	if err := f.instance.release(); err != nil {
		s.log.Warn("letting go of the lock beside the database", "cause", err)
	}
	fresh, err := f.write(ctx, w.role)
	if err != nil {
		return err
	}
	sight, err := openReadPool(ctx, f)
	if err != nil {
		return errors.Join(err, fresh.close())
	}
	w.tx.conn = fresh
	if err := f.instance.reacquire(); err != nil {
		s.log.Warn("taking the lock beside the database again", "cause", err)
	}
	err = f.checkReopened(ctx, w)
	s.readPool.Store(sight)
	return err
}

const reopenCheckTimeout = 2 * time.Second // what the check of a reopened database may take

// checkReopened looks whether a reopened database can be trusted: what is in the log reaches the disk, the newest acknowledged
// lead is there, and the pages are sound as far as the time allows.
func (f *sqliteFile) checkReopened(ctx context.Context, w *writer) error {
	conn := w.tx.conn.(*sqliteConn).conn
	var busy, logged, moved int
	// Passive: a reader beside us keeps part of the log in use, and is not worth waiting for.
	if err := conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &logged, &moved); err != nil {
		return err
	}
	there, err := w.hasLastCommitted()
	if err != nil {
		return err
	}
	if !there {
		return errors.New("the newest acknowledged lead is missing after reopening")
	}
	limited, cancel := context.WithTimeout(ctx, reopenCheckTimeout)
	defer cancel()
	var verdict string
	err = conn.QueryRowContext(limited, "PRAGMA quick_check(1)").Scan(&verdict)
	switch {
	case limited.Err() != nil:
		w.store.log.Warn("the database is too large to be checked in full; run foyer db check", "looked_for", reopenCheckTimeout.String())
		return nil
	case err != nil:
		return err
	case verdict != "ok":
		return fmt.Errorf("the database is damaged: %s", verdict)
	}
	return nil
}

func (f *sqliteFile) acquireInstance() (bool, error) { return f.instance.acquire(f.path + "-serving") }

func (f *sqliteFile) keepInstance() {}

func (f *sqliteFile) releaseInstance() error { return f.instance.release() }
