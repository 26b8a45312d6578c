package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// A row of the source's table changes says where the database is moving. While a copy runs, or after one was killed, the row
// starts with movingTo; after a successful copy, with movedTo. The source accepts no writes in either state, because they would
// not reach the copy.
const (
	movingTo  = "moving to "
	movedTo   = "moved to "
	clearMove = `DELETE FROM changes WHERE topic LIKE 'moving to %' OR topic LIKE 'moved to %'`
)

// insertMove is the statement that records where a database is moving.
func insertMove(state, where string) string {
	return `INSERT INTO changes (topic, version) VALUES ('` + strings.ReplaceAll(state+where, `'`, `''`) + `', 1)`
}

// moveQuery asks where a database is moving or has moved.
const moveQuery = `SELECT topic FROM changes WHERE topic LIKE 'moving to %' OR topic LIKE 'moved to %'`

// moveState returns the target of a move and whether it is running (movingTo) or complete (movedTo); both are "" if there is no
// move.
func moveState(ctx context.Context, from asker) (state, where string, err error) {
	all, err := collect(ctx, from, single[string], moveQuery)
	if err != nil || len(all) == 0 {
		return "", "", err
	}
	state, where = parseMove(all[0])
	return state, where, nil
}

func parseMove(topic string) (state, where string) {
	for _, state := range []string{movingTo, movedTo} {
		if where, found := strings.CutPrefix(topic, state); found {
			return state, where
		}
	}
	return "", ""
}

// checkNotMoved refuses a database that is moving or has moved, and says where to and what to do.
func checkNotMoved(ctx context.Context, from asker) error {
	state, where, err := moveState(ctx, from)
	if err != nil {
		return err
	}
	return errMoved(state, where)
}

func errMoved(state, where string) error {
	switch state {
	case movedTo:
		return fmt.Errorf("it was moved to %s: use that one. foyer db reopen has this one used again, without what is new there", where)
	case movingTo:
		return fmt.Errorf("it is being copied to %s. Where that copy was killed, the same foyer db copy goes on, and foyer db reopen gives it up", where)
	}
	return nil
}

// absoluteName names a database so that it can be found from any directory, without a password.
func absoluteName(e engine) string {
	if f, file := e.(*sqliteFile); file {
		if path, err := filepath.Abs(f.path); err == nil {
			return "sqlite:" + path
		}
	}
	return e.String()
}

// markSource marks the source before locking it. A process that wants to write is then refused, instead of waiting for the end of
// the copy and writing after it.
func (c *transfer) markSource() error {
	if err := c.checkSourceVersion(); err != nil {
		return err
	}
	db, err := c.source.read()
	if err != nil {
		return cannotOpen(c.source, err)
	}
	defer db.Close()
	partial, err := isPartialCopy(c.ctx, db)
	state, where, moveErr := moveState(c.ctx, db)
	switch {
	case err != nil || moveErr != nil:
		return errors.Join(err, moveErr)
	case partial:
		return fmt.Errorf("%s is itself a copy that is not finished", c.source)
	case state == movedTo && where == absoluteName(c.target):
		return nil // by an earlier run; this one verifies the copy
	case state == movedTo:
		return fmt.Errorf("%s was moved to %s: copy that one, or have this one used again with foyer db reopen", c.source, where)
	}
	c.earlierTarget = where
	if err := execStatements(c.ctx, c.source, clearMove, insertMove(movingTo, absoluteName(c.target))); err != nil {
		return fmt.Errorf("%s cannot be marked as moving: %s", c.source, plain(err))
	}
	c.closers = append(c.closers, c.unmarkSource)
	// A service that started before the mark does not know of the mark, but holds its instance lock by now.
	return recheckExclusive(c.ctx, c.source)
}

// unmarkSource ends the mark: the source has moved, or is usable again because the copy stopped. If an earlier copy had marked
// the source as moving, that mark is restored: the earlier target may be in use.
func (c *transfer) unmarkSource() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second) // the context of the copy may be canceled
	defer cancel()
	statements := []string{clearMove}
	switch {
	case c.complete:
		statements = append(statements, insertMove(movedTo, absoluteName(c.target)))
	case c.earlierTarget != "":
		statements = append(statements, insertMove(movingTo, c.earlierTarget))
	}
	if err := execStatements(ctx, c.source, statements...); err != nil {
		return fmt.Errorf("%s is still marked as moving: %s", c.source, plain(err))
	}
	return nil
}

// execStatements runs statements on a database that is not open otherwise.
func execStatements(ctx context.Context, e engine, statements ...string) error {
	w, err := e.openBulkWriter(ctx)
	if err != nil {
		return err
	}
	return errors.Join(w.execAll(ctx, statements...), w.close())
}

// Reopen makes a database usable again that was moved, or whose copy was killed. It returns where the database had moved, or ""
// if it had not.
func Reopen(ctx context.Context, database string) (where string, err error) {
	e, err := engineFor(database)
	if err != nil {
		return "", err
	}
	list, err := migrationsOf(ctx, e)
	if err == nil {
		err = checkUpToDate(e, list)
	}
	if err != nil {
		return "", err
	}
	defer e.releaseInstance()
	if err := requireExclusive(ctx, e); err != nil {
		return "", err
	}
	db, err := e.read()
	if err != nil {
		return "", cannotOpen(e, err)
	}
	defer db.Close()
	if _, where, err = moveState(ctx, db); err != nil || where == "" {
		return "", err
	}
	return where, execStatements(ctx, e, clearMove)
}

// A copy starts only if no service holds the instance lock. But a service can lose that lock for a while, when its connection or
// disk fails, and an operator's command never holds it. Neither may write to a database that was copied meanwhile: the write
// would not reach the copy.

// noticeMove stops accepting writes once the database is moving. If the copy fails, the service continues.
func (s *Store) noticeMove(ctx context.Context, from asker) {
	state, where, err := moveState(ctx, from)
	if err != nil {
		return // the other reads of a refresh report this error
	}
	wasGone, now := s.gone.Load(), errMoved(state, where)
	if now == nil {
		s.gone.Store(nil)
		return
	}
	if wasGone == nil {
		s.log.Error("nothing is taken any more: the database has gone elsewhere", "cause", now)
	}
	s.gone.Store(&now)
}

// checkNotMoved returns why a writer must not write. It runs on the writer's own connection after that was down, and at the end
// of each transaction of a command. By then a copy has either marked the database or waits for the transaction to end.
func (w *writer) checkNotMoved() (moved error) {
	_, err := w.hand.queryRow(moveQuery, nil, func(r row) { moved = errMoved(parseMove(r.text(0))) })
	return errors.Join(err, moved)
}
