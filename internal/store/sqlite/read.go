package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"modernc.org/sqlite"
)

const (
	// readers is the size of the read pool. Readers share the operating system's page cache, so a few are enough.
	readers = 4

	// maxStatements is how many compiled statements a connection of the read pool keeps, none with a text of more than maxText bytes: such
	// a text lists the leads of a page, does not come again, and takes much memory.
	maxStatements = 100
	maxText       = 2000
)

// Read opens the read pool. PRAGMA query_only makes its connections read-only, as mode=ro would. In WAL mode they read a snapshot while
// the writer commits, and neither waits for the other.
func (f *File) Read() (*sql.DB, error) {
	connector, err := sqlite.NewConnector(DSN(f.path, "query_only(1)", "cache_size(-4096)"))
	if err != nil {
		return nil, err
	}
	pool := sql.OpenDB(readConnector{connector})
	pool.SetMaxOpenConns(readers)
	pool.SetMaxIdleConns(readers)
	return pool, nil
}

type readConnector struct{ driver.Connector }

func (c readConnector) Connect(ctx context.Context) (driver.Conn, error) {
	made, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &readConn{driverConn: made.(driverConn), idle: make(map[string]statement)}, nil
}

// driverConn is what database/sql uses of the driver's connection. It does not run a statement by its text: that would compile it each time.
type driverConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// readConn is a connection of the read pool, which keeps its compiled statements: compiling one takes longer than running it. database/sql
// prepares every query, and closes the statement when its rows are read.
type readConn struct {
	driverConn
	idle map[string]statement // compiled and not in use, by their text
}

func (c *readConn) PrepareContext(_ context.Context, query string) (driver.Stmt, error) {
	if kept, ok := c.idle[query]; ok {
		delete(c.idle, query) // a query may run inside the rows of the same one
		return &readStatement{kept, c, query}, nil
	}
	made, err := c.Prepare(query)
	if err != nil {
		return nil, err
	}
	return &readStatement{made.(statement), c, query}, nil
}

// Close closes the statements first: SQLite keeps a file open that has one.
func (c *readConn) Close() error {
	var errs []error
	for _, s := range c.idle {
		errs = append(errs, s.Close())
	}
	c.idle = nil
	return errors.Join(append(errs, c.driverConn.Close())...)
}

// readStatement is a statement in use.
type readStatement struct {
	statement
	conn  *readConn
	query string
}

// Close keeps the statement for the next query with this text, in place of any other if there are too many.
func (s *readStatement) Close() error {
	c := s.conn
	if c.idle == nil || len(s.query) > maxText || c.idle[s.query] != nil { // the connection is closed, or this query ran inside itself
		return s.statement.Close()
	}
	var err error
	for text, other := range c.idle {
		if len(c.idle) < maxStatements {
			break
		}
		delete(c.idle, text)
		err = errors.Join(err, other.Close())
	}
	c.idle[s.query] = s.statement
	return err
}
