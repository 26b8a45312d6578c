package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"foyer/internal/store/arrivals"
	"foyer/internal/store/db"
	"foyer/internal/store/migrations"
)

// read runs do on the read pool, with the engine's timeout for reads. It neither blocks writers nor waits for them: SQLite in WAL mode
// and the MVCC of PostgreSQL let it read while a writer commits. Two queries may see different states of the database: where that
// matters, use View.
func read[T any](ctx context.Context, s *Store, do func(*Tx) (T, error)) (T, error) {
	ctx, done := s.engine.ReadContext(ctx)
	defer done()
	pool := s.readPool.Load()
	value, err := do(newTx(readConn{ctx: ctx, from: pool}))
	return value, s.readError(pool, err)
}

// View runs do on a snapshot of the database, without blocking writers or waiting for them: a read-only transaction, REPEATABLE READ
// on PostgreSQL. Every write in do fails. Foyer gives it no timeout, because it may take long.
func (s *Store) View(ctx context.Context, do func(*Tx) error) error {
	pool := s.readPool.Load()
	return s.readError(pool, view(ctx, pool, do))
}

// LeadsBefore returns how many leads were created before each of the times, which must be sorted.
func (s *Store) LeadsBefore(ctx context.Context, times ...time.Time) (counts []int64, err error) {
	err = s.View(ctx, func(tx *Tx) (err error) { counts, err = arrivals.Before(tx.conn, times...); return err })
	return counts, err
}

func view(ctx context.Context, pool *sql.DB, do func(*Tx) error) error {
	tx, err := pool.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback() // there is nothing to commit
	return do(newTx(readConn{ctx: ctx, from: tx}))
}

// readConn is the connection of a transaction that only reads.
type readConn struct {
	db.Conn // nil: only a writer calls what is not below
	ctx     context.Context
	from    db.Querier
}

var errReadOnly = errors.New("a snapshot cannot be written to")

func (c readConn) Query(query string, args []any, do func(db.Row) error) error {
	return db.Each(c.ctx, c.from, do, query, args...)
}

func (c readConn) Exec(string, []any) error { return errReadOnly }

func (c readConn) ExecOne(string, []any) error { return errReadOnly }

func (c readConn) ExecCount(string, []any) (int64, error) { return 0, errReadOnly }

// Reader reads a database that a running service may be writing to. It cannot change anything.
type Reader struct {
	engine db.Engine
	pool   *sql.DB
}

// OpenReader opens an existing database for reading only.
func OpenReader(ctx context.Context, database string) (*Reader, error) {
	e, err := ExistingEngine(ctx, database)
	if err != nil {
		return nil, err
	}
	pool, err := e.Read()
	if err != nil {
		return nil, err
	}
	if err := migrations.CheckReadable(ctx, e, pool); err != nil {
		return nil, db.CannotOpen(e, errors.Join(err, pool.Close()))
	}
	return &Reader{engine: e, pool: pool}, nil
}

// View runs do on a snapshot of the database, like Store.View.
func (r *Reader) View(ctx context.Context, do func(*Tx) error) error {
	return TranslateError(r.engine, view(ctx, r.pool, do))
}

// Close closes the database.
func (r *Reader) Close() error { return r.pool.Close() }
