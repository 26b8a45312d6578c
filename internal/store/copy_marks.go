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
	goingTo = "moving to "
	goneTo  = "moved to "
	goesOn  = `DELETE FROM changes WHERE topic LIKE 'moving to %' OR topic LIKE 'moved to %'`
)

// goes is the statement that notes where a database goes.
func goes(how, where string) string {
	return `INSERT INTO changes (topic, version) VALUES ('` + strings.ReplaceAll(how+where, `'`, `''`) + `', 1)`
}

// notes asks for where a database goes or went.
const notes = `SELECT topic FROM changes WHERE topic LIKE 'moving to %' OR topic LIKE 'moved to %'`

// A row among the changes marks an unfinished copy. It comes before the first copied row and goes after the last.
const (
	copyBegins = `INSERT INTO changes (topic, version) VALUES ('copying', 1)`
	copyEnds   = `DELETE FROM changes WHERE topic = 'copying'`
)

// copying says whether a database is an unfinished copy.
func copying(ctx context.Context, from asker) (unfinished bool, err error) {
	var rows int
	err = from.QueryRowContext(ctx, `SELECT count(*) FROM changes WHERE topic = 'copying'`).Scan(&rows)
	return rows > 0, err
}

// isUsable refuses an unfinished copy, whose leads are not all there, and a database that was moved elsewhere.
func isUsable(ctx context.Context, from asker) error {
	unfinished, err := copying(ctx, from)
	switch {
	case err != nil:
		return err
	case unfinished:
		return errors.New("it is a copy that is not finished; the same foyer db copy does it again")
	}
	return stays(ctx, from)
}

// moveState is where a database goes or went, and which of the two; both are "" where it stays.
func moveState(ctx context.Context, from asker) (how, where string, err error) {
	all, err := collect(ctx, from, single[string], notes)
	if err != nil || len(all) == 0 {
		return "", "", err
	}
	how, where = understood(all[0])
	return how, where, nil
}

func understood(note string) (how, where string) {
	for _, how := range []string{goingTo, goneTo} {
		if where, found := strings.CutPrefix(note, how); found {
			return how, where
		}
	}
	return "", ""
}

// stays refuses a database that has gone elsewhere, and says where and what to do.
func stays(ctx context.Context, from asker) error {
	how, where, err := moveState(ctx, from)
	if err != nil {
		return err
	}
	return errMoved(how, where)
}

func errMoved(how, where string) error {
	switch how {
	case goneTo:
		return fmt.Errorf("it was moved to %s: use that one. foyer db reopen has this one used again, without what is new there", where)
	case goingTo:
		return fmt.Errorf("it is being copied to %s. Where that copy was killed, the same foyer db copy does it again, and foyer db reopen gives it up", where)
	}
	return nil
}

// placeOf names a database so that it is found from any folder, without a password.
func placeOf(e engine) string {
	if f, file := e.(*sqliteFile); file {
		if path, err := filepath.Abs(f.path); err == nil {
			return "sqlite:" + path
		}
	}
	return e.String()
}

// markSource marks the source as moving before the snapshot is taken, so that a process that opens it meanwhile is refused instead of
// waiting for the end and writing then.
func (c *copier) markSource() error {
	list, err := stepsOf(c.ctx, c.source)
	if err != nil {
		return err
	}
	if err := upToDate(c.source, list); err != nil {
		return err
	}
	reads, err := c.source.read()
	if err != nil {
		return cannotOpen(c.source, err)
	}
	defer reads.Close()
	unfinished, err := copying(c.ctx, reads)
	if err != nil {
		return err
	}
	if unfinished {
		return fmt.Errorf("%s is itself a copy that is not finished", c.source)
	}
	how, where, err := moveState(c.ctx, reads)
	if err != nil {
		return err
	}
	c.movingTo = where
	switch {
	case how == goneTo && where == placeOf(c.target):
		return nil // by an earlier run, which this one verifies
	case how == goneTo:
		return fmt.Errorf("%s was moved to %s: copy that one, or have this one used again with foyer db reopen", c.source, where)
	}
	if err := note(c.ctx, c.source, goesOn, goes(goingTo, placeOf(c.target))); err != nil {
		return fmt.Errorf("%s cannot be marked as moving: %s", c.source, plain(err))
	}
	c.closers = append(c.closers, c.unmarkSource)
	return stillAlone(c.ctx, c.source) // a service that opened the source before the mark does not know of it, but holds the lock by now
}

// unmarkSource marks the source as moved after a complete copy, and takes the mark away after any other. A source that was moving
// before keeps that mark: the earlier copy may be complete, and in use.
func (c *copier) unmarkSource() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second) // the caller's context may have ended
	defer cancel()
	statements := []string{goesOn}
	switch {
	case c.complete:
		statements = append(statements, goes(goneTo, placeOf(c.target)))
	case c.movingTo != "":
		statements = append(statements, goes(goingTo, c.movingTo))
	}
	if err := note(ctx, c.source, statements...); err != nil {
		return fmt.Errorf("%s is still marked as moving: %s", c.source, plain(err))
	}
	return nil
}

// note runs statements on a database that is otherwise left alone.
func note(ctx context.Context, e engine, statements ...string) error {
	f, err := e.fill(ctx)
	if err != nil {
		return err
	}
	return errors.Join(f.do(ctx, statements...), f.close())
}

// Reopen has a database used again that was moved, or was being moved when the copy was killed. It says where it had gone;
// "" where it had not.
func Reopen(ctx context.Context, database string) (where string, err error) {
	e, err := engineFor(database)
	if err != nil {
		return "", err
	}
	list, err := stepsOf(ctx, e)
	if err == nil {
		err = upToDate(e, list)
	}
	if err != nil {
		return "", err
	}
	defer e.releaseInstance()
	if err := alone(ctx, e); err != nil {
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
	return where, note(ctx, e, goesOn)
}
