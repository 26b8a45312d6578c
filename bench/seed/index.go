package seed

import (
	"context"
	"database/sql"

	"foyer/internal/store/db"
	"foyer/internal/store/follow"
	"foyer/internal/store/search"
)

// SearchKey is the key of the search index of a seeded store.
var SearchKey = []byte("the key of a seeded store")

// fillIndex fills the search index as the service's job does, but without pauses.
func fillIndex(ctx context.Context, conn *sql.Conn) error {
	x := search.Indexer{Key: SearchKey, Leads: &follow.Leads{}}
	_, err := x.Run(ctx, indexJob{conn})
	return err
}

// indexJob runs the statements of an Indexer on a connection.
type indexJob struct{ conn *sql.Conn }

func (j indexJob) Read(ctx context.Context, query string, args ...any) (list []db.Row, err error) {
	err = db.Each(ctx, j.conn, func(r db.Row) error { list = append(list, r); return nil }, query, args...)
	return list, err
}

func (j indexJob) Update(ctx context.Context, do func(db.Conn) error) error {
	return do(indexConn{conn: j.conn, ctx: ctx})
}

func (j indexJob) Steps(ctx context.Context, n int, do func(c db.Conn, i int) error, after func(c db.Conn, first, last int) error) error {
	c := indexConn{conn: j.conn, ctx: ctx}
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

// indexConn is a connection that is only asked to run statements and to read.
type indexConn struct {
	db.Conn // nil
	conn    *sql.Conn
	ctx     context.Context
}

func (c indexConn) Exec(query string, args []any) error {
	_, err := c.conn.ExecContext(c.ctx, query, args...)
	return err
}

func (c indexConn) Query(query string, args []any, do func(db.Row) error) error {
	return db.Each(c.ctx, c.conn, do, query, args...)
}
