package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"modernc.org/sqlite"
)

// readers is the size of the read pool. Readers share the operating system's page cache, so a few are enough.
const readers = 4

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
	return &readConn{driverConn: made.(driverConn), idle: make(statements)}, nil
}

// driverConn is what database/sql uses of the driver's connection. It does not run a statement by its text: that would compile it each time.
type driverConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// readConn is a connection of the read pool, which keeps its compiled statements: database/sql prepares every query, and closes the
// statement when its rows are read.
type readConn struct {
	driverConn
	idle statements
}

func (c *readConn) PrepareContext(_ context.Context, query string) (driver.Stmt, error) {
	s, err := c.idle.take(query, c.driverConn)
	if err != nil {
		return nil, err
	}
	return &readStatement{s, c, query}, nil
}

// Close closes the statements first: SQLite keeps a file open that has one.
func (c *readConn) Close() error {
	err := c.idle.close()
	c.idle = nil
	return errors.Join(err, c.driverConn.Close())
}

// readStatement is a statement in use.
type readStatement struct {
	statement
	conn  *readConn
	query string
}

// Close keeps the statement for the next query with this text.
func (s *readStatement) Close() error { return s.conn.idle.giveBack(s.query, s.statement) }
