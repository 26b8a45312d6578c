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
	toBackup   = "stop the service, and bring the database back from a backup"
	fromBackup = "bring its row back from a backup"
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
	x := &checkRun{ctx: ctx, engine: e, tell: tell, watch: progressFunc(watch), counts: len(watch) > 0}
	if err := x.begin(); err != nil {
		return 0, cannotOpen(e, err)
	}
	defer x.end()
	list, err := steps(ctx, e, x.now)
	if err != nil {
		return 0, err
	}
	if err := upToDate(e, list); err != nil {
		return 0, err
	}
	half, err := copying(ctx, x.now)
	if err != nil {
		return 0, err
	}
	if half {
		tell(Finding{What: e.String() + " is a copy that is not finished", Remedy: "go on with foyer db copy; the same command as before"})
		return 0, nil
	}
	x.all()
	return x.leads, errors.Join(ctx.Err(), x.lost)
}

// checkRun is a check under way.
type checkRun struct {
	ctx    context.Context
	engine engine
	now    *snapshot
	tell   func(Finding)
	watch  Watch
	counts bool // somebody wants to know how many leads there are to look at
	leads  int64
	lost   error // the database went away, or does not answer
}

func (x *checkRun) begin() error {
	now, err := x.engine.snapshot(x.ctx, false)
	if err == nil {
		x.now = now
	}
	return err
}

func (x *checkRun) end() { _ = x.now.close() }

// all asks everything. What cannot be read is a finding, too, and the next question gets a fresh moment.
func (x *checkRun) all() {
	x.part("the engine's own check", func() error { return x.engine.checkDamage(x.ctx, x.now, x.tell) })
	x.part("leads", x.eachLead)
	x.part("buyers", x.eachBuyer)
	for _, q := range questions {
		x.part(q.about, func() error { return x.ask(q) })
	}
	x.part("the engine's settings", func() error { return x.engine.checkIndexes(x.ctx, x.now, x.tell) })
}

func (x *checkRun) part(about string, look func() error) {
	if x.ctx.Err() != nil || x.lost != nil {
		return
	}
	x.watch(Progress{What: "checking: " + about})
	err := look()
	if err == nil || x.ctx.Err() != nil {
		return
	}
	if unanswered(x.engine, err) {
		x.lost = fmt.Errorf("the check could not be finished, which says nothing about the data: %s: %s", about, oneLine(err))
		return
	}
	x.end()
	if again := x.begin(); again != nil {
		x.lost = cannotOpen(x.engine, again)
		return
	}
	x.tell(Finding{What: fmt.Sprintf("%s could not be looked at: %s", about, oneLine(err)), Remedy: "check again; where this stays, " + toBackup})
}

// unanswered tells a question that was given up or not allowed, and a database that went away, from what cannot be read.
func unanswered(e engine, err error) bool {
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

// ask puts a question whose every answer is a finding.
func (x *checkRun) ask(q question) error {
	rows, err := x.now.QueryContext(x.ctx, q.text)
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
		x.tell(q.finding(cells))
	}
	return rows.Err()
}
