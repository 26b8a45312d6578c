// Package operator is what an operator can do: keep the list of buyers, try an address, see who would be asked, close leads,
// and put those that are locked on their way again. Every change is one transaction, and tells the running service to
// look again at what is held.
//
// It prints nothing and reads no settings. It never sends a contact: it only writes down that one may be sent, and the
// forwarder goes by its own rules from there. A secret leaves it once, when it is made.
package operator

import (
	"context"
	"errors"
	"time"

	"foyer/internal/forward"
)

// Operator is where an operator works.
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

// now is cut to what the books can keep.
func (d *Operator) now() time.Time { return d.Now().UTC().Truncate(time.Microsecond) }

// view reads from the books as they are at one moment. Nobody waits for it, and it waits for nobody.
func (d *Operator) view(ctx context.Context, do func(Tx) error) error { return d.Store.View(ctx, do) }

var errDryRun = errors.New("this was supposed: nothing is to be kept")

// dryRun opens a page, lets do write on it what would be, and gives it up afterwards.
func (d *Operator) dryRun(ctx context.Context, do func(Tx) error) error {
	err := d.Store.Update(ctx, func(p Tx) error {
		if err := do(p); err != nil {
			return err
		}
		return errDryRun
	})
	if errors.Is(err, errDryRun) {
		return nil
	}
	return err
}
