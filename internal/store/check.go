package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Finding is something that is wrong with a database. It names leads by their ids and tells nothing of who sent them.
type Finding struct {
	What   string
	Remedy string
	Mild   bool // worth knowing, and no promise is broken
}

const (
	restoreDatabase = "stop the service, and bring the database back from a backup"
	restoreRow      = "bring its row back from a backup"
)

// Check looks for damage and for broken promises, and tells each finding as it comes. It sees the database as it is at one
// moment, beside a service that works on it, and keeps no more of it in memory than a few rows. It says how many leads it
// looked at. One who watches is told how far it is.
func Check(ctx context.Context, database string, report func(Finding), watch ...Watch) (leads int64, err error) {
	e, err := engineFor(database)
	if err != nil {
		return 0, err
	}
	if err := present(ctx, e); err != nil {
		return 0, err
	}
	c := &checkRun{ctx: ctx, engine: e, report: report, watch: watching(watch), wantsTotal: len(watch) > 0}
	if err := c.openSnapshot(); err != nil {
		return 0, cannotOpen(e, err)
	}
	defer c.closeSnapshot()
	applied, err := listMigrations(ctx, e, c.snap)
	if err != nil {
		return 0, err
	}
	if err := checkUpToDate(e, applied); err != nil {
		return 0, err
	}
	partial, err := isPartialCopy(ctx, c.snap)
	if err != nil {
		return 0, err
	}
	if partial {
		report(Finding{What: e.String() + " is a copy that is not finished", Remedy: "go on with foyer db copy; the same command as before"})
		return 0, nil
	}
	c.run()
	return c.leads, errors.Join(ctx.Err(), c.aborted)
}

// checkRun is a check under way.
type checkRun struct {
	ctx        context.Context
	engine     engine
	snap       *snapshot
	report     func(Finding)
	watch      Watch
	wantsTotal bool // somebody wants to know how many leads there are to look at
	leads      int64
	aborted    error // the database went away, or does not answer
}

func (c *checkRun) openSnapshot() error {
	now, err := c.engine.snapshot(c.ctx, false)
	if err == nil {
		c.snap = now
	}
	return err
}

func (c *checkRun) closeSnapshot() { _ = c.snap.close() }

// run asks everything. What cannot be read is a finding, too, and the next question gets a fresh moment.
func (c *checkRun) run() {
	c.runPart("the engine's own check", func() error { return c.engine.checkDamage(c.ctx, c.snap, c.report) })
	c.runPart("leads", c.checkLeads)
	c.runPart("buyers", c.checkBuyers)
	for _, rc := range rowChecks {
		c.runPart(rc.about, func() error { return c.runRowCheck(rc) })
	}
	c.runPart("the engine's settings", func() error { return c.engine.checkEngine(c.ctx, c.snap, c.report) })
}

func (c *checkRun) runPart(about string, check func() error) {
	if c.ctx.Err() != nil || c.aborted != nil {
		return
	}
	c.watch(Progress{What: "checking: " + about})
	err := check()
	if err == nil || c.ctx.Err() != nil {
		return
	}
	if isUnavailable(c.engine, err) {
		c.aborted = fmt.Errorf("the check could not be finished, which says nothing about the data: %s: %s", about, plain(err))
		return
	}
	c.closeSnapshot()
	if again := c.openSnapshot(); again != nil {
		c.aborted = cannotOpen(c.engine, again)
		return
	}
	c.report(Finding{What: fmt.Sprintf("%s could not be looked at: %s", about, plain(err)), Remedy: "check again; where this stays, " + restoreDatabase})
}

// isUnavailable tells a question that was given up or not allowed, and a database that went away, from what cannot be read.
func isUnavailable(e engine, err error) bool {
	var file *sqlite.Error
	if errors.As(err, &file) {
		switch file.Code() & 0xff {
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR:
			return false
		}
	}
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) {
		switch {
		case strings.HasPrefix(pgErr.Code, "XX"), strings.HasPrefix(pgErr.Code, "58"): // damaged; a file that cannot be read
			return false
		case pgErr.Code == "42501": // no right to read it
			return true
		}
	}
	storage, _ := e.classify(err)
	return storage
}

// runRowCheck puts a question whose every answer is a finding.
func (c *checkRun) runRowCheck(rc rowCheck) error {
	rows, err := c.snap.QueryContext(c.ctx, rc.query)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	cells, into := make([]string, len(columns)), make([]any, len(columns))
	for i := range cells {
		into[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		c.report(rc.finding(cells))
	}
	return rows.Err()
}
