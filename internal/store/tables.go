package store

import (
	"context"
	"time"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/store/alerts"
	"foyer/internal/store/consents"
	"foyer/internal/store/keys"
	"foyer/internal/store/legalholds"
	"foyer/internal/store/privacyrequests"
	"foyer/internal/store/returns"
	"foyer/internal/store/saves"
	"foyer/internal/store/sources"
	"foyer/internal/store/suppressions"
	"foyer/internal/store/timeline"
	"foyer/internal/store/tokens"
	"foyer/internal/store/users"
)

// This file hands out what has a package of its own: a transaction's view of its tables, and the names of their rows.

// Keys lists the ids of the keys that the database is used with, in alphabetical order.
func (s *Store) Keys(ctx context.Context) ([]string, error) {
	return read(ctx, s, func(tx *Tx) ([]string, error) { return tx.Keys().IDs() })
}

// RegisterKeys replaces the key ids of the database with ids if they are exactly known, and reports whether it did. If several
// processes start at the same time, each with keys of its own, one succeeds. The audit entries are added with the ids.
func (s *Store) RegisterKeys(ctx context.Context, known, ids []string, at time.Time, entries ...audit.Entry) (done bool, err error) {
	err = s.write(ctx, func(tx *Tx) (err error) {
		if done, err = tx.Keys().Replace(known, ids, at); err != nil || !done {
			return err
		}
		for _, e := range entries {
			if err := tx.AddAudit(e); err != nil {
				return err
			}
		}
		return nil
	})
	return done && err == nil, err
}

// KeepConsentTexts stores the texts that people are about to agree to, so that they can be found by their hash.
func (s *Store) KeepConsentTexts(ctx context.Context, at time.Time, texts ...lead.ConsentText) error {
	return s.write(ctx, func(tx *Tx) error { return consents.Keep(tx.conn, at, texts...) })
}

// ConsentTexts returns every text that people were ever asked to agree to, by hash.
func (s *Store) ConsentTexts(ctx context.Context) (map[string]lead.ConsentText, error) {
	return read(ctx, s, func(tx *Tx) (map[string]lead.ConsentText, error) { return consents.All(tx.conn) })
}

// Consent returns the words with a hash, and since when they are used.
func (tx *Tx) Consent(hash string) (lead.ConsentText, error) { return consents.ByHash(tx.conn, hash) }

// Keys are the ids of the keys that the database is used with.
func (tx *Tx) Keys() keys.Keys { return keys.Keys{Conn: tx.conn} }

// PrivacyRequests are the privacy requests.
func (tx *Tx) PrivacyRequests() privacyrequests.PrivacyRequests {
	return privacyrequests.PrivacyRequests{Conn: tx.conn}
}

// Suppressions are the suppressed phone numbers.
func (tx *Tx) Suppressions() suppressions.Suppressions {
	return suppressions.Suppressions{Conn: tx.conn}
}

// Timeline is what became of each lead.
func (tx *Tx) Timeline() timeline.Timeline { return timeline.Timeline{Conn: tx.conn} }

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

// ReturnFilter says which returns to list, and ListedReturn is one of them.
type (
	ReturnFilter = returns.Filter
	ListedReturn = returns.Listed
)

// Returns are the returns that the transaction sees.
func (tx *Tx) Returns() returns.Returns { return returns.Returns{Conn: tx.conn} }

// AlertMessage is a message about an alert, on its way or sent.
type AlertMessage = alerts.Message

// AlertFact is something that one process knows, and that alerts are about.
type AlertFact = alerts.Fact

// The names of facts.
const (
	FactIntakeErrors = alerts.FactIntakeErrors
	FactDiskFree     = alerts.FactDiskFree
	FactBackup       = alerts.FactBackup
	FactCertificate  = alerts.FactCertificate
)

// FactMaxAge is for how long the report of a machine counts.
const FactMaxAge = alerts.FactMaxAge

// CertificateMaxAge is for how long it counts until when a certificate is valid.
const CertificateMaxAge = alerts.CertificateMaxAge

// Token is a token of the operator's API.
type Token = tokens.Token

// What a token may do.
const (
	TokenRead  = tokens.Read
	TokenWrite = tokens.Write
)

// RegisteredKey is a key that a database is used with.
type RegisteredKey = keys.Registered

// Suppression is a phone number whose owner asked not to be contacted.
type Suppression = suppressions.Suppression

// HistoryEntry is a change of a lead's status, and Offered an offer of it.
type (
	HistoryEntry = timeline.Entry
	Offered      = timeline.Offered
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
