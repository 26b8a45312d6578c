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
	restoreDatabase   = "stop the service, and bring the database back from a backup"
	restoreRow = "bring its row back from a backup"
)

// Check looks for damage and for broken promises, and tells each finding as it comes. It sees the database as it is at one
// moment, beside a service that works on it, and keeps no more of it in memory than a few rows. It says how many leads it
// looked at. One who watches is told how far it is.
func Check(ctx context.Context, database string, tell func(Finding), watch ...Watch) (leads int64, err error) {
	e, err := engineFor(database)
	if err != nil {
		return 0, err
	}
	if err := mustExist(ctx, e); err != nil {
		return 0, err
	}
	x := &checkRun{ctx: ctx, engine: e, report: tell, watch: progressFunc(watch), wantsTotal: len(watch) > 0}
	if err := x.openSnapshot(); err != nil {
		return 0, cannotOpen(e, err)
	}
	defer x.closeSnapshot()
	list, err := listMigrations(ctx, e, x.snap)
	if err != nil {
		return 0, err
	}
	if err := checkUpToDate(e, list); err != nil {
		return 0, err
	}
	half, err := isPartialCopy(ctx, x.snap)
	if err != nil {
		return 0, err
	}
	if half {
		tell(Finding{What: e.String() + " is a copy that is not finished", Remedy: "go on with foyer db copy; the same command as before"})
		return 0, nil
	}
	x.run()
	return x.leads, errors.Join(ctx.Err(), x.aborted)
}

// checkRun is a check under way.
type checkRun struct {
	ctx    context.Context
	engine engine
	snap    *snapshot
	report   func(Finding)
	watch  Watch
	wantsTotal bool // somebody wants to know how many leads there are to look at
	leads  int64
	aborted   error // the database went away, or does not answer
}

func (x *checkRun) openSnapshot() error {
	now, err := x.engine.snapshot(x.ctx, false)
	if err == nil {
		x.snap = now
	}
	return err
}

func (x *checkRun) closeSnapshot() { _ = x.snap.close() }

// run asks everything. What cannot be read is a finding, too, and the next question gets a fresh moment.
func (x *checkRun) run() {
	x.runPart("the engine's own check", func() error { return x.engine.checkDamage(x.ctx, x.snap, x.report) })
	x.runPart("leads", x.checkLeads)
	x.runPart("buyers", x.checkBuyers)
	for _, q := range rowChecks {
		x.runPart(q.about, func() error { return x.runRowCheck(q) })
	}
	x.runPart("the engine's settings", func() error { return x.engine.checkEngine(x.ctx, x.snap, x.report) })
}

func (x *checkRun) runPart(about string, look func() error) {
	if x.ctx.Err() != nil || x.aborted != nil {
		return
	}
	x.watch(Progress{What: "checking: " + about})
	err := look()
	if err == nil || x.ctx.Err() != nil {
		return
	}
	if isUnavailable(x.engine, err) {
		x.aborted = fmt.Errorf("the check could not be finished, which says nothing about the data: %s: %s", about, oneLine(err))
		return
	}
	x.closeSnapshot()
	if again := x.openSnapshot(); again != nil {
		x.aborted = cannotOpen(x.engine, again)
		return
	}
	x.report(Finding{What: fmt.Sprintf("%s could not be looked at: %s", about, oneLine(err)), Remedy: "check again; where this stays, " + restoreDatabase})
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
	var said *pgconn.PgError
	if errors.As(err, &said) {
		switch {
		case strings.HasPrefix(said.Code, "XX"), strings.HasPrefix(said.Code, "58"): // damaged; a file that cannot be read
			return false
		case said.Code == "42501": // no right to read it
			return true
		}
	}
	ground, _ := e.classify(err)
	return ground
}

// runRowCheck puts a question whose every answer is a finding.
func (x *checkRun) runRowCheck(q rowCheck) error {
	rows, err := x.snap.QueryContext(x.ctx, q.query)
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
		x.report(q.finding(cells))
	}
	return rows.Err()
}
