package store

import (
	"context"
	"slices"
	"time"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/store/alerts"
	"foyer/internal/store/consents"
	"foyer/internal/store/db"
	"foyer/internal/store/legalholds"
	"foyer/internal/store/rows"
	"foyer/internal/store/saves"
	"foyer/internal/store/search"
	"foyer/internal/store/sources"
	"foyer/internal/store/tokens"
	"foyer/internal/store/users"
)

// Keys lists the ids of the keys that the database is used with, in alphabetical order. The keys themselves are never stored
// in the database.
func (s *Store) Keys(ctx context.Context) ([]string, error) { return read(ctx, s, (*Tx).keyIDs) }

func (tx *Tx) keyIDs() ([]string, error) {
	return all(tx, db.FirstText, `SELECT id FROM keys ORDER BY id`)
}

// Empty reports whether the database has no leads.
func (s *Store) Empty(ctx context.Context) (bool, error) {
	n, err := read(ctx, s, func(tx *Tx) (int64, error) { return tx.number(`SELECT 1 FROM leads LIMIT 1`) })
	return n == 0, err
}

// RegisterKeys replaces the key ids of the database with ids if they are exactly known, and reports whether it did. If several
// processes start at the same time, each with keys of its own, one succeeds. The audit entries are added with the ids.
func (s *Store) RegisterKeys(ctx context.Context, known, ids []string, at time.Time, entries ...audit.Entry) (done bool, err error) {
	err = s.write(ctx, func(tx *Tx) error {
		current, err := tx.keyIDs()
		done = err == nil && slices.Equal(current, slices.Sorted(slices.Values(known)))
		if !done {
			return err
		}
		for _, e := range entries {
			if err := tx.AddAudit(e); err != nil {
				return err
			}
		}
		for _, id := range current {
			if slices.Contains(ids, id) {
				continue // its row stays as it is
			}
			if err := tx.exec(`DELETE FROM keys WHERE id = $1`, id); err != nil {
				return err
			}
			if err := search.Reset(tx.conn); err != nil { // it is of no use with other keys
				return err
			}
		}
		for _, id := range ids {
			if err := tx.exec(`INSERT INTO keys (id, created_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`, id, rows.Micros(at)); err != nil {
				return err
			}
		}
		return nil
	})
	return done && err == nil, err
}

// RegisteredKey is a key that a database is used with.
type RegisteredKey struct {
	ID    string
	Since time.Time
}

// Keys lists the keys that the database is used with.
func (tx *Tx) Keys() ([]RegisteredKey, error) {
	return all(tx, func(r db.Row) (RegisteredKey, error) { return RegisteredKey{r.Text(0), rows.Time(r.Int(1))}, nil }, `SELECT id, created_at FROM keys ORDER BY id`)
}

// KeepConsentTexts stores the texts that people are about to agree to, so that they can be found by their hash.
func (s *Store) KeepConsentTexts(ctx context.Context, at time.Time, texts ...lead.ConsentText) error {
	return s.write(ctx, func(tx *Tx) error { return consents.Keep(tx.conn, at, texts...) })
}

// ConsentTexts returns every text that people were ever asked to agree to, by hash.
func (s *Store) ConsentTexts(ctx context.Context) (map[string]lead.ConsentText, error) {
	return read(ctx, s, func(tx *Tx) (map[string]lead.ConsentText, error) { return consents.All(tx.conn) })
}

// ConsentText finds a consent text by its hash.
func (tx *Tx) ConsentText(hash string) (string, error) {
	return existing(tx, "consent text with this hash", db.FirstText, `SELECT text FROM consent_texts WHERE hash = $1`, hash)
}

// Consent returns the words with a hash, and since when they are used.
func (tx *Tx) Consent(hash string) (lead.ConsentText, error) {
	return existing(tx, "consent text with this hash", func(r db.Row) (lead.ConsentText, error) {
		return lead.ConsentText{Version: r.Text(0), Text: r.Text(1), FirstUsed: rows.Time(r.Int(2))}, nil
	}, `SELECT version, text, first_used FROM consent_texts WHERE hash = $1`, hash)
}

// Sources are the sources of leads.
func (tx *Tx) Sources() sources.Sources { return sources.Sources{Conn: tx.conn} }

// Tokens are the tokens of the operator's API.
func (tx *Tx) Tokens() tokens.Tokens { return tokens.Tokens{Conn: tx.conn} }

// Users are the users of operators, with their links, sessions and passkeys.
func (tx *Tx) Users() users.Users { return users.Users{Conn: tx.conn} }

// Alerts are the rules, ways, states and messages of alerts.
func (tx *Tx) Alerts() alerts.Alerts { return alerts.Alerts{Conn: tx.conn} }

// LegalHolds are the legal holds on leads.
func (tx *Tx) LegalHolds() legalholds.LegalHolds { return legalholds.LegalHolds{Conn: tx.conn} }

// IdempotencyKeys are the idempotency keys.
func (tx *Tx) IdempotencyKeys() saves.Keys { return saves.Keys{Conn: tx.conn} }

// AlertMessage is a message about an alert, on its way or sent.
type AlertMessage = alerts.Message

// AlertFact is something that one process knows, and that alerts are about.
type AlertFact = alerts.Fact

// The names of facts.
const (
	FactIntakeErrors = alerts.FactIntakeErrors
	FactDiskFree     = alerts.FactDiskFree
	FactBackup       = alerts.FactBackup
	FactCounts       = alerts.FactCounts
	FactCertificate  = alerts.FactCertificate
)

// Token is a token of the operator's API.
type Token = tokens.Token

// What a token may do.
const (
	TokenRead  = tokens.Read
	TokenWrite = tokens.Write
)

// User is the user of an operator.
type User = users.User

// UserLink is a link that works once, and sets the password of a user.
type UserLink = users.Link

// Session is a browser that is signed in.
type Session = users.Session

// Passkey is a passkey of a user.
type Passkey = users.Passkey

// Role is what an operator may do.
type Role = users.Role

// The roles.
const (
	RoleViewer   = users.Viewer
	RoleOperator = users.Operator
	RoleOwner    = users.Owner
)
