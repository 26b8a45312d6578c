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

// size is that of the file and of its log.
func (f *sqliteFile) size(context.Context, querier) (bytes int64, err error) {
	for _, path := range []string{f.path, f.path + "-wal"} {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist): // closed in good order, it has no log
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

// snapshot sees what its first question sees. To hold others off it takes the place of the one writer.
func (f *sqliteFile) snapshot(ctx context.Context, held bool) (*snapshot, error) {
	db, err := sql.Open("sqlite", dsn(f.path, "cache_size(-16384)")+"&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	now, err := openSnapshot(ctx, db, sql.TxOptions{ReadOnly: !held})
	if err != nil {
		return nil, err
	}
	if _, err := now.ExecContext(ctx, `PRAGMA query_only = 1`); err != nil {
		return nil, errors.Join(err, now.close())
	}
	return now, nil
}

// checkDamage reads every page, and holds every index against its table.
func (f *sqliteFile) checkDamage(ctx context.Context, now *snapshot, tell func(Finding)) error {
	return each(ctx, now, func(r scanner) error {
		verdict, err := scanOne[string](r)
		for line := range strings.SplitSeq(verdict, "\n") {
			if line != "" && line != "ok" && !strings.HasPrefix(line, "***") { // the name of the database
				tell(Finding{What: "the file is damaged: " + line, Remedy: restoreDatabase})
			}
		}
		return err
	}, `PRAGMA integrity_check`)
}

// checkEngine has none of its rows: SQLite numbers them by the last one that is there, and no setting reaches what a commit waits for.
func (f *sqliteFile) checkEngine(ctx context.Context, now *snapshot, tell func(Finding)) error {
	return f.checkSettings(ctx, now, tell)
}

func (f *sqliteFile) checkSettings(_ context.Context, _ querier, tell func(Finding)) error {
	f.checkPermissions(tell)
	return nil
}

// same says whether two names are those of one file.
func (f *sqliteFile) same(other engine) bool {
	o, file := other.(*sqliteFile)
	if !file {
		return false
	}
	one, err := os.Stat(f.path)
	two, otherErr := os.Stat(o.path)
	return samePath(f.path, o.path) || err == nil && otherErr == nil && os.SameFile(one, two)
}
