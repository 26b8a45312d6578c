package users

import (
	"time"

	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// Link is a link that works once, without its text, which is kept nowhere.
type Link struct {
	Hash      string
	UserID    string // "" if it makes the first owner
	CreatedAt time.Time
	ExpiresAt time.Time
}

// Valid reports whether a link can be used at a time.
func (l Link) Valid(now time.Time) bool { return now.Before(l.ExpiresAt) }

func scanLink(r db.Row) (Link, error) {
	return Link{Hash: r.Text(0), UserID: r.Text(1), CreatedAt: rows.Time(r.Int(2)), ExpiresAt: rows.Time(r.Int(3))}, nil
}

// AddLink adds a link.
func (t Users) AddLink(l Link) error {
	return t.Conn.Exec(`INSERT INTO user_links (hash, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4)`,
		[]any{l.Hash, l.UserID, rows.Micros(l.CreatedAt), rows.Micros(l.ExpiresAt)})
}

// FindLink finds a link by its hash.
func (t Users) FindLink(hash string) (l Link, found bool, err error) {
	return db.One(t.Conn, scanLink, `SELECT hash, user_id, created_at, expires_at FROM user_links WHERE hash = $1`, hash)
}

// RemoveLinks removes the links of a user, or with "" those that make the first owner.
func (t Users) RemoveLinks(userID string) error {
	return t.Conn.Exec(`DELETE FROM user_links WHERE user_id = $1`, []any{userID})
}
