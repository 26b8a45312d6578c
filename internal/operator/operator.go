// Package operator implements what an operator can do: manage buyers, test a buyer's address, explain who would be asked,
// close leads, and release or replay those in error. Every change is one transaction, and tells the running service to
// check held leads again.
//
// The package prints nothing and reads no settings. It never sends a contact: it only records that one may be sent, and the
// forwarder applies its own rules from there. A secret is returned once, when it is generated.
package operator

import (
	"context"
	"errors"
	"time"

	"foyer/internal/forward"
)

// Operator carries out an operator's commands.
type Operator struct {
	Store       Store
	Now         func() time.Time
	NewID       func(prefix string) string
	NewSecret   func() string
	CheckURL    func(raw string) error
	CheckSecret func(secret string) error
	Send        func(context.Context, forward.Message) forward.Reply
	Suppressed  func(phone string) bool
	Persons     forward.PersonRules
}

// now is truncated to the precision of the database.
func (op *Operator) now() time.Time { return op.Now().UTC().Truncate(time.Microsecond) }

// view reads one snapshot. It neither blocks writers nor waits for them.
func (op *Operator) view(ctx context.Context, do func(Tx) error) error { return op.Store.View(ctx, do) }

var errDryRun = errors.New("this was supposed: nothing is to be kept")

// dryRun runs do in a transaction and rolls it back.
func (op *Operator) dryRun(ctx context.Context, do func(Tx) error) error {
	err := op.Store.Update(ctx, func(tx Tx) error {
		if err := do(tx); err != nil {
			return err
		}
		return errDryRun
	})
	if errors.Is(err, errDryRun) {
		return nil
	}
	return err
}
