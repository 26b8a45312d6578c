package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store/commit"
	"foyer/internal/store/db"
)

// Tx is one transaction. It reads and writes rows; its callers decide what they mean. It remembers what it has read, so that rules
// may ask again.
type Tx struct {
	conn          db.Conn
	healths       map[string]buyer.Health // by buyer id, as the transaction read or wrote them
	leads         map[int64]leadResult    // by seq, as the current request read them together with deliveries
	newLeads      map[int64]bool          // by seq: whether a delivery that the current request read is in table new_leads
	buyersVersion int64                   // as the current request read it; 0 before that
	erased        bool                    // whether the current request erased a person
}

func newTx(c db.Conn) *Tx {
	return &Tx{conn: c, healths: make(map[string]buyer.Health), leads: make(map[int64]leadResult), newLeads: make(map[int64]bool)}
}

// leadResult is a lead, or the error of reading it.
type leadResult struct {
	lead lead.Lead
	err  error
}

// startRequest forgets what earlier requests in the transaction read.
func (tx *Tx) startRequest() {
	clear(tx.leads)
	clear(tx.newLeads)
	tx.buyersVersion, tx.erased = 0, false
}

// Update runs do in a transaction and commits it together with the other requests that are waiting. If another request in the
// group fails, do runs again, so it must start by resetting what it collected before.
func (s *Store) Update(ctx context.Context, do func(*Tx) error) error {
	return s.update(ctx, commit.Background, do)
}

// UpdateUrgent is Update for a client that waits: if no writer can commit it in time, it soon fails.
func (s *Store) UpdateUrgent(ctx context.Context, do func(*Tx) error) error {
	return s.update(ctx, commit.Urgent, do)
}

// write is Update for work that is neither urgent nor in the background.
func (s *Store) write(ctx context.Context, do func(*Tx) error) error {
	return s.update(ctx, commit.Normal, do)
}

// update runs do in a transaction. If do erased a person, the engine's own log must lose them too.
func (s *Store) update(ctx context.Context, kind commit.Kind, do func(*Tx) error) error {
	erased := false
	err := translateWrite(s.updates.Submit(ctx, work{do: func(tx *Tx) error {
		err := do(tx)
		erased = tx.erased
		return err
	}}, kind))
	if err == nil && erased {
		err = s.engine.TruncateLog(ctx)
	}
	return err
}

// View runs do on a snapshot of the database. It neither blocks writers nor waits for them. Every write in do fails.
func (s *Store) View(ctx context.Context, do func(*Tx) error) error {
	pool := s.readPool.Load() // without a timeout: an operator waits for it
	tx, err := pool.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return s.readError(pool, err)
	}
	defer tx.Rollback() // there is nothing to commit
	return s.readError(pool, do(newTx(snapshotConn{ctx: ctx, tx: tx})))
}

// exec runs a statement without a result. Its error may be reported only at the commit.
func (tx *Tx) exec(query string, args ...any) error { return tx.conn.Exec(query, args) }

// execOne runs a statement that must change exactly one row.
func (tx *Tx) execOne(query string, args ...any) error { return tx.conn.ExecOne(query, args) }

// execCount runs a statement and returns how many rows it changed.
func (tx *Tx) execCount(query string, args ...any) (int64, error) {
	return tx.conn.ExecCount(query, args)
}

// query reads rows inside the transaction.
func (tx *Tx) query(query string, args []any, do func(db.Row) error) error {
	return tx.conn.Query(query, args, do)
}

// queryRow is query for at most one row. It reports whether there was one.
func (tx *Tx) queryRow(query string, args []any, do func(db.Row)) (found bool, err error) {
	err = tx.query(query, args, func(r db.Row) error { found = true; do(r); return nil })
	return found, err
}

// snapshotConn is a db.Conn for a read-only transaction.
type snapshotConn struct {
	ctx context.Context
	tx  *sql.Tx
}

var errReadOnly = errors.New("this is a look: nothing can be written")

func (c snapshotConn) Query(query string, args []any, do func(db.Row) error) error {
	rows, err := c.tx.QueryContext(c.ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for seen := make(db.Row, len(columns)); rows.Next(); {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, v := range values {
			seen[i] = v
		}
		if err := do(seen); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (c snapshotConn) SetDeadline(time.Time) {}

func (c snapshotConn) Begin() error { return nil }

func (c snapshotConn) Commit() error { return errReadOnly }

func (c snapshotConn) Rollback() {}

func (c snapshotConn) Close() error { return nil }

func (c snapshotConn) Check(context.Context) (bool, error) { return true, nil }

func (c snapshotConn) Exec(string, []any) error { return errReadOnly }

func (c snapshotConn) ExecOne(string, []any) error { return errReadOnly }

func (c snapshotConn) ExecCount(string, []any) (int64, error) { return 0, errReadOnly }

func (c snapshotConn) InsertBatch(db.Batch, [][]any) error { return errReadOnly }
