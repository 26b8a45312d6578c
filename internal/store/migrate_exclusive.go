package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// exclusiveMark is a line in the file of a migration after which a process of an earlier version fails on every statement. Such a
// migration only runs while no service uses the database.
const exclusiveMark = "-- foyer: exclusive"

// Why the instance lock cannot be taken exclusively.
var (
	errServing   = errors.New("a service holds the instance lock")
	errMigrating = errors.New("another process migrates the database")
)

// How often a service is looked for before a migration is refused: a server needs a moment to notice that a client has gone.
const (
	exclusiveTries    = 5
	exclusiveInterval = 100 * time.Millisecond
)

// migrateExclusively calls migrate, and holds the instance lock exclusively meanwhile if a pending migration is marked. It refuses
// before anything is changed if a service runs, and waits if another process migrates: that one may leave nothing to do.
func migrateExclusively(ctx context.Context, e engine, db *sql.DB, migrate func() error) error {
	for tries := 1; ; {
		marked, err := pendingMarked(ctx, e, db)
		if err != nil {
			return err
		}
		if marked == nil {
			return migrate()
		}
		release, err := e.lockExclusive()
		switch {
		case err == nil:
			return errors.Join(migrate(), release())
		case errors.Is(err, errServing):
			if tries++; tries > exclusiveTries {
				return errInUse(*marked)
			}
		case !errors.Is(err, errMigrating):
			return err
		}
		select {
		case <-ctx.Done():
			return errStoppedWaiting
		case <-time.After(exclusiveInterval):
		}
	}
}

// errInUse says which migration cannot run beside a service, and what to do.
func errInUse(m Migration) error {
	return fmt.Errorf("migration %d (%s) cannot run while a foyer uses this database: stop every foyer that uses it, then start again", m.Version, m.Name)
}

// checkReadable refuses tables that lack a marked migration, because the statements of this program would fail.
func checkReadable(ctx context.Context, e engine, db querier) error {
	m, err := pendingMarked(ctx, e, db)
	if err != nil || m == nil {
		return err
	}
	return fmt.Errorf("it lacks migration %d (%s): stop every foyer that uses it and run foyer db migrate, or use the foyer from before", m.Version, m.Name)
}

// pendingMarked returns the first pending migration that is marked, or nil. It returns nil for a new database, which no process of
// an earlier version can use.
func pendingMarked(ctx context.Context, e engine, db querier) (*Migration, error) {
	all, err := listMigrations(ctx, e, db)
	if err != nil || pending(all) == len(all) {
		return nil, err
	}
	for _, m := range all {
		if m.Applied {
			continue
		}
		if marked, err := isMarked(m); err != nil || marked {
			return &m, err
		}
	}
	return nil, nil
}

// isMarked reports whether a migration of this program has the mark, on a line of its own.
func isMarked(m Migration) (bool, error) {
	text, err := migrations.ReadFile(fmt.Sprintf("migrations/%05d_%s.sql", m.Version, m.Name))
	return slices.Contains(strings.Split(string(text), "\n"), exclusiveMark), err
}
