package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// files are the database, its log and its index. All three hold names and phone numbers.
func (f *sqliteFile) files() []string { return []string{f.path, f.path + "-wal", f.path + "-shm"} }

const (
	othersMode = fs.FileMode(0o007)
	groupMode  = fs.FileMode(0o070)
)

// makePrivate makes the file of a new database readable by nobody else; SQLite gives its log and its index the same rights. Those
// of a database that is there already, such as one that was copied back, are taken away from all but its group: that one may
// have been given them on purpose.
func (f *sqliteFile) makePrivate() error {
	file, err := os.OpenFile(f.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	for _, path := range f.files() {
		if info, err := os.Stat(path); err == nil && info.Mode()&othersMode != 0 {
			_ = os.Chmod(path, info.Mode().Perm()&^othersMode) // where it is not ours to do, it is told of
		}
	}
	return nil
}

// checkPermissions tells which files others can read.
func (f *sqliteFile) checkPermissions(tell func(Finding)) {
	for _, path := range f.files() {
		info, err := os.Stat(path)
		if err != nil || info.Mode()&(othersMode|groupMode) == 0 {
			continue
		}
		tell(Finding{
			What:   fmt.Sprintf("others on this machine can read %s, which holds names and phone numbers (%04o)", filepath.Base(path), info.Mode().Perm()),
			Remedy: "chmod 600, unless its group is to read it", Mild: true,
		})
	}
}

// How long an erasure tries to empty the log, how long it keeps others from writing each time, and how long it leaves them alone.
const (
	truncateTimeout = 5 * time.Second
	truncateBusyTimeout = 20 * time.Millisecond
	truncateRetryInterval = 200 * time.Millisecond
)

// truncateLog empties the log, which holds pages as they were before something was erased. Whoever reads just now may still need it, so
// it is tried again and again, and others write in between.
func (f *sqliteFile) truncateLog(ctx context.Context) error {
	db, err := sql.Open("sqlite", dsn(f.path))
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA busy_timeout = %d", truncateBusyTimeout.Milliseconds())); err != nil {
		return err
	}
	for began := time.Now(); time.Since(began) < truncateTimeout && ctx.Err() == nil; time.Sleep(truncateRetryInterval) {
		var busy, logged, moved int
		err := db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &logged, &moved)
		if err == nil && busy == 0 {
			return nil
		}
	}
	return errLogNotTruncated
}

var errLogNotTruncated = errors.New("it is erased, but the log of the database still holds traces, because others read it all the time: erase it once more when they are through")
