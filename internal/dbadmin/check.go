package dbadmin

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/store/leadcounts"
	"foyer/internal/store/migrations"
	"foyer/internal/store/postgres"
)

const (
	restoreDatabase = "stop the service, and bring the database back from a backup"
	restoreRow      = "bring its row back from a backup"
)

// Check looks for damage and inconsistencies and reports each finding as it comes. It reads one snapshot while a service may keep
// writing, and holds only a few rows in memory. It returns how many leads it checked. watch receives the progress.
func Check(ctx context.Context, database string, watch db.Watch, report func(db.Finding)) (leads int64, err error) {
	e, err := store.ExistingEngine(ctx, database)
	if err != nil {
		return 0, err
	}
	c := &checkRun{ctx: ctx, engine: e, report: report, watch: watch}
	if c.snap, err = e.Snapshot(ctx); err != nil {
		return 0, db.CannotOpen(e, err)
	}
	defer func() { c.snap.Close() }() // the last one
	all, err := migrations.List(ctx, e, c.snap)
	if err != nil {
		return 0, err
	}
	if err := migrations.CheckUpToDate(e, all); err != nil {
		return 0, err
	}
	partial, err := migrations.IsPartialCopy(ctx, c.snap)
	if err != nil {
		return 0, err
	}
	if partial {
		report(db.Finding{What: e.String() + " is a copy that is not finished", Remedy: "go on with foyer db copy; the same command as before"})
		return 0, nil
	}
	c.run()
	return c.leads, errors.Join(ctx.Err(), c.aborted)
}

// checkRun is a running check.
type checkRun struct {
	ctx     context.Context
	engine  db.Engine
	snap    *db.Snapshot
	report  func(db.Finding)
	watch   db.Watch
	leads   int64
	aborted error // the database became unavailable
}

// run runs every check. A table that cannot be read is a finding, too; the next check then gets a new snapshot.
func (c *checkRun) run() {
	c.runPart("the engine's own check", c.checkDamage)
	c.runPart("leads", c.checkLeads)
	c.runPart("buyers", c.checkBuyers)
	c.runPart("sources", c.checkSources)
	for _, rc := range rowChecks {
		c.runPart(rc.about, func() error { return c.runRowCheck(rc) })
	}
	c.runPart("counts for reports", c.checkCounts)
	c.runPart("the engine's settings", c.checkEngine)
}

func (c *checkRun) runPart(about string, check func() error) {
	if c.ctx.Err() != nil || c.aborted != nil {
		return
	}
	c.watch.Report(db.Progress{What: "checking: " + about})
	err := check()
	if err == nil || c.ctx.Err() != nil {
		return
	}
	if !c.engine.IsDamage(err) {
		c.aborted = fmt.Errorf("the check could not be finished, which says nothing about the data: %s: %s", about, db.OneLine(err))
		return
	}
	_ = c.snap.Close()
	fresh, openErr := c.engine.Snapshot(c.ctx)
	if openErr != nil {
		c.aborted = db.CannotOpen(c.engine, openErr)
		return
	}
	c.snap = fresh
	c.report(db.Finding{What: fmt.Sprintf("%s could not be looked at: %s", about, db.OneLine(err)), Remedy: "check again; where this stays, " + restoreDatabase})
}

// checkDamage runs the engine's own check for damage.
func (c *checkRun) checkDamage() error {
	if e, ok := c.engine.(*postgres.Server); ok {
		return checkPostgresDamage(c.ctx, e, c.report)
	}
	return c.checkSQLiteDamage()
}

// checkSQLiteDamage reads every page and compares every index with its table.
func (c *checkRun) checkSQLiteDamage() error {
	return db.Each(c.ctx, c.snap, func(r db.Row) error {
		for line := range strings.SplitSeq(r.Text(0), "\n") {
			if line != "" && line != "ok" && !strings.HasPrefix(line, "***") { // a heading with the name of the database
				c.report(db.Finding{What: "the file is damaged: " + line, Remedy: restoreDatabase})
			}
		}
		return nil
	}, `PRAGMA integrity_check`)
}

// checkEngine checks what only one engine can have wrong, and the settings of both.
func (c *checkRun) checkEngine() error {
	if _, ok := c.engine.(*postgres.Server); ok {
		if err := checkPostgresTables(c.ctx, c.snap, c.report); err != nil {
			return err
		}
	}
	return c.engine.CheckSettings(c.ctx, c.snap, c.report)
}

// checkCounts counts everything again that reports are made of.
func (c *checkRun) checkCounts() error {
	return leadcounts.Verify(c.ctx, c.snap, func(what, period string) {
		c.report(db.Finding{What: "counts of " + what + ", " + period + ": they are not what was counted", Remedy: recount})
	})
}

// runRowCheck reports every row of the query as a finding.
func (c *checkRun) runRowCheck(rc rowCheck) error {
	return db.Each(c.ctx, c.snap, func(r db.Row) error {
		c.report(rc.finding(r))
		return nil
	}, rc.query)
}
