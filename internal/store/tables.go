package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
)

// Migration is one step by which the tables become what this program needs.
type Migration struct {
	Version int64
	Name    string // "" where only the database knows it: a newer program made it
	Applied bool
}

// pending is how many are still to be made.
func pending(steps []Migration) (n int) {
	for _, m := range steps {
		if !m.Applied {
			n++
		}
	}
	return n
}

// Migrate brings the tables of a database up to date, makes them where there are none, and says what it did. One
// who watches is told that it is under way.
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

// watchMigrations looks each second how many of the migrations are made, until it is told to end. It looks from aside: what
// is not committed yet is not made.
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
			if now, err := migrationsOf(ctx, e); err == nil { // there may be no table to look at yet
				watch(Progress{What: "migrating", Done: int64(all - pending(now)), Of: int64(all), Unit: "migrations"})
			}
		}
	}()
	return func() { cancel(); <-ended }
}

// migrationsOf is steps for a database that may not be there yet.
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
	list, err := listMigrations(ctx, e, db)
	if err != nil {
		return nil, cannotOpen(e, err)
	}
	return list, nil
}

// listMigrations lists the migrations in their order: those that this program knows, and those that only the database knows.
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

// mergeApplied puts what was applied beside what there is to apply.
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

// checkUpToDate refuses tables that are not those of this program, and says what to do.
func checkUpToDate(e engine, list []Migration) error {
	if n := pending(list); n > 0 {
		return fmt.Errorf("%s lacks migrations: %d. Make them first, with foyer db migrate", e, n)
	}
	if err := checkNotNewer(versions(list)); err != nil {
		return fmt.Errorf("%s: %w", e, err)
	}
	return nil
}

// versions are the last one that the tables have, and the last one that this program knows.
func versions(list []Migration) (tables, known int64) {
	for _, m := range list {
		if m.Applied {
			tables = m.Version
		}
		if m.Name != "" {
			known = m.Version
		}
	}
	return tables, known
}

// checkNotNewer refuses tables that a newer program made: nobody knows what this one would do there.
func checkNotNewer(tables, known int64) error {
	if tables <= known {
		return nil
	}
	return fmt.Errorf("the tables are of a newer foyer (version %d, this one knows %d): use that one, or restore a backup from before the upgrade", tables, known)
}
