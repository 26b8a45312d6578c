package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"strings"
)

func (f *sqliteFile) versionQuery() string { return `SELECT 'SQLite ' || sqlite_version()` }

// size is the size of the file plus its log.
func (f *sqliteFile) size(context.Context, querier) (bytes int64, err error) {
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

func (f *sqliteFile) hasTable(ctx context.Context, from querier, table string) (found bool, err error) {
	err = from.QueryRowContext(ctx, `SELECT count(*) > 0 FROM sqlite_schema WHERE type = 'table' AND name = $1`, table).Scan(&found)
	return found, err
}

// snapshot sees the database as of its first query. An exclusive snapshot takes the write lock, so that no other process can
// write.
func (f *sqliteFile) snapshot(ctx context.Context, exclusive bool) (*snapshot, error) {
	db, err := sql.Open("sqlite", dsn(f.path, "cache_size(-16384)")+"&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	snap, err := openSnapshot(ctx, db, sql.TxOptions{ReadOnly: !exclusive})
	if err != nil {
		return nil, err
	}
	if _, err := snap.ExecContext(ctx, `PRAGMA query_only = 1`); err != nil {
		return nil, errors.Join(err, snap.close())
	}
	return snap, nil
}

// checkDamage reads every page and compares every index with its table.
func (f *sqliteFile) checkDamage(ctx context.Context, snap *snapshot, report func(Finding)) error {
	return each(ctx, snap, func(r scanner) error {
		verdict, err := scanOne[string](r)
		for line := range strings.SplitSeq(verdict, "\n") {
			if line != "" && line != "ok" && !strings.HasPrefix(line, "***") { // a heading with the name of the database
				report(Finding{What: "the file is damaged: " + line, Remedy: restoreDatabase})
			}
		}
		return err
	}, `PRAGMA integrity_check`)
}

// checkEngine only checks the settings: SQLite numbers rows after the last existing one, and no setting changes what a commit
// waits for.
func (f *sqliteFile) checkEngine(ctx context.Context, snap *snapshot, report func(Finding)) error {
	return f.checkSettings(ctx, snap, report)
}

func (f *sqliteFile) checkSettings(_ context.Context, _ querier, report func(Finding)) error {
	f.checkPermissions(report)
	return nil
}

// same reports whether both paths name one file.
func (f *sqliteFile) same(other engine) bool {
	o, file := other.(*sqliteFile)
	if !file {
		return false
	}
	one, err := os.Stat(f.path)
	two, otherErr := os.Stat(o.path)
	return samePath(f.path, o.path) || err == nil && otherErr == nil && os.SameFile(one, two)
}
