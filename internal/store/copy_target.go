package store

import (
	"context"
	"errors"
	"fmt"
)

// copyTarget is what a copy needs from an engine.
type copyTarget interface {
	// same reports whether other is the same database.
	same(other engine) bool
	// openBulkWriter opens a connection that writes many rows at once.
	openBulkWriter(ctx context.Context) (bulkWriter, error)
	// afterCopy are the statements that prepare a copied database for use.
	afterCopy() []string
}

// bulkWriter writes copied rows.
type bulkWriter interface {
	// replaceRows deletes rows and inserts others in one transaction. Deletes use the key only.
	replaceRows(ctx context.Context, s tableSpec, deletes, inserts []record) error
	// execAll runs statements in one transaction.
	execAll(ctx context.Context, statements ...string) error
	close() error
}

// A row of the table changes marks a partial copy: it is inserted before the first copied row and deleted after the last.
const (
	markCopying   = `INSERT INTO changes (topic, version) VALUES ('copying', 1)`
	unmarkCopying = `DELETE FROM changes WHERE topic = 'copying'`
)

// isPartialCopy reports whether a database is an unfinished copy.
func isPartialCopy(ctx context.Context, from asker) (partial bool, err error) {
	var rows int
	err = from.QueryRowContext(ctx, `SELECT count(*) FROM changes WHERE topic = 'copying'`).Scan(&rows)
	return rows > 0, err
}

// checkUsable refuses a partial copy to everything but the copy itself: a service on it would not know the missing leads. It also
// refuses a database that has moved.
func checkUsable(ctx context.Context, from asker) error {
	partial, err := isPartialCopy(ctx, from)
	switch {
	case err != nil:
		return err
	case partial:
		return errors.New("it is a copy that is not finished; foyer db copy goes on with it")
	}
	return checkNotMoved(ctx, from)
}

// makeTarget creates the tables if necessary and opens the target.
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
	db, err := c.target.read()
	if err != nil {
		return cannotOpen(c.target, err)
	}
	c.readPool, c.closers = db, append(c.closers, db.Close)
	if c.writer, err = c.target.openBulkWriter(c.ctx); err != nil {
		return cannotOpen(c.target, err)
	}
	c.closers = append(c.closers, c.writer.close)
	return nil
}

// prepareTarget migrates a target that holds no leads. Any other target is its owner's to migrate.
func (c *transfer) prepareTarget(list []Migration) error {
	if pending(list) < len(list) {
		empty, err := c.hasNoLeads()
		if err != nil {
			return err
		}
		if !empty {
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

// inspectTarget determines what the target is: empty, a partial copy, or a complete database that may only be compared.
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

// isEmpty reports whether tables are empty. Consent texts and key ids do not count: a service that was started once has stored
// its own.
func isEmpty(ctx context.Context, from asker, of []tableSpec) (bool, error) {
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

// otherDataError refuses a target that holds other data. Either row may be nil, if it is missing on that side.
func (c *transfer) otherDataError(s tableSpec, sourceRow, targetRow record) error {
	what := "its table " + s.name + " differs"
	switch {
	case s.name != "leads":
	case targetRow == nil:
		what = fmt.Sprintf("%s is missing there", sourceRow[1])
	case sourceRow == nil || sourceRow[1] != targetRow[1]:
		what = fmt.Sprintf("%s is not in %s", targetRow[1], c.source)
	default:
		what = fmt.Sprintf("%s differs", targetRow[1])
	}
	return fmt.Errorf("%s holds other data: %s. Copy into an empty database", c.target, what)
}

// finish prepares the target for a service: its sequences continue where those of the source stopped, and the version bump makes
// processes reload what they cache. If the data had moved from the target to the source before, that mark is cleared.
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
