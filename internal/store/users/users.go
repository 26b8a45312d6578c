// Package users has the SQL of the tables users, user_links, sessions and passkeys: who may sign in to the console, and who is
// signed in. It knows links and sessions by their hashes alone, and decides nothing: package operator/access says who may do what, and until when.
package users

import (
	"time"

	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// Users are the users as one transaction sees them.
type Users struct{ Conn db.Conn }

// User is a person who may sign in to the console, under a name and with a role.
type User struct {
	ID, Name   string
	Role       Role
	Password   string // its argon2id hash, or "" if none is chosen yet
	CreatedAt  time.Time
	CreatedBy  string
	SignedInAt time.Time // zero if nobody ever signed in
}

// Role is what an operator may do.
type Role string

// The roles.
const (
	Viewer   Role = "viewer" // sees everything but personal data
	Operator Role = "operator"
	Owner    Role = "owner" // manages the other users, too
)

const columns = `id, name, role, password, created_at, created_by, signed_in_at`

func scan(r db.Row) (User, error) {
	return User{
		ID: r.Text(0), Name: r.Text(1), Role: Role(r.Text(2)), Password: r.Text(3),
		CreatedAt: rows.Time(r.Int(4)), CreatedBy: r.Text(5), SignedInAt: rows.TimeOrZero(r.Int(6)),
	}, nil
}

// Add adds a user.
func (t Users) Add(a User) error {
	return t.Conn.Exec(`INSERT INTO users (`+columns+`) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		[]any{a.ID, a.Name, string(a.Role), a.Password, rows.Micros(a.CreatedAt), a.CreatedBy, rows.MicrosOrZero(a.SignedInAt)})
}

// List lists all users by their names.
func (t Users) List() (list []User, err error) {
	err = t.Conn.Query(`SELECT `+columns+` FROM users ORDER BY name`, nil, func(r db.Row) error {
		a, err := scan(r)
		list = append(list, a)
		return err
	})
	return list, err
}

// Find finds a user by its id.
func (t Users) Find(id string) (a User, found bool, err error) {
	return db.One(t.Conn, scan, `SELECT `+columns+` FROM users WHERE id = $1`, id)
}

// FindName finds a user by its name.
func (t Users) FindName(name string) (a User, found bool, err error) {
	return db.One(t.Conn, scan, `SELECT `+columns+` FROM users WHERE name = $1`, name)
}

// Any reports whether there is a user.
func (t Users) Any() (any bool, err error) {
	_, any, err = db.One(t.Conn, db.FirstInt, `SELECT 1 FROM users LIMIT 1`)
	return any, err
}

// SetRole changes the role of a user.
func (t Users) SetRole(id string, role Role) error {
	return t.Conn.ExecOne(`UPDATE users SET role = $1 WHERE id = $2`, []any{string(role), id})
}

// SetPassword changes the hash of the password of a user.
func (t Users) SetPassword(id, hash string) error {
	return t.Conn.ExecOne(`UPDATE users SET password = $1 WHERE id = $2`, []any{hash, id})
}

// SignIn notes when a user was last signed in to.
func (t Users) SignIn(id string, at time.Time) error {
	return t.Conn.ExecOne(`UPDATE users SET signed_in_at = $1 WHERE id = $2`, []any{rows.Micros(at), id})
}

// Remove removes a user with all that belongs to it.
func (t Users) Remove(id string) error {
	if err := t.Clear(id); err != nil {
		return err
	}
	return t.Conn.ExecOne(`DELETE FROM users WHERE id = $1`, []any{id})
}

// Clear removes the links, sessions and passkeys of a user.
func (t Users) Clear(id string) error {
	if err := t.RemoveLinks(id); err != nil {
		return err
	}
	if _, err := t.EndSessions(id, ""); err != nil {
		return err
	}
	return t.Conn.Exec(`DELETE FROM passkeys WHERE user_id = $1`, []any{id})
}
