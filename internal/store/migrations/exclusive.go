package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"foyer/internal/store/db"
)

// exclusiveMark is a line in the file of a migration after which a process of an earlier version fails on every statement. Such a
// migration only runs while no service uses the database.
const exclusiveMark = "-- foyer: exclusive"

// How often a service is looked for before a migration is refused: a server needs a moment to notice that a client has gone.
const (
	exclusiveTries    = 5
	exclusiveInterval = 100 * time.Millisecond
)

// migrateExclusively calls migrate, and holds the instance lock exclusively meanwhile if a pending migration is marked. It refuses
// before anything is changed if a service runs, and waits if another process migrates: that one may leave nothing to do.
func migrateExclusively(ctx context.Context, e db.Engine, pool *sql.DB, migrate func() error) error {
	for tries := 1; ; {
		marked, err := pendingMarked(ctx, e, pool)
		if err != nil {
			return err
		}
		if marked == nil {
			return migrate()
		}
		release, err := e.LockExclusive()
		switch {
		case err == nil:
			return errors.Join(migrate(), release())
		case errors.Is(err, db.ErrServing):
			if tries++; tries > exclusiveTries {
				return errInUse(*marked)
			}
		case !errors.Is(err, db.ErrMigrating):
			return err
		}
		select {
		case <-ctx.Done():
			return db.ErrStoppedWaiting
		case <-time.After(exclusiveInterval):
		}
	}
}

// errInUse says which migration cannot run beside a service, and what to do.
func errInUse(m Migration) error {
	return fmt.Errorf("migration %d (%s) cannot run while a foyer uses this database: stop every foyer that uses it, then start again", m.Version, m.Name)
}

// CheckReadable refuses tables that lack a migration, because statements of this program would fail.
func CheckReadable(ctx context.Context, e db.Engine, from db.Querier) error {
	m, err := pendingMarked(ctx, e, from)
	if err != nil {
		return err
	}
	if m != nil {
		return fmt.Errorf("it lacks migration %d (%s): stop every foyer that uses it and run foyer db migrate, or use the foyer from before", m.Version, m.Name)
	}
	all, err := List(ctx, e, from)
	if n := Pending(all); err == nil && n > 0 && n < len(all) {
		err = fmt.Errorf("it lacks migrations: %d. Start the service with this foyer or run foyer db migrate, or use the foyer from before", n)
	}
	return err
}

// pendingMarked returns the first pending migration that is marked, or nil. It returns nil for a new database, which no process of
// an earlier version can use.
func pendingMarked(ctx context.Context, e db.Engine, from db.Querier) (*Migration, error) {
	all, err := List(ctx, e, from)
	if err != nil || Pending(all) == len(all) {
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
	text, err := files.ReadFile(fmt.Sprintf("%05d_%s.sql", m.Version, m.Name))
	return slices.Contains(strings.Split(string(text), "\n"), exclusiveMark), err
}
