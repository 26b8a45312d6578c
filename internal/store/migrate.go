package store

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrate applies the pending migrations. It refuses tables of a newer program and leaves them unchanged.
func migrate(ctx context.Context, dialect goose.Dialect, db *sql.DB, files fs.FS, options ...goose.ProviderOption) error {
	provider, err := migrator(dialect, db, files, options...)
	if err != nil {
		return err
	}
	if _, err = provider.Up(ctx); err != nil {
		return err
	}
	tables, known, err := provider.GetVersions(ctx)
	if err != nil {
		return err
	}
	return checkNotNewer(tables, known)
}

func migrator(dialect goose.Dialect, db *sql.DB, files fs.FS, options ...goose.ProviderOption) (*goose.Provider, error) {
	folder, err := fs.Sub(files, "migrations")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(dialect, db, folder, options...)
}

// Migration is one change of the tables.
type Migration struct {
	Version int64
	Name    string // if only the database knows it: a newer program applied it
	Applied bool
}

// pending is the number of migrations that are not applied.
func pending(steps []Migration) (n int) {
	for _, m := range steps {
		if !m.Applied {
			n++
		}
	}
	return n
}

// Migrate applies the pending migrations, creates the tables if there are none, and returns what it applied. watch, if given,
// receives the progress.
func Migrate(ctx context.Context, database string, watch ...Watch) (done []Migration, err error) {
	e, err := engineFor(database)
	if err != nil {
		return nil, err
	}
	before, err := migrationsOf(ctx, e)
	if err != nil {
		return nil, err
	}
	if pending(before) > 0 && len(watch) > 0 {
		defer watchMigrations(ctx, e, pending(before), progressFunc(watch))()
	}
	if err := e.prepare(ctx); err != nil {
		return nil, cannotOpen(e, err)
	}
	for _, m := range before {
		if !m.Applied {
			m.Applied = true
			done = append(done, m)
		}
	}
	return done, nil
}

// watchMigrations reports every second how many migrations are applied, until end is called. It uses its own connection, so
// uncommitted migrations do not count.
func watchMigrations(ctx context.Context, e engine, all int, watch Watch) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	watch(Progress{What: "migrating", Of: int64(all), Unit: "migrations"})
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if now, err := migrationsOf(ctx, e); err == nil { // the table may not exist yet
				watch(Progress{What: "migrating", Done: int64(all - pending(now)), Of: int64(all), Unit: "migrations"})
			}
		}
	}()
	return func() { cancel(); <-ended }
}

// migrationsOf is listMigrations for a database that may not exist yet.
func migrationsOf(ctx context.Context, e engine) ([]Migration, error) {
	err := mustExist(ctx, e)
	var none errMissing
	switch {
	case errors.As(err, &none):
		return mergeApplied(nil)
	case err != nil:
		return nil, err
	}
	db, err := e.read()
	if err != nil {
		return nil, err
	}
	defer db.Close()
	all, err := listMigrations(ctx, e, db)
	if err != nil {
		return nil, cannotOpen(e, err)
	}
	return all, nil
}

// listMigrations returns the migrations in order: those that this program knows, and those that only the database knows.
func listMigrations(ctx context.Context, e engine, from querier) ([]Migration, error) {
	known, err := e.hasTable(ctx, from, "goose_db_version")
	if err != nil {
		return nil, err
	}
	if !known {
		return mergeApplied(nil)
	}
	applied, err := collect(ctx, from, scanOne[int64], `SELECT version_id FROM goose_db_version WHERE version_id > 0 ORDER BY version_id`)
	if err != nil {
		return nil, err
	}
	return mergeApplied(applied)
}

// mergeApplied combines the applied versions with the migrations of this program.
func mergeApplied(applied []int64) ([]Migration, error) {
	files, err := migrations.ReadDir("migrations")
	if err != nil {
		return nil, err
	}
	var all []Migration
	for _, f := range files {
		version, err := goose.NumericComponent(f.Name())
		if err != nil {
			return nil, err
		}
		_, name, _ := strings.Cut(strings.TrimSuffix(path.Base(f.Name()), ".sql"), "_")
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

// checkUpToDate refuses tables that do not match this program, and says what to do.
func checkUpToDate(e engine, all []Migration) error {
	if n := pending(all); n > 0 {
		return fmt.Errorf("%s lacks migrations: %d. Make them first, with foyer db migrate", e, n)
	}
	if err := checkNotNewer(versions(all)); err != nil {
		return fmt.Errorf("%s: %w", e, err)
	}
	return nil
}

// versions returns the last version of the tables and the last one that this program knows.
func versions(all []Migration) (tables, known int64) {
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

// checkNotNewer refuses tables that a newer program made: this one could damage them.
func checkNotNewer(tables, known int64) error {
	if tables <= known {
		return nil
	}
	return fmt.Errorf("the tables are of a newer foyer (version %d, this one knows %d): use that one, or restore a backup from before the upgrade", tables, known)
}
