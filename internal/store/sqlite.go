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

// exists fails if there is no file, so that a command that only reads does not create an empty database.
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
	for start := time.Now(); ; time.Sleep(startRetryTime / 50) {
		err = migrateExclusively(ctx, f, db, func() error { return migrate(ctx, goose.DialectSQLite3, db, migrations) })
		if !isBusy(err) || time.Since(start) > startRetryTime {
			return err
		}
	}
}

// startRetryTime bounds how long processes that start at the same time retry their migrations. Waiting for a lock that is never
// released takes longer than this.
const startRetryTime = 2 * time.Second

// isBusy reports whether another process that starts at the same time was faster. The next try finds what that process created.
// SQLite fails immediately, without waiting, when two transactions have both read and then both try to write.
func isBusy(err error) bool {
	var partial *goose.PartialError
	var e *sqlite.Error
	return errors.As(err, &partial) || errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_BUSY
}

// synchronous makes a commit wait for the disk, because a 202 is a promise. No setting changes it. It is a variable only so that
// the linker can build a binary that does not wait, which must lose leads when test/torture cuts the power.
var synchronous = "FULL"

// writePragmas are the pragmas of write connections. secure_delete overwrites erased data, both in its page and in the pages that
// it no longer needs, instead of only marking the space as free.
var writePragmas = []string{"journal_mode(WAL)", "synchronous(" + synchronous + ")", "journal_size_limit(67108864)", "cache_size(-16384)", "secure_delete(ON)"}

// dsn builds the address of an existing SQLite file. SQLite must never create one: while a disk is unmounted for repair, it would
// start a new database in the empty directory.
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

// sqliteReaders is the size of the read pool. Readers share the operating system's page cache, so a few are enough.
const sqliteReaders = 4

func (f *sqliteFile) read() (*sql.DB, error) {
	db, err := sql.Open("sqlite", dsn(f.path, "query_only(1)", "cache_size(-4096)"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(sqliteReaders)
	db.SetMaxIdleConns(sqliteReaders)
	return db, nil
}

// readContext sets no timeout: a file answers or fails, and a disk that refuses writes can still be read.
func (f *sqliteFile) readContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return ctx, func() {}
}

func (f *sqliteFile) classify(err error) (storage, reopen bool) {
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

// reopen closes every connection and opens new ones, because a failed fsync leaves no connection to the file trustworthy. Reads
// switch to the new connections even if the check fails: reading does not need a disk that accepts writes.
func (f *sqliteFile) reopen(ctx context.Context, w *writer) error {
	s := w.store
	if err := errors.Join(s.readPool.Load().close(), w.tx.conn.close()); err != nil {
		s.log.Warn("could not close the database before reopening it", "cause", err)
	}
	if err := f.instance.release(); err != nil {
		s.log.Warn("could not release the instance lock", "cause", err)
	}
	newConn, err := f.write(ctx, w.role)
	if err != nil {
		return err
	}
	readers, err := openReadPool(ctx, f)
	if err != nil {
		return errors.Join(err, newConn.close())
	}
	w.tx.conn = newConn
	if err := f.instance.reacquire(); err != nil {
		s.log.Warn("could not acquire the instance lock again", "cause", err)
	}
	err = f.checkReopened(ctx, w)
	s.readPool.Store(readers)
	return err
}

const reopenCheckTimeout = 2 * time.Second // bounds the quick_check of a reopened database

// checkReopened verifies a reopened database: the log reaches the disk, the newest acknowledged lead is present, and as many
// pages as the timeout allows are sound.
func (f *sqliteFile) checkReopened(ctx context.Context, w *writer) error {
	conn := w.tx.conn.(*sqliteConn).conn
	var busy, logged, moved int
	// Passive: another reader may keep part of the log in use, and waiting for that reader is not worth it.
	if err := conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &logged, &moved); err != nil {
		return err
	}
	found, err := w.hasLastCommitted()
	if err != nil {
		return err
	}
	if !found {
		return errors.New("the newest acknowledged lead is missing after reopening")
	}
	checkCtx, cancel := context.WithTimeout(ctx, reopenCheckTimeout)
	defer cancel()
	var verdict string
	err = conn.QueryRowContext(checkCtx, "PRAGMA quick_check(1)").Scan(&verdict)
	switch {
	case checkCtx.Err() != nil:
		w.store.log.Warn("the database is too large for a full check; run foyer db check", "looked_for", reopenCheckTimeout.String())
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
