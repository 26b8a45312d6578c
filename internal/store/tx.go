package store

import (
	"context"
	"sync/atomic"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store/commit"
	"foyer/internal/store/db"
	"foyer/internal/store/locks"
	"foyer/internal/store/offercounts"
	"foyer/internal/store/persons"
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

	counts     *offercounts.Counts
	queueStart *atomic.Pointer[queueStart] // of the store; nil if the transaction only reads

	// For transactions that run beside those of other processes: see forwarding.go.
	locks      *locks.Locks
	deliveries map[int64]lockedDelivery // by seq
	others     map[int64]persons.Others // by seq, as ReadPersons read them
}

func newTx(c db.Conn) *Tx {
	return &Tx{
		conn: c, healths: make(map[string]buyer.Health), leads: make(map[int64]leadResult), newLeads: make(map[int64]bool),
		counts: offercounts.New(),
		locks:  locks.New(), deliveries: make(map[int64]lockedDelivery), others: make(map[int64]persons.Others),
	}
}

// leadResult is a lead, or the error of reading it.
type leadResult struct {
	lead lead.Lead
	err  error
}

// start forgets the transaction before. What a request read, startRequest forgets.
func (tx *Tx) start() {
	clear(tx.healths)
	tx.counts.Start()
	tx.locks.Start()
	clear(tx.deliveries)
}

// startRequest forgets what earlier requests in the transaction read.
func (tx *Tx) startRequest() {
	clear(tx.leads)
	clear(tx.newLeads)
	tx.counts.StartRequest()
	clear(tx.others)
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

// number reads one number. It is 0 if there is no row.
func (tx *Tx) number(query string, args ...any) (int64, error) {
	n, _, err := one(tx, db.FirstInt, query, args...)
	return n, err
}

// one reads at most one row, and reports whether there was one.
func one[T any](tx *Tx, scan func(db.Row) (T, error), query string, args ...any) (value T, found bool, err error) {
	return db.One(tx.conn, scan, query, args...)
}

// existing is like one, for a row that must exist; what names the row in the error.
func existing[T any](tx *Tx, what string, scan func(db.Row) (T, error), query string, args ...any) (T, error) {
	value, found, err := one(tx, scan, query, args...)
	if err == nil && !found {
		err = lead.NotFoundError(what)
	}
	return value, err
}

// all reads all rows of a query.
func all[T any](tx *Tx, scan func(db.Row) (T, error), query string, args ...any) (list []T, err error) {
	return db.All(tx.conn, scan, query, args...)
}

// bump changes the version of a topic, which every process polls.
func bump(tx *Tx, topic string) error {
	clear(tx.deliveries) // they were read with the version before
	tx.buyersVersion = 0
	return tx.exec(`UPDATE changes SET version = version + 1 WHERE topic = $1`, topic)
}
