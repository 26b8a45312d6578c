// Package dbadmin is what an operator does with a whole database: status, check, migrate, backup and copy. Only commands use it; a service
// never does.
package dbadmin

import (
	"context"
	"errors"

	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/store/leadcounts"
	"foyer/internal/store/migrations"
	"foyer/internal/store/search"
)

// DatabaseStatus describes the state of a database.
type DatabaseStatus struct {
	Engine     string // name and version
	Database   string // without a password
	Size       int64  // on disk, in bytes
	Migrations []migrations.Migration
	Copying    bool                  // the database is the target of an unfinished copy
	MovedTo    string                // the copy that is used instead; "" if the database was not moved
	Leads      map[lead.Status]int64 // nil while migrations are pending
	Deliveries int64
	NotIndexed int64 // leads and attempts that the search index lacks
	NotCounted int64 // rows that reports lack
}

// Pending is the number of migrations that are not applied.
func (s DatabaseStatus) Pending() int { return migrations.Pending(s.Migrations) }

// Newer returns an error if a newer program made the tables.
func (s DatabaseStatus) Newer() error {
	return migrations.CheckNotNewer(migrations.Versions(s.Migrations))
}

// Inspect returns the status of a database, which a service may be using.
func Inspect(ctx context.Context, database string) (s DatabaseStatus, err error) {
	e, err := store.ExistingEngine(ctx, database)
	if err != nil {
		return s, err
	}
	snap, err := e.Snapshot(ctx)
	if err != nil {
		return s, db.CannotOpen(e, err)
	}
	defer snap.Close()
	s.Database = e.String()
	err = errors.Join(snap.QueryRowContext(ctx, e.VersionQuery()).Scan(&s.Engine), s.load(ctx, e, snap))
	return s, store.TranslateError(e, err)
}

func (s *DatabaseStatus) load(ctx context.Context, e db.Engine, snap *db.Snapshot) (err error) {
	if s.Size, err = e.Size(ctx, snap); err != nil {
		return err
	}
	if s.Migrations, err = migrations.List(ctx, e, snap); err != nil || s.Pending() > 0 {
		return err
	}
	if s.Copying, err = migrations.IsPartialCopy(ctx, snap); err != nil {
		return err
	}
	moved, err := migrations.ReadMove(ctx, snap)
	if err != nil {
		return err
	}
	if moved.Done {
		s.MovedTo = moved.To
	}
	return s.countLeads(ctx, snap)
}

// countLeads counts leads by status. Every status but one has its own index, so the rows themselves are not read: the remaining
// leads are received.
func (s *DatabaseStatus) countLeads(ctx context.Context, snap *db.Snapshot) error {
	s.Leads = make(map[lead.Status]int64)
	var all int64
	if err := snap.QueryRowContext(ctx, `SELECT count(*) FROM leads`).Scan(&all); err != nil {
		return err
	}
	for _, status := range store.ListedStatuses {
		var n int64
		if err := snap.QueryRowContext(ctx, `SELECT count(*) FROM leads WHERE status = '`+string(status)+`'`).Scan(&n); err != nil {
			return err
		}
		s.Leads[status] = n
		all -= n
	}
	s.Leads[lead.Received] = all
	return errors.Join(
		snap.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM deliveries) + (SELECT count(*) FROM new_leads)`).Scan(&s.Deliveries),
		snap.QueryRowContext(ctx, search.BacklogQuery).Scan(&s.NotIndexed),
		snap.QueryRowContext(ctx, leadcounts.BacklogQuery).Scan(&s.NotCounted))
}
