package search

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"foyer/internal/store/db"
	"foyer/internal/store/follow"
)

// Indexer fills the index behind the intake and the forwarder, so that neither waits for it.
type Indexer struct {
	Key   []byte
	Leads *follow.Leads
}

const (
	leadsQuery    = `SELECT seq, zip_code, contact, source FROM leads WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3`
	attemptsQuery = `SELECT a.seq, a.lead_seq, o.buyer_id FROM attempts a LEFT JOIN offers o ON o.id = a.offer_id
		WHERE a.seq > $1 AND a.seq <= $2 ORDER BY a.seq LIMIT $3`
)

// Run indexes what is new, and reports how many leads and attempts that were.
func (x *Indexer) Run(ctx context.Context, job follow.Job) (indexed int64, err error) {
	var p follow.Progress
	var lastAttempt int64
	if err := job.Update(ctx, func(c db.Conn) (err error) {
		if p, err = follow.ReadProgress(c, leadsFollower, attemptsFollower); err != nil {
			return err
		}
		lastAttempt, err = follow.Last(c, "attempts")
		return err
	}); err != nil {
		return 0, err
	}
	if len(p) == 0 { // it was never filled, or with another key
		if err := begin(ctx, job); err != nil {
			return 0, err
		}
	}
	lastLead, err := x.Leads.Last(ctx, job)
	if err != nil {
		return 0, err
	}
	leads, err := follow.Rows(ctx, job, leadsFollower, leadsQuery, p[leadsFollower], lastLead, follow.Chunks(func(c db.Conn, some []db.Row) error { return insert(c, some, x.leadTerms) }))
	if err != nil {
		return leads, err
	}
	attempts, err := follow.Rows(ctx, job, attemptsFollower, attemptsQuery, p[attemptsFollower], lastAttempt, follow.Chunks(func(c db.Conn, some []db.Row) error { return insert(c, some, attemptTerms) }))
	return leads + attempts, err
}

// BacklogQuery counts the rows that are not in the index yet.
func (*Indexer) BacklogQuery() string { return BacklogQuery }

func begin(ctx context.Context, job follow.Job) error {
	if err := follow.Empty(ctx, job, "search_index", "hash, lead_seq", `DELETE FROM search_index WHERE hash = $1 AND lead_seq = $2`); err != nil {
		return err
	}
	return job.Update(ctx, func(c db.Conn) error { return follow.Begin(c, leadsFollower, attemptsFollower) })
}

// term is a row of the index.
type term struct{ hash, lead int64 }

// leadTerms are the terms of a lead: its person, its ZIP code and its source.
func (x *Indexer) leadTerms(r db.Row) []term {
	seq := r.Int(0)
	terms := []term{{zipTerm(r.Text(1)), seq}}
	if key := r.Text(3); key != "" {
		terms = append(terms, term{sourceTerm(key), seq})
	}
	for _, hash := range decodeContact(r.Text(2)).terms(x.Key) {
		terms = append(terms, term{hash, seq})
	}
	return terms
}

// attemptTerms is the buyer that was asked.
func attemptTerms(r db.Row) []term {
	if r.Text(2) == "" { // the offer is missing
		return nil
	}
	return []term{{buyerTerm(r.Text(2)), r.Int(1)}}
}

// insert adds the terms of some rows. A person may have been erased since the rows were read, so it looks again.
func insert(c db.Conn, some []db.Row, termsOf func(db.Row) []term) error {
	var values []string
	for _, r := range some {
		for _, t := range termsOf(r) {
			values = append(values, fmt.Sprintf("(%d,%d)", t.hash, t.lead))
		}
	}
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	return c.Exec(`INSERT INTO search_index (hash, lead_seq) SELECT v.column1, v.column2 FROM (VALUES `+strings.Join(slices.Compact(values), ",")+`) AS v
		JOIN leads l ON l.seq = v.column2 WHERE v.column1 > 0 OR l.contact IS NOT NULL ON CONFLICT (hash, lead_seq) DO NOTHING`, nil)
}
