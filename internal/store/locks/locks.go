// Package locks has the advisory locks by which PostgreSQL serializes what has to be exact while several processes forward: a person's
// leads, and a buyer. It locks no rows, and nothing on SQLite, where one transaction writes at a time.
package locks

import (
	"errors"
	"hash/fnv"
	"slices"

	"foyer/internal/lead"
	"foyer/internal/store/db"
)

// ErrNotLocked refuses a write to what belongs to a person or a buyer that a shared transaction has not locked.
var ErrNotLocked = errors.New("the transaction has no lock for what it writes")

// Locks are the locks of a transaction, which end with it.
type Locks struct {
	Shared  bool // other processes write at the same time: without a lock, nothing may be written
	persons map[string]bool
	buyers  map[string]bool
}

// New returns the locks of a transaction that has none yet.
func New() *Locks { return &Locks{persons: make(map[string]bool), buyers: make(map[string]bool)} }

// Start forgets all locks: a transaction begins.
func (l *Locks) Start() {
	clear(l.persons)
	clear(l.buyers)
}

// Persons locks the persons with these fingerprints.
func (l *Locks) Persons(c db.Conn, fingerprints []string) error {
	phones := make([]string, len(fingerprints))
	for i, f := range fingerprints {
		phones[i] = phoneOf(f)
		l.persons[phones[i]] = true
	}
	return lockAll(c, personLocks, phones)
}

// Buyers locks buyers.
func (l *Locks) Buyers(c db.Conn, ids []string) error {
	for _, id := range ids {
		l.buyers[id] = true
	}
	return lockAll(c, buyerLocks, ids)
}

// CheckPerson refuses to change what belongs to a person who is not locked.
func (l *Locks) CheckPerson(fingerprint string) error {
	if l.Shared && !l.persons[phoneOf(fingerprint)] {
		return ErrNotLocked
	}
	return nil
}

// CheckBuyer refuses to change a buyer that is not locked: its health, its caps or its state.
func (l *Locks) CheckBuyer(id string) error {
	if l.Shared && !l.buyers[id] {
		return ErrNotLocked
	}
	return nil
}

// phoneOf returns the part of a fingerprint that all leads of a phone number share.
func phoneOf(fingerprint string) string {
	from, _ := lead.PhoneRange(fingerprint)
	return from
}

// The first numbers of the locks of persons and of buyers. The second one is a hash: if two have the same, one waits for the other
// without need.
const (
	personLocks = 0x666f7901
	buyerLocks  = 0x666f7902
)

// lockAll takes locks in a fixed order, so that two transactions do not deadlock.
func lockAll(c db.Conn, kind int32, names []string) error {
	if len(names) == 0 {
		return nil
	}
	keys := make([]int32, len(names))
	for i, name := range names {
		h := fnv.New32a()
		_, _ = h.Write([]byte(name))
		keys[i] = int32(h.Sum32())
	}
	slices.Sort(keys)
	return c.Exec(`SELECT pg_advisory_xact_lock($1::int, key) FROM unnest($2::int[]) AS key`, []any{kind, slices.Compact(keys)})
}
