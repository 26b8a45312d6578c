// Package keys has the SQL of the table keys: the ids of the secret keys that a database is used with. The keys themselves are never stored
// in the database.
package keys

import (
	"slices"
	"time"

	"foyer/internal/store/db"
	"foyer/internal/store/rows"
	"foyer/internal/store/search"
)

// Keys are the ids of the keys as one transaction sees them.
type Keys struct{ Conn db.Conn }

// Registered is a key that a database is used with.
type Registered struct {
	ID    string
	Since time.Time
}

// List lists the keys, in alphabetical order.
func (t Keys) List() ([]Registered, error) {
	return db.All(t.Conn, func(r db.Row) (Registered, error) { return Registered{r.Text(0), rows.Time(r.Int(1))}, nil }, `SELECT id, created_at FROM keys ORDER BY id`)
}

// IDs lists the ids of the keys, in alphabetical order.
func (t Keys) IDs() ([]string, error) {
	return db.All(t.Conn, db.FirstText, `SELECT id FROM keys ORDER BY id`)
}

// Replace replaces the ids with others if they are exactly those that the caller knows, and reports whether it did. A key that stays keeps
// its time.
func (t Keys) Replace(known, ids []string, at time.Time) (done bool, err error) {
	current, err := t.IDs()
	if err != nil || !slices.Equal(current, slices.Sorted(slices.Values(known))) {
		return false, err
	}
	for _, id := range current {
		if slices.Contains(ids, id) {
			continue
		}
		if err := t.Conn.Exec(`DELETE FROM keys WHERE id = $1`, []any{id}); err != nil {
			return false, err
		}
		if err := search.Reset(t.Conn); err != nil { // it is of no use with other keys
			return false, err
		}
	}
	for _, id := range ids {
		if err := t.Conn.Exec(`INSERT INTO keys (id, created_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`, []any{id, rows.Micros(at)}); err != nil {
			return false, err
		}
	}
	return true, nil
}
