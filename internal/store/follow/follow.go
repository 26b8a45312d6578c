// Package follow reads tables in the order of their rows, behind those who write them, for what is derived from them: a search index,
// counts. It keeps its offset, how far it came, in the table follow_progress, in the transaction that writes what is derived, so that each
// row counts once.
//
// It knows no table but that one.
package follow

import (
	"context"
	"slices"

	"foyer/internal/store/db"
)

// Job is what a follower needs of the store.
type Job interface {
	Read(ctx context.Context, query string, args ...any) ([]db.Row, error)
	Update(ctx context.Context, do func(db.Conn) error) error
	// Steps calls do for each i below n, and after for each range that is committed together.
	Steps(ctx context.Context, n int, do func(c db.Conn, i int) error, after func(c db.Conn, first, last int) error) error
}

// Rows are read in batches of BatchRows and written in chunks, each with few statements: those for each row would take ten times as long.
const (
	BatchRows = 1_000
	chunkRows = 50
)

// Progress is how far followers have come: the number of the last row, by their names.
type Progress map[string]int64

// ReadProgress reads how far followers have come. One that has not begun is not in it.
func ReadProgress(c db.Conn, names ...string) (Progress, error) {
	p := make(Progress)
	for _, name := range names {
		seq, begun, err := db.One(c, db.FirstInt, `SELECT seq FROM follow_progress WHERE name = $1`, name)
		if err != nil {
			return nil, err
		}
		if begun {
			p[name] = seq
		}
	}
	return p, nil
}

// Begin records that followers begin with the first row.
func Begin(c db.Conn, names ...string) error {
	for _, name := range names {
		if err := c.Exec(`INSERT INTO follow_progress (name, seq) VALUES ($1, 0) ON CONFLICT (name) DO NOTHING`, []any{name}); err != nil {
			return err
		}
	}
	return nil
}

// Reset has followers begin again, once their job has emptied what they wrote.
func Reset(c db.Conn, names ...string) error {
	for _, name := range names {
		if err := c.Exec(`DELETE FROM follow_progress WHERE name = $1`, []any{name}); err != nil {
			return err
		}
	}
	return nil
}

// Last returns the number of the last row of a table that only claims, settlements and updates write. It must be called in an update:
// then none of them runs, and no row can appear below that number.
func Last(c db.Conn, table string) (int64, error) {
	seq, _, err := db.One(c, db.FirstInt, `SELECT COALESCE(MAX(seq), 0) FROM `+table)
	return seq, err
}

// Chunk is what is written in one go.
type Chunk struct {
	Last  int64 // number of the last row that it is about
	Write func(db.Conn) error
}

// Plan says what is written for some rows.
type Plan func(ctx context.Context, job Job, batch []db.Row) ([]Chunk, error)

// Chunks is a Plan that writes rows as they are.
func Chunks(write func(c db.Conn, some []db.Row) error) Plan {
	return func(_ context.Context, _ Job, batch []db.Row) (chunks []Chunk, err error) {
		for some := range slices.Chunk(batch, chunkRows) {
			chunks = append(chunks, Chunk{some[len(some)-1].Int(0), func(c db.Conn) error { return write(c, some) }})
		}
		return chunks, nil
	}
}

// Rows follows the rows of a query, which has the number of the row in its first column, and gets as parameters the number after which to
// read, the last one, and how many. It returns how many rows there were.
func Rows(ctx context.Context, job Job, name, query string, after, last int64, plan Plan) (n int64, err error) {
	for after < last {
		some, err := job.Read(ctx, query, after, last, int64(BatchRows))
		if err != nil || len(some) == 0 {
			return n, err
		}
		chunks, err := plan(ctx, job, some)
		if err != nil {
			return n, err
		}
		if err := job.Steps(ctx, len(chunks), func(c db.Conn, i int) error { return chunks[i].Write(c) }, func(c db.Conn, _, end int) error {
			return c.Exec(`UPDATE follow_progress SET seq = $1 WHERE name = $2`, []any{chunks[end-1].Last, name})
		}); err != nil {
			return n, err
		}
		after, n = some[len(some)-1].Int(0), n+int64(len(some))
	}
	return n, nil
}

// Empty deletes the rows of a table in steps, by its keys.
func Empty(ctx context.Context, job Job, table, keys, deletion string) error {
	for {
		old, err := job.Read(ctx, `SELECT `+keys+` FROM `+table+` LIMIT $1`, int64(BatchRows))
		if err != nil || len(old) == 0 {
			return err
		}
		if err := job.Steps(ctx, len(old), func(c db.Conn, i int) error { return c.Exec(deletion, old[i]) }, nil); err != nil {
			return err
		}
	}
}
