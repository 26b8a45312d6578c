// Package sqlite keeps a database in one file, with one writer. It knows how SQLite opens, writes, locks and fails, and no table.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"foyer/internal/store/db"
)

// File is a database in one file, with one writer.
type File struct {
	path     string
	instance instanceLock
}

// New returns the database at a path. It need not exist yet.
func New(path string) *File { return &File{path: path} }

// Path returns the path of the file.
func (f *File) Path() string { return f.path }

// Name has the absolute path.
func (f *File) Name() string {
	if path, err := filepath.Abs(f.path); err == nil {
		return "sqlite:" + path
	}
	return f.String()
}

func (f *File) String() string { return "sqlite:" + f.path }

// Exists fails if there is no file, so that a command that only reads does not create an empty database.
func (f *File) Exists(context.Context) error {
	_, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return db.Missing("is no database", f)
	case err != nil:
		return db.CannotOpen(f, err)
	}
	return nil
}

// Migrate creates the file if necessary, and applies the migrations.
func (f *File) Migrate(ctx context.Context, apply func(context.Context, *sql.DB) error) error {
	if err := f.makePrivate(); err != nil {
		return err
	}
	pool, err := sql.Open("sqlite", DSN(f.path, writePragmas...))
	if err != nil {
		return err
	}
	defer pool.Close()
	start, overtaken := time.Now(), 0
	for ; ; time.Sleep(startRetryTime / maxOvertaken) {
		err = apply(ctx, pool)
		_, partly := errors.AsType[*goose.PartialError](err)
		switch {
		case partly && overtaken < maxOvertaken:
			overtaken++
		case !isBusy(err) || time.Since(start) > startRetryTime:
			return err
		}
	}
}

const (
	// startRetryTime bounds how long processes that start at the same time wait for each other's locks. busy_timeout
	// is longer, so an attempt that waited for a lock in vain is not repeated.
	startRetryTime = 2 * time.Second

	// maxOvertaken is how often a migration is tried again after another process applied it first. That happens at most once for
	// each migration, however slow the machine is, so this is more than there are.
	maxOvertaken = 50
)

// isBusy reports whether another process that starts at the same time has the lock. SQLite fails immediately, without waiting,
// when two transactions have both read and then both try to write.
func isBusy(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code()&0xff == sqlite3.SQLITE_BUSY
}

// DSN builds the address of an existing SQLite file. SQLite must never create one: while a disk is unmounted for repair, it would
// start a new database in the empty directory.
func DSN(path string, pragmas ...string) string {
	escaped := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path)
	query := url.Values{"mode": {"rw"}, "_pragma": append([]string{"busy_timeout(5000)"}, pragmas...)}
	return "file:" + escaped + "?" + query.Encode()
}

// ReadContext sets no timeout: a file answers or fails, and a disk that refuses writes can still be read.
func (f *File) ReadContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return ctx, func() {}
}

// Classify tells failures of the disk and of the file from errors of a row. Disk full (SQLITE_FULL, from ENOSPC: no space left on
// device) is a storage failure that leaves the connection usable: the writer is down, new leads get a 503, and it tries again every
// second. After SQLITE_IOERR, SQLITE_READONLY (a file system that became read-only) and the like it reopens the database first.
func (f *File) Classify(err error) (storage, reopen bool) {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
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

// IsDamage reports whether a read failed because of the file's contents or a fault of the disk, and not because it was cut off or not permitted.
func (f *File) IsDamage(err error) bool {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		switch e.Code() & 0xff {
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR:
			return true
		}
	}
	storage, _ := f.Classify(err)
	return !storage
}

func (f *File) IsServer() bool { return false }

func (f *File) Dialect() string { return "sqlite3" }

// Check verifies a reopened database: the log reaches the disk, and as many pages as the timeout allows are sound.
func (c *conn) Check(ctx context.Context) (all bool, err error) {
	// Passive: another reader may keep part of the log in use, and waiting for that reader is not worth it.
	if err := c.query(ctx, "PRAGMA wal_checkpoint(PASSIVE)", nil, func(db.Row) error { return nil }); err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(ctx, db.CheckTimeout)
	defer cancel()
	var verdict string
	err = c.query(ctx, "PRAGMA quick_check(1)", nil, func(r db.Row) error { verdict = r.Text(0); return nil })
	switch {
	case ctx.Err() != nil:
		return false, nil
	case err != nil:
		return false, err
	case verdict != "ok":
		return false, fmt.Errorf("the database is damaged: %s", verdict)
	}
	return true, nil
}
