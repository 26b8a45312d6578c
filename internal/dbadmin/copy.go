package dbadmin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/store/migrations"
)

// Copied is a table that holds the same rows on both sides.
type Copied struct {
	Table   string
	Rows    int64
	Written bool   // in this run
	Hash    string // SHA-256 over all rows in key order
}

// copyBatch is how many rows are written in one transaction. Tests set fewer.
var copyBatch = 4000

// CopyTo copies every table that lasts from one database into another, empty one, on either engine, then reads the target back and
// compares row counts and hashes. A copy that was interrupted starts again from the beginning. The source is not written to meanwhile,
// nor after a complete copy, and no service starts on the target before it is complete.
func CopyTo(ctx context.Context, from, to string, watch db.Watch) (done []Copied, err error) {
	source, err := store.EngineFor(from)
	if err != nil {
		return nil, err
	}
	target, err := store.EngineFor(to)
	if err != nil {
		return nil, err
	}
	c := &copier{ctx: ctx, source: source, target: target, watch: watch}
	for _, step := range []func() error{c.acquire, c.markSource, c.holdSource, c.openTarget, c.prepareTarget, c.copyTables, c.finish} {
		if err = step(); err != nil {
			return nil, errors.Join(err, c.close())
		}
	}
	return c.done, c.close()
}

// copier is a copy in progress.
type copier struct {
	ctx           context.Context
	source        db.Engine
	target        db.Engine
	watch         db.Watch
	snapshot      *db.Snapshot  // of the source
	reads         db.Querier    // on the target
	writes        db.BulkWriter // on the target
	closers       []func() error
	earlierTarget string // where the source was moving before this run
	verify        bool   // the target is complete already: compare, and write nothing
	complete      bool
	done          []Copied
}

// acquire makes sure that there are two databases, that both can be reached, and that no service uses either.
func (c *copier) acquire() error {
	if c.source.Same(c.target) {
		return fmt.Errorf("both are %s: there is nothing to copy", c.source)
	}
	var none db.ErrMissing
	if err := c.source.Exists(c.ctx); errors.As(err, &none) {
		return fmt.Errorf("there is nothing to copy at %s", c.source)
	} else if err != nil {
		return err
	}
	if err := c.target.Exists(c.ctx); err != nil && !errors.As(err, &none) {
		return err
	}
	for _, e := range []db.Engine{c.source, c.target} {
		c.closers = append(c.closers, e.ReleaseInstance)
		if err := requireExclusive(c.ctx, e, e.ReleaseInstance); err != nil {
			return err
		}
	}
	return nil
}

