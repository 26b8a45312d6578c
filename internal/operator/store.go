package operator

import (
	"context"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/store"
)

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
	return tx.AddAudit(audit.Entry{At: op.now(), Actor: by, Action: action, Subject: subject, Detail: detail})
}
