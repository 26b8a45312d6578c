package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// A row among the changes of a source says where it goes. While a copy is under way, or was killed, it is going; then it
// has gone. Nobody writes to it meanwhile, nor afterwards: nobody would find what was written.
const (
	movingTo = "moving to "
	movedTo  = "moved to "
	clearMove  = `DELETE FROM changes WHERE topic LIKE 'moving to %' OR topic LIKE 'moved to %'`
)

// insertMove is the statement that notes where a database goes.
func insertMove(how, where string) string {
	return `INSERT INTO changes (topic, version) VALUES ('` + strings.ReplaceAll(how+where, `'`, `''`) + `', 1)`
}

// moveQuery asks for where a database goes or went.
const moveQuery = `SELECT topic FROM changes WHERE topic LIKE 'moving to %' OR topic LIKE 'moved to %'`

// moveState is where a database goes or went, and which of the two; both are "" where it stays.
func moveState(ctx context.Context, from querier) (how, where string, err error) {
	all, err := collect(ctx, from, scanOne[string], moveQuery)
	if err != nil || len(all) == 0 {
		return "", "", err
	}
	how, where = parseMove(all[0])
	return how, where, nil
}

func parseMove(note string) (how, where string) {
	for _, how := range []string{movingTo, movedTo} {
		if where, found := strings.CutPrefix(note, how); found {
			return how, where
		}
	}
	return "", ""
}

// checkNotMoved refuses a database that has gone elsewhere, and says where and what to do.
func checkNotMoved(ctx context.Context, from querier) error {
	how, where, err := moveState(ctx, from)
	if err != nil {
		return err
	}
	return errMoved(how, where)
}

func errMoved(how, where string) error {
	switch how {
	case movedTo:
		return fmt.Errorf("it was moved to %s: use that one. foyer db reopen has this one used again, without what is new there", where)
	case movingTo:
		return fmt.Errorf("it is being copied to %s. Where that copy was killed, the same foyer db copy goes on, and foyer db reopen gives it up", where)
	}
	return nil
}

// absoluteName names a database so that it is found from any folder, without a password.
func absoluteName(e engine) string {
	if f, file := e.(*sqliteFile); file {
		if path, err := filepath.Abs(f.path); err == nil {
			return "sqlite:" + path
		}
	}
	return e.String()
}

// markSource marks the source before it is held. Whoever comes to write to it is sent away, instead of waiting for the end and
// writing then.
func (c *transfer) markSource() error {
	if err := c.checkSourceVersion(); err != nil {
		return err
	}
	eyes, err := c.source.read()
	if err != nil {
		return cannotOpen(c.source, err)
	}
	defer eyes.Close()
	half, err := isPartialCopy(c.ctx, eyes)
	how, where, unread := moveState(c.ctx, eyes)
	switch {
	case err != nil || unread != nil:
		return errors.Join(err, unread)
	case half:
		return fmt.Errorf("%s is itself a copy that is not finished", c.source)
	case how == movedTo && where == absoluteName(c.target):
		return nil // by an earlier run; this one looks whether all is there
	case how == movedTo:
		return fmt.Errorf("%s was moved to %s: copy that one, or have this one used again with foyer db reopen", c.source, where)
	}
	c.earlierTarget = where
	if err := execStatements(c.ctx, c.source, clearMove, insertMove(movingTo, absoluteName(c.target))); err != nil {
		return fmt.Errorf("%s cannot be marked as moving: %s", c.source, oneLine(err))
	}
	c.closers = append(c.closers, c.unmarkSource)
	return recheckExclusive(c.ctx, c.source) // a service that came before the mark does not know of it, but is there by now
}

// unmarkSource ends the claim: the source has gone, or stays where the copy stopped. One that was going before is left so: that
// copy may be in use.
func (c *transfer) unmarkSource() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second) // the copy's own may have ended
	defer cancel()
	statements := []string{clearMove}
	switch {
	case c.complete:
		statements = append(statements, insertMove(movedTo, absoluteName(c.target)))
	case c.earlierTarget != "":
		statements = append(statements, insertMove(movingTo, c.earlierTarget))
	}
	if err := execStatements(ctx, c.source, statements...); err != nil {
		return fmt.Errorf("%s is still marked as moving: %s", c.source, oneLine(err))
	}
	return nil
}

// execStatements runs statements on a database that is otherwise left alone.
func execStatements(ctx context.Context, e engine, statements ...string) error {
	f, err := e.openBulkWriter(ctx)
	if err != nil {
		return err
	}
	return errors.Join(f.execAll(ctx, statements...), f.close())
}

// Reopen has a database used again that was moved, or was being moved when the copy was killed. It says where it had gone;
// "" where it had not.
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
	eyes, err := e.read()
	if err != nil {
		return "", cannotOpen(e, err)
	}
	defer eyes.Close()
	if _, where, err = moveState(ctx, eyes); err != nil || where == "" {
		return "", err
	}
	return where, execStatements(ctx, e, clearMove)
}
