package seed

import (
	"context"
	"database/sql"
	"time"

	"foyer/internal/store/db"
	"foyer/internal/store/follow"
	"foyer/internal/store/leadcounts"
	"foyer/internal/store/search"
)

// SearchKey is the key of the search index of a seeded store.
var SearchKey = []byte("the key of a seeded store")

// runFollowers fills the search index and the counts as the jobs of the service do, but without pauses.
func runFollowers(ctx context.Context, conn *sql.Conn) error {
	indexer := search.Indexer{Key: SearchKey, Leads: &follow.Leads{}}
	if _, err := indexer.Run(ctx, followJob{conn}); err != nil {
		return err
	}
	counter := leadcounts.Counter{Zone: time.UTC, Leads: &follow.Leads{}}
	_, err := counter.Run(ctx, followJob{conn})
	return err
}

// followJob runs the statements of a follower on a connection.
type followJob struct{ conn *sql.Conn }

func (j followJob) Read(ctx context.Context, query string, args ...any) (list []db.Row, err error) {
	err = db.Each(ctx, j.conn, func(r db.Row) error { list = append(list, r); return nil }, query, args...)
	return list, err
}

func (j followJob) Update(ctx context.Context, do func(db.Conn) error) error {
	return do(followConn{conn: j.conn, ctx: ctx})
}

func (j followJob) Steps(ctx context.Context, n int, do func(c db.Conn, i int) error, after func(c db.Conn, first, last int) error) error {
	c := followConn{conn: j.conn, ctx: ctx}
	if err := c.Exec("BEGIN", nil); err != nil {
		return err
	}
	for i := range n {
		if err := do(c, i); err != nil {
			return err
		}
	}
	if err := after(c, 0, n); err != nil {
		return err
	}
	return c.Exec("COMMIT", nil)
}

// followConn is a connection that is only asked to run statements and to read.
type followConn struct {
	db.Conn // nil
	conn    *sql.Conn
	ctx     context.Context
}

func (c followConn) Exec(query string, args []any) error {
	_, err := c.conn.ExecContext(c.ctx, query, args...)
	return err
}

func (c followConn) Query(query string, args []any, do func(db.Row) error) error {
	return db.Each(c.ctx, c.conn, do, query, args...)
}
