package store

import (
	"context"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/store/commit"
	"foyer/internal/store/db"
	"foyer/internal/store/follow"
	"foyer/internal/store/leadcounts"
	"foyer/internal/store/offercounts"
	"foyer/internal/store/search"
)

// A follower is a job that derives something from the rows of tables, behind those who write them.
type follower interface {
	Run(ctx context.Context, job follow.Job) (rows int64, err error)
}

// NewIndexer returns the follower that fills the search index.
func (s *Store) NewIndexer(key []byte) *search.Indexer {
	return &search.Indexer{Key: key, Leads: &follow.Leads{Server: s.engine.IsServer()}}
}

// NewCounter returns the follower that counts leads. zone is that of days and months, unless leads were counted in another before.
func (s *Store) NewCounter(zone *time.Location) *leadcounts.Counter {
	return &leadcounts.Counter{Zone: zone, Leads: &follow.Leads{Server: s.engine.IsServer()}}
}

// Follow brings what a follower derives up to date, and returns how many rows were new.
func (j *Job) Follow(ctx context.Context, f follower) (rows int64, err error) {
	return f.Run(ctx, followJob{j.store, j, j.steps()})
}

// IndexBacklog returns how many leads and attempts are not in the search index yet.
func (s *Store) IndexBacklog(ctx context.Context) (int64, error) {
	return read(ctx, s, func(tx *Tx) (int64, error) { return tx.number(search.BacklogQuery) })
}

// CountBacklog returns how many rows are not counted yet.
func (s *Store) CountBacklog(ctx context.Context) (int64, error) {
	return read(ctx, s, func(tx *Tx) (int64, error) { return tx.number(leadcounts.BacklogQuery) })
}

// LeadCounts are the counts of leads.
func (tx *Tx) LeadCounts() leadcounts.Counts { return leadcounts.Counts{Conn: tx.conn} }

// LeadCount is a number of leads, and LeadWait is how many waited how long.
type (
	LeadCount = leadcounts.Row
	LeadWait  = leadcounts.Wait
)

// MoneyByHour returns what buyers were charged and given back for the offers of a period.
func (tx *Tx) MoneyByHour(period buyer.Period) (map[time.Time]buyer.Counts, error) {
	return offercounts.ByHour(tx.conn, period)
}

// RebuildCounts has leads counted again, with the days and months of a zone.
func (tx *Tx) RebuildCounts(zone *time.Location) error { return leadcounts.Rebuild(tx.conn, zone) }

// followJob is what a follower needs of the store.
type followJob struct {
	store *Store
	job   *Job
	steps *commit.Steps[*Tx]
}

func (j followJob) Read(ctx context.Context, query string, args ...any) ([]db.Row, error) {
	return j.store.rows(ctx, query, args...)
}

func (j followJob) Update(ctx context.Context, do func(db.Conn) error) error {
	return j.job.Update(ctx, func(tx *Tx) error { return do(tx.conn) })
}

func (j followJob) Steps(ctx context.Context, n int, do func(c db.Conn, i int) error, after func(c db.Conn, first, last int) error) error {
	end := func(tx *Tx, first, last int) error { return after(tx.conn, first, last) }
	if after == nil {
		end = nil
	}
	return j.steps.Run(ctx, n, func(tx *Tx, i int) error { return do(tx.conn, i) }, end)
}
