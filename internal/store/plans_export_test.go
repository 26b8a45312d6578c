package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"strings"
	"testing"
)

// NewestThat is the question for the leads of one status.
var NewestThat = newestByStatus

// Planned opens a reader that tells, for every question it is asked, how SQLite goes about it.
func Planned(t *testing.T, database string, tell func(plan string)) *Reader {
	t.Helper()
	r, err := OpenReader(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	plain := r.db
	r.db = sql.OpenDB(planner{plain.Driver(), dsn(strings.TrimPrefix(database, "sqlite:"), "query_only(1)"), tell})
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := plain.Close(); err != nil {
		t.Fatal(err)
	}
	return r
}

// planner opens connections that explain a question before they answer it.
type planner struct {
	driver driver.Driver
	name   string
	tell   func(plan string)
}

func (p planner) Driver() driver.Driver { return p.driver }

func (p planner) Connect(context.Context) (driver.Conn, error) {
	conn, err := p.driver.Open(p.name)
	return explaining{conn, p.tell}, err
}

type explaining struct {
	driver.Conn
	tell func(plan string)
}

// QueryContext explains and answers a question.
func (e explaining) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	asker := e.Conn.(driver.QueryerContext)
	rows, err := asker.QueryContext(ctx, "EXPLAIN QUERY PLAN "+query, args)
	if err != nil {
		return nil, err
	}
	var steps []string
	for line := make([]driver.Value, len(rows.Columns())); rows.Next(line) == nil; {
		steps = append(steps, line[3].(string))
	}
	e.tell(strings.Join(steps, "; "))
	if err := rows.Close(); err != nil {
		return nil, err
	}
	return asker.QueryContext(ctx, query, args)
}
