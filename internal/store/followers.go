package store

import (
	"context"
	"time"

	"foyer/internal/store/commit"
	"foyer/internal/store/db"
	"foyer/internal/store/follow"
	"foyer/internal/store/leadcounts"
	"foyer/internal/store/search"
)

// A follower is a job that derives something from the rows of tables, behind those who write them.
type follower interface {
	Run(ctx context.Context, job follow.Job) (rows int64, err error)
	BacklogQuery() string
}

// NewIndexer returns the follower that fills the search index.
func (s *Store) NewIndexer(key []byte) *search.Indexer {
	return &search.Indexer{Key: key, Leads: &follow.Leads{Server: s.engine.IsServer()}}
}

// NewCounter returns the follower that counts leads. zone is that of days and months, unless leads were counted in another before.
func (s *Store) NewCounter(zone *time.Location) *leadcounts.Counter {
	return &leadcounts.Counter{Zone: zone, Leads: &follow.Leads{Server: s.engine.IsServer()}}
}

// followPause is how long a follower leaves the writer alone while clients keep it busy. What followers derive is not urgent.
const followPause = time.Second

// Follow brings what a follower derives up to date, and returns how many rows were new.
func (j *Job) Follow(ctx context.Context, f follower) (rows int64, err error) {
	steps := j.steps()
	steps.BusyPause = followPause
	return f.Run(ctx, followJob{j.store, j, steps})
}

// Backlog returns how many rows a follower has not read yet.
func (s *Store) Backlog(ctx context.Context, f follower) (int64, error) {
	return read(ctx, s, func(tx *Tx) (int64, error) { return tx.number(f.BacklogQuery()) })
}

// LeadCounts are the counts of leads.
func (tx *Tx) LeadCounts() leadcounts.Counts { return leadcounts.Counts{Conn: tx.conn} }

// LeadSum is how many leads there are and what they brought in, LeadWait is how many of a day waited how long, LeadMoney is what they cost and brought
// in, and ReturnCount is how many a buyer gave back.
type (
	LeadSum    = leadcounts.Sum
	LeadWait   = leadcounts.Wait
	LeadMoney  = leadcounts.Money
	PlaceQuery = leadcounts.PlaceQuery
	PlaceRank  = leadcounts.PlaceRank

	ReturnCount = leadcounts.Returned
)

// LongestWait returns the longest wait in a bucket of a LeadWait.
func LongestWait(bucket int) time.Duration { return leadcounts.LongestWait(bucket) }

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
