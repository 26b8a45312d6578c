// Package desk is what an operator can do: keep the list of buyers, try an address, see who would be asked, close leads,
// and put those that are locked on their way again. Every change is one transaction, and tells the running service to
// look again at what is held.
//
// It prints nothing and reads no settings. It never sends a contact: it only writes down that one may be sent, and the
// forwarder goes by its own rules from there. A secret leaves it once, when it is made.
package desk

import (
	"context"
	"errors"
	"time"

	"foyer/internal/forward"
)

// Desk is where an operator works.
type Desk struct {
	Books       Books
	Now         func() time.Time
	NewID       func(prefix string) string
	NewSecret   func() string
	CheckURL    func(raw string) error
	CheckSecret func(secret string) error
	Send        func(context.Context, forward.Letter) forward.Reply
	Suppressed  func(phone string) bool
	People      forward.People
}

// now is cut to what the books can keep.
func (d *Desk) now() time.Time { return d.Now().UTC().Truncate(time.Microsecond) }

// look reads from the books as they are at one moment. Nobody waits for it, and it waits for nobody.
func (d *Desk) look(ctx context.Context, do func(Page) error) error { return d.Books.Look(ctx, do) }

var errSupposed = errors.New("this was supposed: nothing is to be kept")

// suppose opens a page, lets do write on it what would be, and gives it up afterwards.
func (d *Desk) suppose(ctx context.Context, do func(Page) error) error {
	err := d.Books.Turn(ctx, func(p Page) error {
		if err := do(p); err != nil {
			return err
		}
		return errSupposed
	})
	if errors.Is(err, errSupposed) {
		return nil
	}
	return err
}