// requireExclusive takes the instance lock and waits a moment until no other process holds it: a server needs a moment to notice
// that a client has gone. It calls between after each failed try. Where that releases the lock, of two copies that start at once one
// can go on.
func requireExclusive(ctx context.Context, e db.Engine, between func() error) error {
	for tries := 0; ; tries++ {
		alone, err := e.AcquireInstance()
		switch {
		case err != nil:
			return db.CannotOpen(e, err)
		case alone:
			return nil
		case tries == 5 || ctx.Err() != nil || between() != nil:
			return fmt.Errorf("a service is on %s, or another copy: stop it first", e)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// holdSource opens a snapshot of the source and keeps others from writing to it until the end.
func (c *copier) holdSource() error {
	now, err := c.source.Snapshot(c.ctx, migrations.Tables...)
	if err != nil {
		return fmt.Errorf("%s cannot be held still: somebody writes to it: %w", c.source, err)
	}
	c.snapshot, c.closers = now, append(c.closers, now.Close)
	return nil
}

// openTarget creates missing tables and opens the target. Tables of an earlier version are only migrated while they hold no lead.
func (c *copier) openTarget() error {
	list, err := migrations.Of(c.ctx, c.target)
	if err != nil {
		return err
	}
	mayMigrate := migrations.Pending(list) == len(list)
	if !mayMigrate && migrations.Pending(list) > 0 {
		if mayMigrate, err = c.hasNoLeads(); err != nil {
			return err
		}
	}
	if mayMigrate {
		err = migrations.Apply(c.ctx, c.target)
	} else {
		err = migrations.CheckUpToDate(c.target, list)
	}
	if err != nil {
		return db.CannotOpen(c.target, err)
	}
	reads, err := c.target.Read()
	if err != nil {
		return db.CannotOpen(c.target, err)
	}
	c.reads, c.closers = reads, append(c.closers, reads.Close)
	if c.writes, err = c.target.BulkWriter(c.ctx); err != nil {
		return db.CannotOpen(c.target, err)
	}
	c.closers = append(c.closers, c.writes.Close)
	return nil
}

func (c *copier) hasNoLeads() (bool, error) {
	db, err := c.target.Read()
	if err != nil {
		return false, err
	}
	defer db.Close()
	if exists, err := c.target.HasTable(c.ctx, db, "leads"); err != nil || !exists {
		return err == nil, err
	}
	return isEmpty(c.ctx, db, migrations.Tables[:1])
}

// prepareTarget clears an empty target, or what an interrupted copy left, and marks it as unfinished. Anything else stays as it is:
// it is compared where the marks say that it is the other side of a complete copy, and refused otherwise.
func (c *copier) prepareTarget() error {
	moved, err := migrations.ReadMove(c.ctx, c.reads)
	if err != nil {
		return err
	}
	if moved.To != "" && moved.To != c.source.Name() {
		return fmt.Errorf("%s was itself moved to %s; foyer db reopen has it used again", c.target, moved.To)
	}
	unfinished, err := migrations.IsPartialCopy(c.ctx, c.reads)
	if err != nil {
		return err
	}
	empty, err := isEmpty(c.ctx, c.reads, migrations.Tables)
	switch {
	case err != nil:
		return err
	case unfinished || empty:
		return c.writes.ExecAll(c.ctx, append(c.target.ClearTables(migrations.Tables), migrations.UnmarkCopying, migrations.MarkCopying)...)
	case moved.To != "" || c.earlierTarget == c.target.Name():
		c.verify = true
		return nil
	}
	return fmt.Errorf("%s holds other data. Copy into an empty database", c.target)
}

// isEmpty says that tables hold no rows. Consent texts and key ids do not count, nor does the audit of key ids: a service that was
// started once wrote its own.
func isEmpty(ctx context.Context, from db.Querier, of []db.Table) (bool, error) {
	for _, s := range of {
		if s.Name == "consent_texts" || s.Name == "keys" {
			continue
		}
		those := s.Name
		if s.Name == "audit" {
			those += ` WHERE action NOT LIKE 'keys.%'`
		}
		var rows int
		if err := from.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM `+those+` LIMIT 1) AS one`).Scan(&rows); err != nil || rows > 0 {
			return false, err
		}
	}
	return true, nil
}

// copyTables copies each table and reads it back.
func (c *copier) copyTables() error {
	for _, s := range migrations.Tables {
		p := db.Progress{What: "copying " + s.Name, Unit: "rows"}
		if err := c.snapshot.QueryRowContext(c.ctx, `SELECT count(*) FROM `+s.Name).Scan(&p.Of); err != nil {
			return fmt.Errorf("%s: %w", c.source, err)
		}
		rows, hash, err := c.copyTable(s, p)
		if err != nil {
			return err
		}
		p.What = "verifying " + s.Name
		there, found, err := c.hashRows(c.reads, s, p, func([]any) error { return nil })
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", c.target, err)
		case c.verify && (there != rows || found != hash):
			return fmt.Errorf("%s holds other data: its table %s differs. Copy into an empty database", c.target, s.Name)
		case there != rows || found != hash:
			return fmt.Errorf("%s: %s has %d rows, sha256 %s; %s has %d, sha256 %s. The same command copies everything again", s.Name, c.source, rows, hash, c.target, there, found)
		}
		c.done = append(c.done, Copied{Table: s.Name, Rows: rows, Written: !c.verify && rows > 0, Hash: hash})
	}
	return nil
}

// copyTable writes the rows of the source to the target in batches, and hashes them on the way.
func (c *copier) copyTable(s db.Table, p db.Progress) (rows int64, hash string, err error) {
	var batch [][]any
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		if err := c.writes.Put(c.ctx, s, batch); err != nil {
			return fmt.Errorf("%s: %w", c.target, err)
		}
		batch = batch[:0]
		return nil
	}
	rows, hash, err = c.hashRows(c.snapshot, s, p, func(r []any) error {
		switch {
		case c.verify:
			return nil
		case db.CheckText(r) != nil:
			return fmt.Errorf("a row of %s holds a text with a NUL or invalid UTF-8, which cannot be copied; foyer db check names the lead", s.Name)
		}
		if batch = append(batch, r); len(batch) < copyBatch {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	return rows, hash, err
}

// hashRows reads a table in key order.
func (c *copier) hashRows(from db.Querier, s db.Table, p db.Progress, do func([]any) error) (rows int64, hash string, err error) {
	sum, line := sha256.New(), []byte(nil)
	err = db.Each(c.ctx, from, func(row db.Row) error {
		if err := normalize(s, row); err != nil {
			return err
		}
		line = appendRow(line[:0], row)
		sum.Write(line)
		if p.Done++; p.Done%int64(copyBatch) == 0 {
			c.watch.Report(p)
		}
		return do(row)
	}, selectAll(s))
	return p.Done, hex.EncodeToString(sum.Sum(nil)), errors.Join(err, c.ctx.Err())
}

// finish makes the target fit for a service: new rows are numbered after the copied ones, and what processes keep in memory is read
// again. A target that had been moved to the source is in use again.
func (c *copier) finish() error {
	statements := []string{migrations.ClearMove}
	if !c.verify {
		statements = append(c.target.AfterCopy(migrations.Tables), `UPDATE changes SET version = version + 1`, migrations.ClearMove, migrations.UnmarkCopying)
	}
	if err := c.writes.ExecAll(c.ctx, statements...); err != nil {
		return fmt.Errorf("%s: %w", c.target, err)
	}
	c.complete = true
	return nil
}

// close releases everything, the last acquired first.
func (c *copier) close() error {
	var errs []error
	for i := len(c.closers) - 1; i >= 0; i-- {
		errs = append(errs, c.closers[i]())
	}
	return errors.Join(errs...)
}
