package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Copied is a table that is identical in both databases.
type Copied struct {
	Table   string
	Rows    int64
	Written int64  // by this run; fewer than Rows if an earlier run was stopped
	Hash    string // SHA-256 of all rows in key order
}

// Copying is the progress of a copy.
type Copying struct {
	Table string
	Rows  int64 // so far
	Of    int64
	Again bool // the copied rows are being verified
}

// CopyTo copies all durable data from one database to another, whichever engines they have, and compares every row of both. A
// copy that was stopped resumes where it stopped. The source accepts no writes during the copy, nor after a successful one, and
// no service starts on the target before the copy is complete. A target that holds other data is left unchanged.
func CopyTo(ctx context.Context, from, to string, report func(Copying)) (done []Copied, err error) {
	source, err := engineFor(from)
	if err != nil {
		return nil, err
	}
	target, err := engineFor(to)
	if err != nil {
		return nil, err
	}
	c := &transfer{ctx: ctx, source: source, target: target, report: report}
	for _, step := range []func() error{c.acquireBoth, c.markSource, c.lockSource, c.makeTarget, c.inspectTarget, c.resume, c.copyAll, c.verify, c.finish} {
		if err = step(); err != nil {
			break
		}
	}
	return c.done, errors.Join(err, c.close())
}

// transfer is a running copy.
type transfer struct {
	ctx           context.Context
	source        engine
	target        engine
	report        func(Copying)
	snapshot      *snapshot  // of the source
	writer        bulkWriter // for the target
	readPool      asker      // of the target, outside of any snapshot
	closers       []func() error
	partial       bool             // the target holds part of an earlier copy
	compareOnly   bool             // the target was complete before, so no row of it may be written
	resumed       map[string]int64 // rows that this run added to each table that an earlier run began
	tables        []*tableCopy
	done          []Copied
	complete      bool   // everything was copied and verified
	earlierTarget string // the target of an earlier copy that was killed
}

// acquireBoth checks that source and target are two databases that can be reached, and takes their instance locks, which fails if
// a service uses one of them.
func (c *transfer) acquireBoth() error {
	if c.source.same(c.target) {
		return fmt.Errorf("both are %s: there is nothing to copy", c.source)
	}
	var none errMissing
	if err := present(c.ctx, c.source); errors.As(err, &none) {
		return fmt.Errorf("there is nothing to copy at %s", c.source)
	} else if err != nil {
		return err
	}
	if err := present(c.ctx, c.target); err != nil && !errors.As(err, &none) {
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

// requireExclusive retries for a while, because a server takes a moment to notice that a client is gone. It releases the lock
// between tries, so that one of two copies that start at once can continue.
func requireExclusive(ctx context.Context, e engine) error {
	return pollExclusive(ctx, e, e.releaseInstance)
}

// recheckExclusive checks again, and keeps the lock between tries.
func recheckExclusive(ctx context.Context, e engine) error {
	return pollExclusive(ctx, e, func() error { return nil })
}

func pollExclusive(ctx context.Context, e engine, between func() error) error {
	for tries := 0; ; tries++ {
		exclusive, err := e.acquireInstance()
		switch {
		case err != nil:
			return cannotOpen(e, err)
		case exclusive:
			return nil
		case tries == 5 || ctx.Err() != nil || between() != nil:
			return fmt.Errorf("a service is on %s, or another copy: stop it first", e)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// lockSource keeps the source unchanged until the end.
func (c *transfer) lockSource() error {
	snap, err := c.source.snapshot(c.ctx, true)
	if err != nil {
		return fmt.Errorf("%s cannot be held still: somebody writes to it: %w", c.source, err)
	}
	c.snapshot, c.closers = snap, append(c.closers, snap.close)
	return nil
}

// checkSourceVersion refuses a source whose migrations are not those of this program.
func (c *transfer) checkSourceVersion() error {
	list, err := migrationsOf(c.ctx, c.source)
	if err != nil {
		return err
	}
	return checkUpToDate(c.source, list)
}

// interrupted adds to err where the copy stopped and how to resume it.
func interrupted(e engine, err error) error {
	return fmt.Errorf("%s: %w; the same command goes on where this one stopped", e, err)
}

// close runs the closers, the last one first.
func (c *transfer) close() error {
	var errs []error
	for i := len(c.closers) - 1; i >= 0; i-- {
		errs = append(errs, c.closers[i]())
	}
	return errors.Join(errs...)
}
