package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"foyer/internal/store/db"
)

func (f *File) VersionQuery() string { return `SELECT 'SQLite ' || sqlite_version()` }

// Size is the size of the file plus its log.
func (f *File) Size(context.Context, db.Querier) (bytes int64, err error) {
	for _, path := range []string{f.path, f.path + "-wal"} {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist): // a database that was closed cleanly has no log
		case err != nil:
			return 0, err
		default:
			bytes += info.Size()
		}
	}
	return bytes, nil
}

func (f *File) HasTable(ctx context.Context, from db.Querier, table string) (found bool, err error) {
	err = from.QueryRowContext(ctx, `SELECT count(*) > 0 FROM sqlite_schema WHERE type = 'table' AND name = $1`, table).Scan(&found)
	return found, err
}

// Snapshot sees the database as of its first query. To lock tables it takes the write lock, so that no other process can write:
// _txlock=immediate has the driver begin with BEGIN IMMEDIATE. For a read-only transaction the driver ignores it.
func (f *File) Snapshot(ctx context.Context, lock ...db.Table) (*db.Snapshot, error) {
	pool, err := sql.Open("sqlite", DSN(f.path, "cache_size(-16384)")+"&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	snap, err := db.OpenSnapshot(ctx, pool, sql.TxOptions{ReadOnly: len(lock) == 0})
	if err != nil {
		return nil, err
	}
	if _, err := snap.ExecContext(ctx, `PRAGMA query_only = 1`); err != nil {
		return nil, errors.Join(err, snap.Close())
	}
	return snap, nil
}

// CheckSettings reports files that others can read. No setting changes what a commit waits for.
func (f *File) CheckSettings(_ context.Context, _ db.Querier, report func(db.Finding)) error {
	f.checkPermissions(report)
	return nil
}

// Same reports whether both paths name one file.
func (f *File) Same(other db.Engine) bool {
	o, file := other.(*File)
	if !file {
		return false
	}
	one, err := os.Stat(f.path)
	two, otherErr := os.Stat(o.path)
	return SamePath(f.path, o.path) || err == nil && otherErr == nil && os.SameFile(one, two)
}

// SamePath reports whether two names mean one file, even one that does not exist.
func SamePath(a, b string) bool {
	folderA, errA := os.Stat(filepath.Dir(a))
	folderB, errB := os.Stat(filepath.Dir(b))
	return errA == nil && errB == nil && os.SameFile(folderA, folderB) && filepath.Base(a) == filepath.Base(b)
}
