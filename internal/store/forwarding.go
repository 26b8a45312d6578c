package store

import (
	"context"
	"errors"
	"slices"

	"foyer/internal/buyer"
	"foyer/internal/store/commit"
	"foyer/internal/store/db"
	"foyer/internal/store/locks"
	"foyer/internal/store/persons"
	"foyer/internal/store/rows"
)

// On PostgreSQL, every process claims and settles deliveries at the same time as the others (docs/decisions/0038). Their
// transactions share one lock, which Update takes exclusively, and serialize only what has to be exact, in this order:
//
//  1. a person's leads, by the phone number: whether one repeats another, and to whom they were sold (LockPersons)
//  2. a buyer: its health, caps and state (LockBuyers)
//  3. a lead, by its row in deliveries or new_leads
//
// A claim locks the rows of its leads first, but never waits for them: it skips those that others have locked. What was read before a
// lock may be old once the lock is there, so read again what matters. A write to a person's or a buyer's rows without the lock is
// refused with ErrNotLocked; a read is not. PostgreSQL ends a deadlock by failing one of its transactions, which then runs again. On
// SQLite, transactions that write run one at a time, and nothing is locked.

// ErrNotLocked refuses a write in a shared transaction that has not locked the person or the buyer. Update never returns it.
var ErrNotLocked = locks.ErrNotLocked

// maxDeadlocks is how many deadlocks a transaction may lose before it is left for later.
const maxDeadlocks = 5

// Claim runs do in a transaction that claims deliveries, beside those of other processes. A process claims one batch after another:
// two in one transaction would lock the persons of the second after the buyers of the first.
func (s *Store) Claim(ctx context.Context, do func(*Tx) error) error {
	return s.runShared(ctx, s.claims, commit.Background, work{do: do})
}

// Subject is what a settlement is about. The transaction locks it before do runs.
type Subject struct {
	Lead        int64
	Fingerprint string
	Buyer       string
	LockBuyer   bool // the health of the buyer may change
	Patient     bool // nothing waits for it: it may wait a moment for another transaction
}

// Settle runs do in a transaction that records the answer of a buyer, beside those of other processes. Settlements that wait share
// the transaction, the locks and the read of their deliveries.
func (s *Store) Settle(ctx context.Context, about Subject, do func(*Tx) error) error {
	kind := commit.Background
	if about.Patient {
		kind = commit.Patient
	}
	return s.runShared(ctx, s.settlements, kind, work{do: do, about: &about})
}

func (s *Store) runShared(ctx context.Context, queue *commit.Queue[work], kind commit.Kind, w work) (err error) {
	for range maxDeadlocks {
		if err = translateWrite(queue.Submit(ctx, w, kind)); !errors.Is(err, db.ErrDeadlock) {
			return err
		}
	}
	return errUnavailable(err)
}

// Shared reports whether transactions of other processes run beside this one, so that it has to lock what it changes.
func (tx *Tx) Shared() bool { return tx.locks.Shared }

// lockSubjects locks what a group of settlements is about, and reads it, in two round trips.
func (tx *Tx) lockSubjects(group []*request) error {
	var persons, buyers, locked []string
	var leads []int64
	for _, req := range group {
		if about := req.Work.about; about != nil {
			persons, buyers, leads = append(persons, about.Fingerprint), append(buyers, about.Buyer), append(leads, about.Lead)
			if about.LockBuyer {
				locked = append(locked, about.Buyer)
			}
		}
	}
	if len(leads) == 0 {
		return nil
	}
	if err := tx.locks.Persons(tx.conn, persons); err != nil {
		return err
	}
	if err := tx.locks.Buyers(tx.conn, locked); err != nil {
		return err
	}
	if err := tx.readHealths(buyers); err != nil {
		return err
	}
	slices.Sort(leads)
	version := tx.buyersVersion
	return tx.query(`SELECT `+rows.DeliveryColumns+` FROM deliveries WHERE lead_seq = ANY($1) ORDER BY lead_seq FOR UPDATE`, []any{leads}, func(r db.Row) error {
		tx.deliveries[r.Int(0)] = lockedDelivery{rows.Delivery(r), version}
		return nil
	})
}

// lockedDelivery is a delivery that a shared transaction has locked and read, and the version of the buyers at that time.
type lockedDelivery struct {
	delivery      buyer.Delivery
	buyersVersion int64
}

// LockPersons locks the persons with these fingerprints until the transaction ends. It comes before LockBuyers.
func (tx *Tx) LockPersons(fingerprints ...string) error {
	return tx.locks.Persons(tx.conn, fingerprints)
}

// LockBuyers locks buyers until the transaction ends, and reads their health and the version of the list of buyers: another process
// may have stopped one of them while this one waited.
func (tx *Tx) LockBuyers(ids ...string) error {
	if err := tx.locks.Buyers(tx.conn, ids); err != nil {
		return err
	}
	return tx.readHealths(ids)
}

// readHealths reads the health of several buyers, and the version of the list of buyers, with one query.
func (tx *Tx) readHealths(ids []string) error {
	for _, id := range ids {
		tx.healths[id] = buyer.Health{}
	}
	return tx.query(`SELECT `+rows.HealthColumns+`, buyer_id, version FROM changes LEFT JOIN buyer_health ON buyer_id = ANY($1) WHERE topic = 'buyers'`, []any{ids}, func(r db.Row) error {
		tx.buyersVersion = r.Int(len(r) - 1)
		h, err := rows.Health(r)
		if id := r.Text(len(r) - 2); id != "" { // no row has one if no buyer has a health yet
			tx.healths[id] = h
		}
		return err
	})
}

// PersonOf says which leads to compare a lead with.
type PersonOf = persons.Of

// ReadPersons reads what LeadsOfPhone will be asked for, with one query. Leads that are compared with each other are left out: what
// becomes of the first changes what LeadsOfPhone finds for the second.
func (tx *Tx) ReadPersons(list []PersonOf) error {
	return persons.ReadAll(tx.conn, list, tx.others)
}
