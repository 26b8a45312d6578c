package store

import (
	"context"
	"errors"

	"foyer/internal/lead"
)

// DatabaseStatus describes the state of a database.
type DatabaseStatus struct {
	Engine     string // name and version
	Database   string // without a password
	Size       int64  // on disk, in bytes
	Migrations []Migration
	Copying    bool                  // the database is the target of an unfinished copy
	MovedTo    string                // the copy that is used instead; "" if the database was not moved
	Leads      map[lead.Status]int64 // nil while migrations are pending
	Deliveries int64
}

// Pending is the number of migrations that are not applied.
func (s DatabaseStatus) Pending() int { return pending(s.Migrations) }

// Newer returns an error if a newer program made the tables.
func (s DatabaseStatus) Newer() error { return checkNotNewer(versions(s.Migrations)) }

// Inspect returns the status of a database, which a service may be using.
func Inspect(ctx context.Context, database string) (s DatabaseStatus, err error) {
	e, err := engineFor(database)
	if err != nil {
		return s, err
	}
	if err := mustExist(ctx, e); err != nil {
		return s, err
	}
	snap, err := e.snapshot(ctx, false)
	if err != nil {
		return s, cannotOpen(e, err)
	}
	defer snap.close()
	s.Database = e.String()
	err = errors.Join(snap.QueryRowContext(ctx, e.versionQuery()).Scan(&s.Engine), s.load(ctx, e, snap))
	return s, translateError(e, err)
}

func (s *DatabaseStatus) load(ctx context.Context, e engine, snap *snapshot) (err error) {
	if s.Size, err = e.size(ctx, snap); err != nil {
		return err
	}
	if s.Migrations, err = listMigrations(ctx, e, snap); err != nil || s.Pending() > 0 {
		return err
	}
	if s.Copying, err = isPartialCopy(ctx, snap); err != nil {
		return err
	}
	how, where, err := moveState(ctx, snap)
	if err != nil {
		return err
	}
	if how == movedTo {
		s.MovedTo = where
	}
	return s.countLeads(ctx, snap)
}

// countLeads counts leads by status. Every status but one has its own index, so the rows themselves are not read: the remaining
// leads are received.
func (s *DatabaseStatus) countLeads(ctx context.Context, snap *snapshot) error {
	s.Leads = make(map[lead.Status]int64)
	var all int64
	if err := snap.QueryRowContext(ctx, `SELECT count(*) FROM leads`).Scan(&all); err != nil {
		return err
	}
	for _, status := range listed {
		var n int64
		if err := snap.QueryRowContext(ctx, `SELECT count(*) FROM leads WHERE status = '`+string(status)+`'`).Scan(&n); err != nil {
			return err
		}
		s.Leads[status] = n
		all -= n
	}
	s.Leads[lead.Received] = all
	return snap.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM deliveries) + (SELECT count(*) FROM new_leads)`).Scan(&s.Deliveries)
}
