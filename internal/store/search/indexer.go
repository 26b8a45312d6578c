package search

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"foyer/internal/store/db"
)

// Indexer fills the index behind the intake and the forwarder, so that neither waits for it. It reads leads and attempts in the order
// of their numbers.
type Indexer struct {
	Key []byte
	// Server is whether several transactions may commit at the same time: then a lead may appear after one with a higher number.
	Server bool

	newest  int64 // number of the newest lead when Run was last called
	pending mark
}

// Job is what an Indexer needs of the store.
type Job interface {
	Read(ctx context.Context, query string, args ...any) ([]db.Row, error)
	Update(ctx context.Context, do func(db.Conn) error) error
	// Steps calls do for each i below n, and after for each range that is committed together.
	Steps(ctx context.Context, n int, do func(c db.Conn, i int) error, after func(c db.Conn, first, last int) error) error
}

// mark is a number that leads had reached a while ago, and the number of the next transaction now. Once all transactions below that are
// over, no lead below the first can appear anymore.
type mark struct{ lead, nextTx int64 }

// Rows are read in batches and added in chunks, each with one statement: one for each row would take ten times as long.
const (
	batchRows = 1_000
	chunkRows = 50
)

// Run indexes what is new, and reports how many leads and attempts that were.
func (x *Indexer) Run(ctx context.Context, job Job) (indexed int64, err error) {
	var p Progress
	var lastAttempt int64
	err = job.Update(ctx, func(c db.Conn) (err error) {
		if p, err = ReadProgress(c); err != nil {
			return err
		}
		lastAttempt, _, err = db.One(c, db.FirstInt, `SELECT COALESCE(MAX(seq), 0) FROM attempts`) // none is being written now
		return err
	})
	if err == nil && !p.Begun {
		err = begin(ctx, job)
	}
	if err != nil {
		return 0, err
	}
	lastLead, err := x.lastLead(ctx, job)
	if err != nil {
		return 0, err
	}
	leads, err := follow(ctx, job, "leads", leadsQuery, p.Leads, lastLead, x.leadTerms)
	if err != nil {
		return leads, err
	}
	attempts, err := follow(ctx, job, "attempts", attemptsQuery, p.Attempts, lastAttempt, attemptTerms)
	return leads + attempts, err
}

// begin empties the index: it was never filled, or with another key.
func begin(ctx context.Context, job Job) error {
	for {
		old, err := job.Read(ctx, `SELECT hash, lead_seq FROM search_index LIMIT $1`, int64(batchRows))
		if err != nil {
			return err
		}
		if len(old) == 0 {
			break
		}
		if err := job.Steps(ctx, len(old), func(c db.Conn, i int) error {
			return c.Exec(`DELETE FROM search_index WHERE hash = $1 AND lead_seq = $2`, old[i])
		}, nil); err != nil {
			return err
		}
	}
	return job.Update(ctx, func(c db.Conn) error {
		return c.Exec(`INSERT INTO search_progress (source, seq) VALUES ('leads', 0), ('attempts', 0) ON CONFLICT (source) DO NOTHING`, nil)
	})
}

// lastLead returns a number up to which no lead can appear anymore, or 0 if it is not known yet.
func (x *Indexer) lastLead(ctx context.Context, job Job) (int64, error) {
	if !x.Server {
		last, err := job.Read(ctx, `SELECT COALESCE(MAX(seq), 0) FROM leads`)
		if err != nil {
			return 0, err
		}
		return last[0].Int(0), nil
	}
	state, err := job.Read(ctx, `SELECT pg_snapshot_xmin(s)::text::bigint, pg_snapshot_xmax(s)::text::bigint, COALESCE((SELECT MAX(seq) FROM leads), 0) FROM pg_current_snapshot() AS s`)
	if err != nil {
		return 0, err
	}
	oldestOpen, nextTx, newest := state[0].Int(0), state[0].Int(1), state[0].Int(2)
	final := int64(0)
	if x.pending.lead > 0 && oldestOpen >= x.pending.nextTx {
		final, x.pending = x.pending.lead, mark{}
	}
	if x.pending.lead == 0 {
		x.pending = mark{x.newest, nextTx}
	}
	x.newest = newest
	return final, nil
}

const (
	leadsQuery    = `SELECT seq, zip_code, contact FROM leads WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3`
	attemptsQuery = `SELECT a.seq, a.lead_seq, o.buyer_id FROM attempts a LEFT JOIN offers o ON o.id = a.offer_id WHERE a.seq > $1 AND a.seq <= $2 ORDER BY a.seq LIMIT $3`
)

// follow indexes the rows of a table with numbers above one and up to another.
func follow(ctx context.Context, job Job, source, query string, after, last int64, termsOf func(db.Row) []term) (indexed int64, err error) {
	for after < last {
		some, err := job.Read(ctx, query, after, last, int64(batchRows))
		if err != nil || len(some) == 0 {
			return indexed, err
		}
		chunks := slices.Collect(slices.Chunk(some, chunkRows))
		if err := job.Steps(ctx, len(chunks), func(c db.Conn, i int) error { return insert(c, chunks[i], termsOf) }, func(c db.Conn, _, end int) error {
			done := chunks[end-1]
			return c.Exec(`UPDATE search_progress SET seq = $1 WHERE source = $2`, []any{done[len(done)-1].Int(0), source})
		}); err != nil {
			return indexed, err
		}
		after, indexed = some[len(some)-1].Int(0), indexed+int64(len(some))
	}
	return indexed, nil
}

// term is a row of the index.
type term struct{ hash, lead int64 }

// leadTerms are the terms of a lead: its person and its ZIP code.
func (x *Indexer) leadTerms(r db.Row) []term {
	seq := r.Int(0)
	terms := []term{{zipTerm(r.Text(1)), seq}}
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
