package store

import (
	"context"
	"errors"

	"foyer/internal/lead"
)

// DatabaseStatus is how a database stands.
type DatabaseStatus struct {
	Engine     string // with its version
	Database   string // without a password
	Size       int64  // on the disk, in bytes
	Migrations []Migration
	Copying    bool                  // it is the target of a copy that is not finished
	MovedTo    string                // where a copy of it is used instead; "" where it stays
	Leads      map[lead.Status]int64 // nil while migrations are pending
	Deliveries int64
}

// Pending is how many migrations are still to be made.
func (c DatabaseStatus) Pending() int { return pending(c.Migrations) }

// Newer says that a newer program made the tables, or is nil.
func (c DatabaseStatus) Newer() error { return checkNotNewer(versions(c.Migrations)) }

// Inspect says how a database stands. A service may be on it.
func Inspect(ctx context.Context, database string) (c DatabaseStatus, err error) {
	e, err := engineFor(database)
	if err != nil {
		return c, err
	}
	if err := mustExist(ctx, e); err != nil {
		return c, err
	}
	now, err := e.snapshot(ctx, false)
	if err != nil {
		return c, cannotOpen(e, err)
	}
	defer now.close()
	c.Database = e.String()
	err = errors.Join(now.QueryRowContext(ctx, e.versionQuery()).Scan(&c.Engine), c.load(ctx, e, now))
	return c, translateError(e, err)
}

func (c *DatabaseStatus) load(ctx context.Context, e engine, now *snapshot) (err error) {
	if c.Size, err = e.size(ctx, now); err != nil {
		return err
	}
	if c.Migrations, err = listMigrations(ctx, e, now); err != nil || c.Pending() > 0 {
		return err
	}
	if c.Copying, err = isPartialCopy(ctx, now); err != nil {
		return err
	}
	how, where, err := moveState(ctx, now)
	if err != nil {
		return err
	}
	if how == movedTo {
		c.MovedTo = where
	}
	return c.countLeads(ctx, now)
}

// countLeads counts leads by their status. Each kind but one stands in an index of its own, so the many that are there are
// not read: what is left over is received.
func (c *DatabaseStatus) countLeads(ctx context.Context, now *snapshot) error {
	c.Leads = make(map[lead.Status]int64)
	var all int64
	if err := now.QueryRowContext(ctx, `SELECT count(*) FROM leads`).Scan(&all); err != nil {
		return err
	}
	for _, status := range listed {
		var n int64
		if err := now.QueryRowContext(ctx, `SELECT count(*) FROM leads WHERE status = '`+string(status)+`'`).Scan(&n); err != nil {
			return err
		}
		c.Leads[status] = n
		all -= n
	}
	c.Leads[lead.Received] = all
	return now.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM deliveries) + (SELECT count(*) FROM fresh)`).Scan(&c.Deliveries)
}
