package store

import (
	"context"

	"foyer/internal/lead"
	"foyer/internal/store/commit"
	"foyer/internal/store/db"
	"foyer/internal/store/follow"
	"foyer/internal/store/search"
)

// What is looked for, and what was found.
type (
	LeadFilter = search.Filter
	Span       = search.Span
	LeadPage   = search.Page
	FoundLead  = search.Found
	FoundLeads = search.Result
)

// ListedStatuses are the statuses that have an index of their leads.
var ListedStatuses = search.ListedStatuses

// FindLeads finds leads, newest first. key is that of the search index.
func (tx *Tx) FindLeads(f LeadFilter, key []byte, p LeadPage) (FoundLeads, error) {
	return search.Find(tx.conn, f, key, p)
}

// SearchTerms are what finds a person in the search index, for Erase: nil without a key.
func SearchTerms(key []byte, c lead.Contact) []int64 { return search.ContactTerms(key, c) }

// NewIndexer returns what fills the search index.
func (s *Store) NewIndexer(key []byte) *search.Indexer {
	return &search.Indexer{Key: key, Leads: &follow.Leads{Server: s.engine.IsServer()}}
}

// IndexBacklog returns how many leads and attempts are not in the search index yet.
func (s *Store) IndexBacklog(ctx context.Context) (n int64, err error) {
	return read(ctx, s, func(tx *Tx) (int64, error) { return tx.number(search.BacklogQuery) })
}

// Index brings the search index up to date.
func (j *Job) Index(ctx context.Context, x *search.Indexer) (int64, error) {
	return x.Run(ctx, followJob{j.store, j, j.steps()})
}

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
