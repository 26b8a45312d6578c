// Package tokens has the SQL of the table tokens: what programs show to use the operator's API. It knows a token by its hash alone, and
// decides nothing: package operator says what a token may do, and until when.
package tokens

import (
	"time"

	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// Tokens are the tokens as one transaction sees them.
type Tokens struct{ Conn db.Conn }

// Token is a token without its text, which is kept nowhere.
type Token struct {
	ID, Name, Hash string
	Scope          Scope
	PersonalData   bool // it may see who sent a lead, and decide who else does
	CreatedAt      time.Time
	CreatedBy      string
	ExpiresAt      time.Time
	RevokedAt      time.Time // zero if it is not revoked
	UsedAt         time.Time // zero if it was never used
}

// Scope is what a token may do.
type Scope string

// The scopes.
const (
	Read  Scope = "read"
	Write Scope = "write" // and read
)

// Valid reports whether a token can be used at a time.
func (t Token) Valid(now time.Time) bool { return t.RevokedAt.IsZero() && now.Before(t.ExpiresAt) }

const columns = `id, name, hash, scope, personal_data, created_at, created_by, expires_at, revoked_at, used_at`

func scan(r db.Row) (Token, error) {
	return Token{
		ID: r.Text(0), Name: r.Text(1), Hash: r.Text(2), Scope: Scope(r.Text(3)), PersonalData: r.Int(4) != 0,
		CreatedAt: rows.Time(r.Int(5)), CreatedBy: r.Text(6), ExpiresAt: rows.Time(r.Int(7)), RevokedAt: rows.TimeOrZero(r.Int(8)), UsedAt: rows.TimeOrZero(r.Int(9)),
	}, nil
}

// Add adds a token.
func (t Tokens) Add(x Token) error {
	return t.Conn.Exec(`INSERT INTO tokens (id, name, hash, scope, personal_data, created_at, created_by, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		[]any{x.ID, x.Name, x.Hash, string(x.Scope), rows.Bit(x.PersonalData), rows.Micros(x.CreatedAt), x.CreatedBy, rows.Micros(x.ExpiresAt)})
}

// List lists all tokens, newest first, revoked and expired ones included.
func (t Tokens) List() (list []Token, err error) {
	err = t.Conn.Query(`SELECT `+columns+` FROM tokens ORDER BY created_at DESC, id`, nil, func(r db.Row) error {
		x, err := scan(r)
		list = append(list, x)
		return err
	})
	return list, err
}

// Find finds a token by its hash.
func (t Tokens) Find(hash string) (x Token, found bool, err error) {
	return db.One(t.Conn, scan, `SELECT `+columns+` FROM tokens WHERE hash = $1`, hash)
}

// Revoke makes a token useless from a time on.
func (t Tokens) Revoke(id string, at time.Time) error {
	return t.Conn.ExecOne(`UPDATE tokens SET revoked_at = $1 WHERE id = $2`, []any{rows.Micros(at), id})
}

// Use notes when a token was last used.
func (t Tokens) Use(id string, at time.Time) error {
	return t.Conn.Exec(`UPDATE tokens SET used_at = $1 WHERE id = $2`, []any{rows.Micros(at), id})
}
