package store

import (
	"context"
	"errors"
	"fmt"
)

// copyTarget is what a copy needs of an engine.
type copyTarget interface {
	// same says whether another name is that of the same database.
	same(other engine) bool
	// openBulkWriter opens a connection that writes many rows at once.
	openBulkWriter(ctx context.Context) (bulkWriter, error)
	// afterCopy are the statements that make a filled database fit for use.
	afterCopy() []string
}

// bulkWriter writes what is copied.
type bulkWriter interface {
	// replaceRows takes rows out and puts others in, in one transaction. Of those to take out only the key is looked at.
	replaceRows(ctx context.Context, s tableSpec, out, in []record) error
	// execAll runs statements in one transaction.
	execAll(ctx context.Context, statements ...string) error
	close() error
}

// A row among the changes marks half a copy: it comes before the first row that is copied and goes after the last.
const (
	markCopying = `INSERT INTO changes (topic, version) VALUES ('copying', 1)`
	unmarkCopying   = `DELETE FROM changes WHERE topic = 'copying'`
)

// isPartialCopy says whether a database is half a copy.
func isPartialCopy(ctx context.Context, from querier) (half bool, err error) {
	var rows int
	err = from.QueryRowContext(ctx, `SELECT count(*) FROM changes WHERE topic = 'copying'`).Scan(&rows)
	return rows > 0, err
}

// checkUsable refuses half a copy to everybody but the copy itself: a service on it would not know the leads that are missing.
// It refuses what was copied elsewhere, too.
func checkUsable(ctx context.Context, from querier) error {
	half, err := isPartialCopy(ctx, from)
	switch {
	case err != nil:
		return err
	case half:
		return errors.New("it is a copy that is not finished; foyer db copy goes on with it")
	}
	return checkNotMoved(ctx, from)
}

// makeTarget makes the tables, where they are not there, and opens the target.
func (c *transfer) makeTarget() error {
	list, err := migrationsOf(c.ctx, c.target)
	if err != nil {
		return err
	}
	if pending(list) > 0 {
		if err := c.prepareTarget(list); err != nil {
			return err
		}
	} else if err := checkUpToDate(c.target, list); err != nil {
		return err
	}
	eyes, err := c.target.read()
	if err != nil {
		return cannotOpen(c.target, err)
	}
	c.readPool, c.closers = eyes, append(c.closers, eyes.Close)
	if c.writer, err = c.target.openBulkWriter(c.ctx); err != nil {
		return cannotOpen(c.target, err)
	}
	c.closers = append(c.closers, c.writer.close)
	return nil
}

// prepareTarget brings tables up to date that hold no lead: those of others are theirs to change.
func (c *transfer) prepareTarget(list []Migration) error {
	if pending(list) < len(list) {
		bare, err := c.hasNoLeads()
		if err != nil {
			return err
		}
		if !bare {
			return checkUpToDate(c.target, list)
		}
	}
	if err := c.target.prepare(c.ctx); err != nil {
		return cannotOpen(c.target, err)
	}
	return nil
}

func (c *transfer) hasNoLeads() (bool, error) {
	db, err := c.target.read()
	if err != nil {
		return false, err
	}
	defer db.Close()
	if there, err := c.target.hasTable(c.ctx, db, "leads"); err != nil || !there {
		return err == nil, err
	}
	return isEmpty(c.ctx, db, tableSpecs[:1])
}

// inspectTarget finds out what the target is: empty, half a copy, or something whole that may only be compared.
func (c *transfer) inspectTarget() error {
	_, where, err := moveState(c.ctx, c.readPool)
	switch {
	case err != nil:
		return err
	case where != "" && where != absoluteName(c.source):
		return fmt.Errorf("%s was itself moved to %s; foyer db reopen has it used again", c.target, where)
	}
	if c.partial, err = isPartialCopy(c.ctx, c.readPool); err != nil || c.partial {
		return err
	}
	empty, err := isEmpty(c.ctx, c.readPool, tableSpecs)
	switch {
	case err != nil:
		return err
	case empty:
		return c.writer.execAll(c.ctx, markCopying)
	}
	c.compareOnly = true
	return nil
}

// isEmpty says that tables hold nothing. Consent texts and the ids of keys do not count: a service that was started once has
// left its own.
func isEmpty(ctx context.Context, from querier, of []tableSpec) (bool, error) {
	for _, s := range of {
		if s.name == "consent_texts" || s.name == "keys" {
			continue
		}
		var rows int
		if err := from.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM `+s.name+` LIMIT 1) AS one`).Scan(&rows); err != nil || rows > 0 {
			return false, err
		}
	}
	return true, nil
}

// otherDataError is the refusal of a target that holds something else. A row may be missing on one side.
func (c *transfer) otherDataError(s tableSpec, theirs, ours record) error {
	what := "its table " + s.name + " differs"
	switch {
	case s.name != "leads":
	case ours == nil:
		what = fmt.Sprintf("%s is missing there", theirs[1])
	case theirs == nil || theirs[1] != ours[1]:
		what = fmt.Sprintf("%s is not in %s", ours[1], c.source)
	default:
		what = fmt.Sprintf("%s differs", ours[1])
	}
	return fmt.Errorf("%s holds other data: %s. Copy into an empty database", c.target, what)
}

// finish makes the target fit for a service: its numbers go on where those of the source stopped, and what a process
// keeps in memory is read again. What had gone from there to the source is back.
func (c *transfer) finish() error {
	statements := []string{clearMove}
	if !c.compareOnly {
		statements = append(c.target.afterCopy(), `UPDATE changes SET version = version + 1`, clearMove, unmarkCopying)
	}
	if err := c.writer.execAll(c.ctx, statements...); err != nil {
		return interrupted(c.target, err)
	}
	c.complete = true
	return nil
}
