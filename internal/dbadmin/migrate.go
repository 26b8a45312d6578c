package dbadmin

import (
	"context"
	"time"

	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/store/migrations"
)

// Migrate applies the pending migrations, creates the tables if there are none, and returns what it applied. watch
// receives the progress, if it is not nil.
func Migrate(ctx context.Context, database string, watch db.Watch) (done []migrations.Migration, err error) {
	e, err := store.EngineFor(database)
	if err != nil {
		return nil, err
	}
	before, err := migrations.Of(ctx, e)
	if err != nil {
		return nil, err
	}
	if migrations.Pending(before) > 0 && watch != nil {
		defer watchMigrations(ctx, e, migrations.Pending(before), watch)()
	}
	if err := migrations.Apply(ctx, e); err != nil {
		return nil, db.CannotOpen(e, err)
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
func watchMigrations(ctx context.Context, e db.Engine, all int, watch db.Watch) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	watch(db.Progress{What: "migrating", Of: int64(all), Unit: "migrations"})
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
			if now, err := migrations.Of(ctx, e); err == nil { // the table may not exist yet
				watch(db.Progress{What: "migrating", Done: int64(all - migrations.Pending(now)), Of: int64(all), Unit: "migrations"})
			}
		}
	}()
	return func() { cancel(); <-ended }
}
