// Package migrations has the tables: the schema migrations, SQL files that create and change them, the runner that applies them, and the
// list of the tables that last. The files are written for SQLite and translated for PostgreSQL.
package migrations

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/pressly/goose/v3"

	"foyer/internal/store/db"
)

//go:embed *.sql
var files embed.FS

// Apply applies the pending migrations, and creates the tables if there are none. It refuses tables of a newer program and leaves
// them unchanged.
func Apply(ctx context.Context, e db.Engine) error {
	return e.Migrate(ctx, func(ctx context.Context, pool *sql.DB) error {
		provider, err := Provider(e, pool)
		if err != nil {
			return err
		}
		if err := migrateExclusively(ctx, e, pool, func() error { _, err := provider.Up(ctx); return err }); err != nil {
			return err
		}
		tables, known, err := provider.GetVersions(ctx)
		if err != nil {
			return err
		}
		return CheckNotNewer(tables, known)
	})
}

// Provider returns goose's runner for the files, in the dialect of an engine.
func Provider(e db.Engine, pool *sql.DB) (*goose.Provider, error) {
	dialect, tables := goose.Dialect(e.Dialect()), fs.FS(files)
	if dialect == goose.DialectPostgres {
		tables = translatedFS{files}
	}
	return goose.NewProvider(dialect, pool, tables)
}

// Migration is one change of the tables.
type Migration struct {
	Version int64
	Name    string // if only the database knows it: a newer program applied it
	Applied bool
}

// Pending is the number of migrations that are not applied.
func Pending(steps []Migration) (n int) {
	for _, m := range steps {
		if !m.Applied {
			n++
		}
	}
	return n
}

// Of is List for a database that may not exist yet.
func Of(ctx context.Context, e db.Engine) ([]Migration, error) {
	err := e.Exists(ctx)
	var none db.ErrMissing
	switch {
	case errors.As(err, &none):
		return merge(nil)
	case err != nil:
		return nil, err
	}
	pool, err := e.Read()
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	all, err := List(ctx, e, pool)
	if err != nil {
		return nil, db.CannotOpen(e, err)
	}
	return all, nil
}

// List returns the migrations in order: those that this program knows, and those that only the database knows.
func List(ctx context.Context, e db.Engine, from db.Querier) ([]Migration, error) {
	known, err := e.HasTable(ctx, from, "goose_db_version")
	if err != nil {
		return nil, err
	}
	if !known {
		return merge(nil)
	}
	applied, err := db.Collect(ctx, from, db.FirstInt, `SELECT version_id FROM goose_db_version WHERE version_id > 0 ORDER BY version_id`)
	if err != nil {
		return nil, err
	}
	return merge(applied)
}

// merge combines the applied versions with the migrations of this program.
func merge(applied []int64) ([]Migration, error) {
	names, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var all []Migration
	for _, f := range names {
		version, err := goose.NumericComponent(f.Name())
		if err != nil {
			return nil, err
		}
		_, name, _ := strings.Cut(strings.TrimSuffix(f.Name(), ".sql"), "_")
		all = append(all, Migration{Version: version, Name: name, Applied: slices.Contains(applied, version)})
	}
	for _, version := range applied {
		if !slices.ContainsFunc(all, func(m Migration) bool { return m.Version == version }) {
			all = append(all, Migration{Version: version, Applied: true})
		}
	}
	slices.SortFunc(all, func(a, b Migration) int { return cmp.Compare(a.Version, b.Version) })
	return all, nil
}

// CheckUpToDate refuses tables that do not match this program, and says what to do.
func CheckUpToDate(e db.Engine, all []Migration) error {
	if n := Pending(all); n > 0 {
		return fmt.Errorf("%s lacks migrations: %d. Make them first, with foyer db migrate", e, n)
	}
	if err := CheckNotNewer(Versions(all)); err != nil {
		return fmt.Errorf("%s: %w", e, err)
	}
	return nil
}

// Versions returns the schema version: the last migration that the tables have, and the last one that this program knows.
func Versions(all []Migration) (tables, known int64) {
	for _, m := range all {
		if m.Applied {
			tables = m.Version
		}
		if m.Name != "" {
			known = m.Version
		}
	}
	return tables, known
}

// CheckNotNewer refuses tables that a newer program made: this one could damage them.
func CheckNotNewer(tables, known int64) error {
	if tables <= known {
		return nil
	}
	return fmt.Errorf("the tables are of a newer foyer (version %d, this one knows %d): use that one, or restore a backup from before the upgrade", tables, known)
}
