package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Copied is a table that is the same on both sides.
type Copied struct {
	Table   string
	Rows    int64
	Written int64  // in this run; fewer than Rows where an earlier one was stopped
	Hash    string // SHA-256 over all rows in the order of their key
}

// Copying is how far a copy has come.
type Copying struct {
	Table string
	Rows  int64 // so far
	Of    int64
	Again bool // what was written is being read again
}

// CopyTo copies everything that lasts from one database to another, whichever engines they have, and holds every row of
// one against the other. A copy that was stopped goes on where it stopped. Nobody writes to the source until the end, nor
// after a good one; no service starts on the target before. A target that holds anything else is left as it is.
func CopyTo(ctx context.Context, from, to string, tell func(Copying)) (done []Copied, err error) {
	source, err := engineFor(from)
	if err != nil {
		return nil, err
	}
	target, err := engineFor(to)
	if err != nil {
		return nil, err
	}
	c := &transfer{ctx: ctx, source: source, target: target, report: tell}
	for _, step := range []func() error{c.acquireBoth, c.markSource, c.lockSource, c.makeTarget, c.inspectTarget, c.resume, c.copyAll, c.verify, c.finish} {
		if err = step(); err != nil {
			break
		}
	}
	return c.done, errors.Join(err, c.close())
}

// transfer is a copy under way.
type transfer struct {
	ctx      context.Context
	source   engine
	target   engine
	report     func(Copying)
	snapshot *snapshot  // the source
	writer   bulkWriter // of the target
	readPool querier    // on the target, as it is at each moment
	closers     []func() error
	partial     bool             // the target has a part already
	compareOnly    bool             // the target was whole before, so that nothing may be written
	resumed    map[string]int64 // the tables of which the target had a part, with what this run added to them
	tables    []*tableCopy
	done     []Copied
	complete  bool   // all of it is there
	earlierTarget  string // where the source was going before, in a copy that was killed
}

// acquireBoth makes sure of both sides: that they are two, that they can be reached, and that no service is there.
func (c *transfer) acquireBoth() error {
	if c.source.same(c.target) {
		return fmt.Errorf("both are %s: there is nothing to copy", c.source)
	}
	var none errMissing
	if err := mustExist(c.ctx, c.source); errors.As(err, &none) {
		return fmt.Errorf("there is nothing to copy at %s", c.source)
	} else if err != nil {
		return err
	}
	if err := mustExist(c.ctx, c.target); err != nil && !errors.As(err, &none) {
		return err
	}
	for _, e := range []engine{c.source, c.target} {
		c.closers = append(c.closers, e.releaseInstance)
		if err := requireExclusive(c.ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// requireExclusive asks for a while: a server takes a moment to see that somebody has gone. It lets go in between, so that of two
// copies that begin at once one can go on.
func requireExclusive(ctx context.Context, e engine) error { return pollExclusive(ctx, e, e.releaseInstance) }

// recheckExclusive asks once more, and keeps its place meanwhile.
func recheckExclusive(ctx context.Context, e engine) error {
	return pollExclusive(ctx, e, func() error { return nil })
}

func pollExclusive(ctx context.Context, e engine, between func() error) error {
	for tries := 0; ; tries++ {
		alone, err := e.acquireInstance()
		switch {
		case err != nil:
			return cannotOpen(e, err)
		case alone:
			return nil
		case tries == 5 || ctx.Err() != nil || between() != nil:
			return fmt.Errorf("a service is on %s, or another copy: stop it first", e)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// lockSource keeps the source as it is until the end.
func (c *transfer) lockSource() error {
	now, err := c.source.snapshot(c.ctx, true)
	if err != nil {
		return fmt.Errorf("%s cannot be held still: somebody writes to it: %w", c.source, err)
	}
	c.snapshot, c.closers = now, append(c.closers, now.close)
	return nil
}

// checkSourceVersion refuses a source with other tables than ours.
func (c *transfer) checkSourceVersion() error {
	list, err := migrationsOf(c.ctx, c.source)
	if err != nil {
		return err
	}
	return checkUpToDate(c.source, list)
}

// interrupted says where a copy ended, and how to go on.
func interrupted(e engine, err error) error {
	return fmt.Errorf("%s: %w; the same command goes on where this one stopped", e, err)
}

// close lets go of everything, the last thing first.
func (c *transfer) close() error {
	var errs []error
	for i := len(c.closers) - 1; i >= 0; i-- {
		errs = append(errs, c.closers[i]())
	}
	return errors.Join(errs...)
}
