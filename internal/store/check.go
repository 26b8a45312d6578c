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

// Finding is a problem with a database. It names leads by their ids and never includes personal data.
type Finding struct {
	What   string
	Remedy string
	Mild   bool // worth knowing, but no guarantee is violated
}

const (
	restoreDatabase = "stop the service, and bring the database back from a backup"
	restoreRow      = "bring its row back from a backup"
)

// Check looks for damage and inconsistencies and reports each finding as it comes. It reads one snapshot while a service may keep
// writing, and holds only a few rows in memory. It returns how many leads it checked. watch, if given, receives the progress.
func Check(ctx context.Context, database string, report func(Finding), watch ...Watch) (leads int64, err error) {
	e, err := engineFor(database)
	if err != nil {
		return 0, err
	}
	if err := mustExist(ctx, e); err != nil {
		return 0, err
	}
	c := &checkRun{ctx: ctx, engine: e, report: report, watch: progressFunc(watch), wantsTotal: len(watch) > 0}
	if err := c.openSnapshot(); err != nil {
		return 0, cannotOpen(e, err)
	}
	defer c.closeSnapshot()
	all, err := listMigrations(ctx, e, c.snap)
	if err != nil {
		return 0, err
	}
	if err := checkUpToDate(e, all); err != nil {
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

// checkRun is a running check.
type checkRun struct {
	ctx        context.Context
	engine     engine
	snap       *snapshot
	report     func(Finding)
	watch      Watch
	wantsTotal bool // the progress needs the total number of leads
	leads      int64
	aborted    error // the database became unavailable
}

func (c *checkRun) openSnapshot() error {
	snap, err := c.engine.snapshot(c.ctx, false)
	if err == nil {
		c.snap = snap
	}
	return err
}

func (c *checkRun) closeSnapshot() { _ = c.snap.close() }

// run runs every check. A table that cannot be read is a finding, too; the next check then gets a new snapshot.
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
		c.aborted = fmt.Errorf("the check could not be finished, which says nothing about the data: %s: %s", about, oneLine(err))
		return
	}
	c.closeSnapshot()
	if openErr := c.openSnapshot(); openErr != nil {
		c.aborted = cannotOpen(c.engine, openErr)
		return
	}
	c.report(Finding{What: fmt.Sprintf("%s could not be looked at: %s", about, oneLine(err)), Remedy: "check again; where this stays, " + restoreDatabase})
}

// isUnavailable reports whether a check failed because it was canceled, not permitted or cut off from the database, rather than
// because data could not be read.
func isUnavailable(e engine, err error) bool {
	var sqliteErr *sqlite.Error
	if errors.As(err, &sqliteErr) {
		switch sqliteErr.Code() & 0xff {
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR:
			return false
		}
	}
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) {
		switch {
		case strings.HasPrefix(pgErr.Code, "XX"), strings.HasPrefix(pgErr.Code, "58"): // damaged data; unreadable file
			return false
		case pgErr.Code == "42501": // insufficient privilege
			return true
		}
	}
	storage, _ := e.classify(err)
	return storage
}

// runRowCheck reports every row of the query as a finding.
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
	cells, dest := make([]string, len(columns)), make([]any, len(columns))
	for i := range cells {
		dest[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		c.report(rc.finding(cells))
	}
	return rows.Err()
}
