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

// moveState is where a database goes or went, and which of the two; both are "" where it stays.
func moveState(ctx context.Context, from querier) (how, where string, err error) {
	all, err := collect(ctx, from, scanOne[string], notes)
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
func stays(ctx context.Context, from querier) error {
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
		return fmt.Errorf("it is being copied to %s. Where that copy was killed, the same foyer db copy goes on, and foyer db reopen gives it up", where)
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

// claim marks the source before it is held. Whoever comes to write to it is sent away, instead of waiting for the end and
// writing then.
func (c *transfer) claim() error {
	if err := c.fit(); err != nil {
		return err
	}
	eyes, err := c.source.read()
	if err != nil {
		return cannotOpen(c.source, err)
	}
	defer eyes.Close()
	half, err := copying(c.ctx, eyes)
	how, where, unread := moveState(c.ctx, eyes)
	switch {
	case err != nil || unread != nil:
		return errors.Join(err, unread)
	case half:
		return fmt.Errorf("%s is itself a copy that is not finished", c.source)
	case how == goneTo && where == placeOf(c.target):
		return nil // by an earlier run; this one looks whether all is there
	case how == goneTo:
		return fmt.Errorf("%s was moved to %s: copy that one, or have this one used again with foyer db reopen", c.source, where)
	}
	c.earlier = where
	if err := note(c.ctx, c.source, goesOn, goes(goingTo, placeOf(c.target))); err != nil {
		return fmt.Errorf("%s cannot be marked as moving: %s", c.source, oneLine(err))
	}
	c.shut = append(c.shut, c.release)
	return stillAlone(c.ctx, c.source) // a service that came before the mark does not know of it, but is there by now
}

// release ends the claim: the source has gone, or stays where the copy stopped. One that was going before is left so: that
// copy may be in use.
func (c *transfer) release() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second) // the copy's own may have ended
	defer cancel()
	statements := []string{goesOn}
	switch {
	case c.arrived:
		statements = append(statements, goes(goneTo, placeOf(c.target)))
	case c.earlier != "":
		statements = append(statements, goes(goingTo, c.earlier))
	}
	if err := note(ctx, c.source, statements...); err != nil {
		return fmt.Errorf("%s is still marked as moving: %s", c.source, oneLine(err))
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
