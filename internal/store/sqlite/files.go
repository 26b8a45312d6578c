package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"foyer/internal/store/db"
)

// files are the database, its log and its shared-memory index. All three hold names and phone numbers.
func (f *File) files() []string { return []string{f.path, f.path + "-wal", f.path + "-shm"} }

const (
	othersMode = fs.FileMode(0o007)
	groupMode  = fs.FileMode(0o070)
)

// makePrivate creates a new database file that only its owner can read; SQLite gives the log and the index the same mode. For an
// existing database, such as one restored by a copy, it removes access for others but not for the group, which may have been
// granted on purpose.
func (f *File) makePrivate() error {
	file, err := os.OpenFile(f.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	for _, path := range f.files() {
		if info, err := os.Stat(path); err == nil && info.Mode()&othersMode != 0 {
			_ = os.Chmod(path, info.Mode().Perm()&^othersMode) // if this process may not do so, checkPermissions reports the file
		}
	}
	return nil
}

// checkPermissions reports the files that others can read.
func (f *File) checkPermissions(report func(db.Finding)) {
	for _, path := range f.files() {
		info, err := os.Stat(path)
		if err != nil || info.Mode()&(othersMode|groupMode) == 0 {
			continue
		}
		report(db.Finding{
			What:   fmt.Sprintf("others on this machine can read %s, which holds names and phone numbers (%04o)", filepath.Base(path), info.Mode().Perm()),
			Remedy: "chmod 600, unless its group is to read it", Mild: true,
		})
	}
}

// How long an erasure tries to truncate the log, how long each try blocks other writers, and how long it waits between tries.
const (
	truncateTimeout       = 5 * time.Second
	truncateBusyTimeout   = 20 * time.Millisecond
	truncateRetryInterval = 200 * time.Millisecond
)

// TruncateLog empties the log, which holds pages from before the erasure. A current reader may still need the log, so truncating
// it is retried, and other writers continue in between.
func (f *File) TruncateLog(ctx context.Context) error {
	pool, err := sql.Open("sqlite", DSN(f.path))
	if err != nil {
		return err
	}
	defer pool.Close()
	pool.SetMaxOpenConns(1)
	if _, err := pool.ExecContext(ctx, fmt.Sprintf("PRAGMA busy_timeout = %d", truncateBusyTimeout.Milliseconds())); err != nil {
		return err
	}
	for began := time.Now(); time.Since(began) < truncateTimeout && ctx.Err() == nil; time.Sleep(truncateRetryInterval) {
		var busy, logged, moved int
		err := pool.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &logged, &moved)
		if err == nil && busy == 0 {
			return nil
		}
	}
	return errLogNotTruncated
}

var errLogNotTruncated = errors.New("it is erased, but the log of the database still holds traces, because others read it all the time: erase it once more when they are through")

// Checkpoint moves what no reader needs any more from the log into the database, on a connection of its own. Without it, the
// commit that makes the log too long does that, and every lead waits for it.
func (f *File) Checkpoint(ctx context.Context) error {
	pool, err := sql.Open("sqlite", DSN(f.path, "synchronous("+synchronous+")"))
	if err != nil {
		return err
	}
	defer pool.Close()
	_, err = pool.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
	return err
}
