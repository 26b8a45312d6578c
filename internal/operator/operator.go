// Package operator implements what an operator can do: manage buyers, test a buyer's address, explain who would be asked,
// close, erase, release or replay leads, put them under legal holds, decide returns, suppress phone numbers, and handle privacy requests. Every
// change names its actor, and is written to the audit trail in the transaction that makes it. Package accounts enters payments and closes
// statements, sources manages where leads come from, alerts decides which alerts operators hear of, and access who may sign in; entered reads
// what operators type, and query answers what they ask.
//
// The package prints nothing and reads no settings. It never sends a contact: it only records that one may be sent, and the
// forwarder applies its own rules from there. A secret is returned once, when it is generated.
package operator

import (
	"context"
	"net/netip"
	"time"

	"foyer/internal/alert"
	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/operator/access"
	"foyer/internal/operator/accounts"
	"foyer/internal/operator/alerts"
	"foyer/internal/operator/sources"
	"foyer/internal/store"
	"foyer/internal/webhook"
)

// Operator carries out an operator's commands.
type Operator struct {
	Store       Store
	Now         func() time.Time
	NewID       func(prefix string) string
	NewSecret   func() string
	CheckURL    func(raw string) error
	CheckSecret func(secret string) error
	Send        func(context.Context, webhook.Message) webhook.Outcome
	SendAlert   func(ctx context.Context, w alert.Way, id string, m alert.Message) error // says what went wrong in one line
	Suppressed  func(phone string) bool
	Persons     forward.PersonRules // without a key, the audit trail does not say which phone number was suppressed

	address netip.Addr        // of the client that asks for changes
	undoKey *lead.Idempotency // of a change that can be undone
}

// From returns an operator for a client at an address, which the audit trail names with each of its changes.
func (op *Operator) From(address netip.Addr) *Operator {
	from := *op
	from.address = address
	return &from
}

// now is truncated to the precision of the database.
func (op *Operator) now() time.Time { return op.Now().UTC().Truncate(time.Microsecond) }

// Store is what an operator needs of the database. It is an interface because tests let transactions fail.
type Store interface {
	Update(ctx context.Context, do func(*store.Tx) error) error
	UpdateUrgent(ctx context.Context, do func(*store.Tx) error) error // for a client that waits
	View(ctx context.Context, do func(*store.Tx) error) error         // reads a snapshot, and never waits for a writer
	Refresh(ctx context.Context) error                                // reloads the suppressed numbers
	Buyers(ctx context.Context) ([]buyer.Buyer, int64, error)
	Sending(ctx context.Context, buyer string, until, now time.Time) (int, error)
	HeldAfter(ctx context.Context, seq int64, limit int) ([]buyer.Held, error)
}

// record adds an entry to the audit trail. It must be called in the transaction that makes the change.
func (op *Operator) record(tx *store.Tx, by audit.Actor, action audit.Action, subject string, detail audit.Detail) error {
	return tx.AddAudit(audit.Entry{At: op.now(), Actor: by, Action: action, Subject: subject, Detail: detail.From(op.address)})
}

// Access returns what concerns who may sign in, for the same client.
func (op *Operator) Access() *access.Access {
	return &access.Access{Store: op.Store, Now: op.now, NewID: op.NewID, Record: op.record}
}

// Accounts returns what concerns the money of buyers.
func (op *Operator) Accounts() *accounts.Accounts {
	return &accounts.Accounts{Store: op.Store, Now: op.now, NewID: op.NewID, Record: op.record, Keep: op.keepEntry}
}

// Sources returns what concerns where leads come from.
func (op *Operator) Sources() *sources.Sources {
	return &sources.Sources{Store: op.Store, Now: op.now, NewKey: op.shortID, Record: op.record, Keep: op.keepSource}
}

// Alerts returns what concerns alerts.
func (op *Operator) Alerts() *alerts.Alerts {
	return &alerts.Alerts{
		Store: op.Store, Now: op.now, NewID: op.NewID, NewShortID: op.shortID, NewSecret: op.NewSecret, CheckURL: op.CheckURL,
		Send: op.SendAlert, Record: op.record, Keep: op.keepSetting,
	}
}

// shortID makes an id that is no secret: people type it.
func (op *Operator) shortID(prefix string) string {
	id := op.NewID(prefix)
	return id[:min(len(id), len(prefix)+10)]
}
