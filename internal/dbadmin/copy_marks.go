package dbadmin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/store/migrations"
)

// markSource marks the source as moving before the snapshot is taken, so that a process that opens it meanwhile is refused instead of
// waiting for the end and writing then.
func (c *copier) markSource() error {
	list, err := migrations.Of(c.ctx, c.source)
	if err != nil {
		return err
	}
	if err := migrations.CheckUpToDate(c.source, list); err != nil {
		return err
	}
	reads, err := c.source.Read()
	if err != nil {
		return db.CannotOpen(c.source, err)
	}
	defer reads.Close()
	unfinished, err := migrations.IsPartialCopy(c.ctx, reads)
	if err != nil {
		return err
	}
	if unfinished {
		return fmt.Errorf("%s is itself a copy that is not finished", c.source)
	}
	moved, err := migrations.ReadMove(c.ctx, reads)
	if err != nil {
		return err
	}
	c.earlierTarget = moved.To
	switch {
	case moved.Done && moved.To == c.target.Name():
		return nil // by an earlier run, which this one verifies
	case moved.Done:
		return fmt.Errorf("%s was moved to %s: copy that one, or have this one used again with foyer db reopen", c.source, moved.To)
	}
	if err := execStatements(c.ctx, c.source, migrations.ClearMove, migrations.Move{To: c.target.Name()}.Record()); err != nil {
		return fmt.Errorf("%s cannot be marked as moving: %s", c.source, db.OneLine(err))
	}
	c.closers = append(c.closers, c.unmarkSource)
	keepLock := func() error { return nil }
	return requireExclusive(c.ctx, c.source, keepLock) // a service that opened the source before the mark does not know of it, but holds the lock by now
}

// unmarkSource marks the source as moved after a complete copy, and takes the mark away after any other. A source that was moving
// before keeps that mark: the earlier copy may be complete, and in use.
func (c *copier) unmarkSource() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second) // the caller's context may have ended
	defer cancel()
	statements := []string{migrations.ClearMove}
	switch {
	case c.complete:
		statements = append(statements, migrations.Move{Done: true, To: c.target.Name()}.Record())
	case c.earlierTarget != "":
		statements = append(statements, migrations.Move{To: c.earlierTarget}.Record())
	}
	if err := execStatements(ctx, c.source, statements...); err != nil {
		return fmt.Errorf("%s is still marked as moving: %s", c.source, db.OneLine(err))
	}
	return nil
}

// execStatements runs statements on a database that is otherwise left alone.
func execStatements(ctx context.Context, e db.Engine, statements ...string) error {
	f, err := e.BulkWriter(ctx)
	if err != nil {
		return err
	}
	return errors.Join(f.ExecAll(ctx, statements...), f.Close())
}

// Reopen makes a database usable again that was moved, or was being moved when the copy was killed. It returns where it had gone,
// or "".
func Reopen(ctx context.Context, database string) (where string, err error) {
	e, err := store.EngineFor(database)
	if err != nil {
		return "", err
	}
	list, err := migrations.Of(ctx, e)
	if err == nil {
		err = migrations.CheckUpToDate(e, list)
	}
	if err != nil {
		return "", err
	}
	defer e.ReleaseInstance()
	if err := requireExclusive(ctx, e, e.ReleaseInstance); err != nil {
		return "", err
	}
	pool, err := e.Read()
	if err != nil {
		return "", db.CannotOpen(e, err)
	}
	defer pool.Close()
	moved, err := migrations.ReadMove(ctx, pool)
	if err != nil || moved.To == "" {
		return "", err
	}
	return moved.To, execStatements(ctx, e, migrations.ClearMove)
}
