package dbadmin

import (
	"context"
	"fmt"

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
	if n := migrations.Pending(before); n > 0 {
		watch.Report(db.Progress{What: fmt.Sprintf("applying migrations (%d)", n)})
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
