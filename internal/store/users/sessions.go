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

// Session is a browser that is signed in, without its text, which is kept nowhere.
type Session struct {
	ID, Hash, UserID string
	Device           string // what the browser calls itself
	CreatedAt        time.Time
	SeenAt           time.Time // to the minute
	ExpiresAt        time.Time
}

const sessionColumns = `id, hash, user_id, device, created_at, seen_at, expires_at`

func scanSession(r db.Row) (Session, error) {
	return Session{
		ID: r.Text(0), Hash: r.Text(1), UserID: r.Text(2), Device: r.Text(3),
		CreatedAt: rows.Time(r.Int(4)), SeenAt: rows.Time(r.Int(5)), ExpiresAt: rows.Time(r.Int(6)),
	}, nil
}

// AddSession adds a session.
func (t Users) AddSession(s Session) error {
	return t.Conn.Exec(`INSERT INTO sessions (`+sessionColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		[]any{s.ID, s.Hash, s.UserID, s.Device, rows.Micros(s.CreatedAt), rows.Micros(s.SeenAt), rows.Micros(s.ExpiresAt)})
}

// FindSession finds a session by its hash.
func (t Users) FindSession(hash string) (s Session, found bool, err error) {
	return db.One(t.Conn, scanSession, `SELECT `+sessionColumns+` FROM sessions WHERE hash = $1`, hash)
}

// Sessions lists the sessions of a user, newest first, expired ones included.
func (t Users) Sessions(userID string) (list []Session, err error) {
	err = t.Conn.Query(`SELECT `+sessionColumns+` FROM sessions WHERE user_id = $1 ORDER BY created_at DESC, id`, []any{userID}, func(r db.Row) error {
		s, err := scanSession(r)
		list = append(list, s)
		return err
	})
	return list, err
}

// SeeSession notes when a session was last used.
func (t Users) SeeSession(id string, at time.Time) error {
	return t.Conn.Exec(`UPDATE sessions SET seen_at = $1 WHERE id = $2 AND seen_at < $1`, []any{rows.Micros(at), id})
}

// EndSession ends a session of a user, and reports whether there was one.
func (t Users) EndSession(userID, id string) (ended bool, err error) {
	n, err := t.Conn.ExecCount(`DELETE FROM sessions WHERE user_id = $1 AND id = $2`, []any{userID, id})
	return n > 0, err
}

// EndSessions ends the sessions of a user but one, or all with "". It returns how many there were.
func (t Users) EndSessions(userID, but string) (n int64, err error) {
	return t.Conn.ExecCount(`DELETE FROM sessions WHERE user_id = $1 AND id <> $2`, []any{userID, but})
}
