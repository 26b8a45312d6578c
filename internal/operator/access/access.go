// Package access decides who may use the console and the operator's API: users with passwords, passkeys and sessions, and programs with
// tokens. Every change names its actor, and is written to the audit trail in the transaction that makes it.
//
// The package shows no page and reads no cookie or header. It stores no password, session or token, only hashes of them; each is returned
// once, when it is made. What a role or a token may do is for the console to enforce.
package access

import (
	"context"
	"time"

	"foyer/internal/audit"
	"foyer/internal/store"
)

// Access carries out what concerns who may sign in.
type Access struct {
	Store  Store
	Now    func() time.Time
	NewID  func(prefix string) string
	Record func(tx *store.Tx, by audit.Actor, action audit.Action, subject string, detail audit.Detail) error // in the audit trail
}

// Store is what Access needs of the database.
type Store interface {
	Update(ctx context.Context, do func(*store.Tx) error) error
	UpdateUrgent(ctx context.Context, do func(*store.Tx) error) error // for a client that waits
	View(ctx context.Context, do func(*store.Tx) error) error
}
