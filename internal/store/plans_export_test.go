package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"strings"
	"testing"

	"foyer/internal/store/sqlite"
)

// Planned opens a reader that reports the query plan of each of its queries in SQLite.
func Planned(t *testing.T, database string, report func(plan string)) *Reader {
	t.Helper()
	r, err := OpenReader(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	original := r.pool
	r.pool = sql.OpenDB(planner{original.Driver(), sqlite.DSN(strings.TrimPrefix(database, "sqlite:"), "query_only(1)"), report})
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := original.Close(); err != nil {
		t.Fatal(err)
	}
	return r
}

// planner opens connections that explain each query before they run it.
type planner struct {
	driver driver.Driver
	name   string
	report func(plan string)
}

func (p planner) Driver() driver.Driver { return p.driver }

func (p planner) Connect(context.Context) (driver.Conn, error) {
	conn, err := p.driver.Open(p.name)
	return explaining{conn, p.report}, err
}

type explaining struct {
	driver.Conn
	report func(plan string)
}

// BeginTx begins a transaction.
func (e explaining) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	return e.Conn.(driver.ConnBeginTx).BeginTx(ctx, o)
}

// QueryContext explains and runs a query.
func (e explaining) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	conn := e.Conn.(driver.QueryerContext)
	rows, err := conn.QueryContext(ctx, "EXPLAIN QUERY PLAN "+query, args)
	if err != nil {
		return nil, err
	}
	var steps []string
	for line := make([]driver.Value, len(rows.Columns())); rows.Next(line) == nil; {
		steps = append(steps, line[3].(string))
	}
	e.report(strings.Join(steps, "; "))
	if err := rows.Close(); err != nil {
		return nil, err
	}
	return conn.QueryContext(ctx, query, args)
}
