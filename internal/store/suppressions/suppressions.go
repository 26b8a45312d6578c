// Package suppressions has the SQL of the table suppressions: phone numbers whose owners asked not to be contacted (a do-not-call list, DNC; opt-outs), and the copy of them in
// memory that every new lead is checked with. What follows for leads is for the operator to decide.
package suppressions

import (
	"fmt"
	"time"

	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// Suppressions are the suppressed phone numbers as one transaction sees them. After a commit that changes them, the caller must call
// Store.Refresh.
type Suppressions struct{ Conn db.Conn }

// Suppression is a phone number whose owner asked not to be contacted.
type Suppression struct {
	Phone     string
	Reason    string
	CreatedAt time.Time
}

// Add adds a phone number. If the number is suppressed already, Add changes its reason.
func (t Suppressions) Add(phone, reason string, at time.Time) error {
	if err := t.Conn.Exec(`INSERT INTO suppressions (phone, reason, created_at) VALUES ($1, $2, $3)
		ON CONFLICT (phone) DO UPDATE SET reason = excluded.reason`, []any{phone, reason, rows.Micros(at)}); err != nil {
		return err
	}
	return t.bump()
}

// AddMany adds numbers, and returns how many of them are new. Numbers that are suppressed already keep their reason and time.
func (t Suppressions) AddMany(phones []string, reason string, at time.Time) (added int64, err error) {
	if len(phones) == 0 {
		return 0, nil
	}
	query := []byte(`INSERT INTO suppressions (reason, created_at, phone) VALUES `)
	args := []any{reason, rows.Micros(at)}
	for i, phone := range phones {
		if i > 0 {
			query = append(query, ',')
		}
		args = append(args, phone)
		query = fmt.Appendf(query, "($1, $2, $%d)", len(args))
	}
	query = append(query, ` ON CONFLICT (phone) DO NOTHING`...)
	if added, err = t.Conn.ExecCount(string(query), args); err != nil || added == 0 {
		return added, err
	}
	return added, t.bump()
}

// Remove removes a number, and reports whether it was suppressed.
func (t Suppressions) Remove(phone string) (bool, error) {
	rows, err := t.Conn.ExecCount(`DELETE FROM suppressions WHERE phone = $1`, []any{phone})
	if err != nil || rows == 0 {
		return false, err
	}
	return true, t.bump()
}

// bump changes the version that every process polls.
func (t Suppressions) bump() error {
	return t.Conn.Exec(`UPDATE changes SET version = version + 1 WHERE topic = 'suppressions'`, nil)
}

// List lists suppressed phone numbers, newest first: those from up to a time, after some that are skipped.
func (t Suppressions) List(upTo time.Time, skip, limit int) ([]Suppression, error) {
	return db.All(t.Conn, func(r db.Row) (Suppression, error) {
		return Suppression{r.Text(0), r.Text(1), rows.Time(r.Int(2))}, nil
	},
		`SELECT phone, reason, created_at FROM suppressions WHERE created_at <= $1 ORDER BY created_at DESC, phone LIMIT $2 OFFSET $3`, rows.Micros(upTo), int64(limit), int64(skip))
}

// Since returns since when a number is suppressed. The time is zero if it is not.
func (t Suppressions) Since(phone string) (time.Time, error) {
	at, _, err := db.One(t.Conn, func(r db.Row) (time.Time, error) { return rows.Time(r.Int(0)), nil }, `SELECT created_at FROM suppressions WHERE phone = $1`, phone)
	return at, err
}

// Phones are the suppressed phone numbers, kept in memory because every new lead is checked.
type Phones struct {
	version int64
	phones  map[string]struct{}
}

// Include reports whether a phone number is suppressed.
func (p *Phones) Include(phone string) bool {
	_, found := p.phones[phone]
	return found
}

// Phones reads all numbers, or returns known, which may be nil, if nothing has changed since.
func (t Suppressions) Phones(known *Phones) (*Phones, error) {
	// Read the version first: a change between the two reads is read again later, never missed.
	version, _, err := db.One(t.Conn, db.FirstInt, `SELECT version FROM changes WHERE topic = 'suppressions'`)
	if err != nil || known != nil && known.version == version {
		return known, err
	}
	list, err := db.All(t.Conn, db.FirstText, `SELECT phone FROM suppressions`)
	loaded := &Phones{version, make(map[string]struct{}, len(list))}
	for _, phone := range list {
		loaded.phones[phone] = struct{}{}
	}
	return loaded, err
}
