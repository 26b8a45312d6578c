// Package operator implements what an operator can do: manage buyers, test a buyer's address, explain who would be asked,
// close, erase, release or replay leads, suppress phone numbers, and handle privacy requests. Every change names its actor, and
// is written to the audit trail in the transaction that makes it.
//
// The package prints nothing and reads no settings. It never sends a contact: it only records that one may be sent, and the
// forwarder applies its own rules from there. A secret is returned once, when it is generated.
package operator

import (
	"context"
	"time"

	"foyer/internal/forward"
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
	Suppressed  func(phone string) bool
	Persons     forward.PersonRules // without a key, the audit trail does not say which phone number was suppressed
}

// now is truncated to the precision of the database.
func (op *Operator) now() time.Time { return op.Now().UTC().Truncate(time.Microsecond) }
