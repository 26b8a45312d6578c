package users

import (
	"time"

	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

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
