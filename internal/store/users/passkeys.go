package users

import (
	"time"

	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// Passkey is a passkey of a user. What it proves itself with stays on the person's device: the credential holds a public key.
type Passkey struct {
	ID, UserID   string
	CredentialID string // in base64url
	Credential   string // JSON
	Name         string
	CreatedAt    time.Time
	UsedAt       time.Time // zero if it was never used
}

const passkeyColumns = `id, user_id, credential_id, credential, name, created_at, used_at`

func scanPasskey(r db.Row) (Passkey, error) {
	return Passkey{
		ID: r.Text(0), UserID: r.Text(1), CredentialID: r.Text(2), Credential: r.Text(3), Name: r.Text(4),
		CreatedAt: rows.Time(r.Int(5)), UsedAt: rows.TimeOrZero(r.Int(6)),
	}, nil
}

// AddPasskey adds a passkey.
func (t Users) AddPasskey(k Passkey) error {
	return t.Conn.Exec(`INSERT INTO passkeys (`+passkeyColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		[]any{k.ID, k.UserID, k.CredentialID, k.Credential, k.Name, rows.Micros(k.CreatedAt), rows.MicrosOrZero(k.UsedAt)})
}

// FindPasskey finds a passkey by the id of its credential.
func (t Users) FindPasskey(credentialID string) (k Passkey, found bool, err error) {
	return db.One(t.Conn, scanPasskey, `SELECT `+passkeyColumns+` FROM passkeys WHERE credential_id = $1`, credentialID)
}

// Passkeys lists the passkeys of a user, newest first.
func (t Users) Passkeys(userID string) (list []Passkey, err error) {
	err = t.Conn.Query(`SELECT `+passkeyColumns+` FROM passkeys WHERE user_id = $1 ORDER BY created_at DESC, id`, []any{userID}, func(r db.Row) error {
		k, err := scanPasskey(r)
		list = append(list, k)
		return err
	})
	return list, err
}

// UsePasskey notes when a passkey was last used, and its credential after that.
func (t Users) UsePasskey(id, credential string, at time.Time) error {
	return t.Conn.ExecOne(`UPDATE passkeys SET credential = $1, used_at = $2 WHERE id = $3`, []any{credential, rows.Micros(at), id})
}

// RemovePasskey removes a passkey of a user, and reports whether there was one.
func (t Users) RemovePasskey(userID, id string) (removed bool, err error) {
	n, err := t.Conn.ExecCount(`DELETE FROM passkeys WHERE user_id = $1 AND id = $2`, []any{userID, id})
	return n > 0, err
}
