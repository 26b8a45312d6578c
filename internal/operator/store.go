package operator

import (
	"context"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
)

// Store is the storage that the operator shares with the forwarder.
type Store interface {
	Update(ctx context.Context, do func(Tx) error) error
	View(ctx context.Context, do func(Tx) error) error // read-only
	Buyers(ctx context.Context) ([]buyer.Buyer, int64, error)
	EachHeld(ctx context.Context, do func(h buyer.Held, at time.Time)) error
	FailedBetween(ctx context.Context, from, to time.Time) ([]int64, error)
	Sending(ctx context.Context, buyer string, until, now time.Time) (int, error)
}

// Tx is one transaction.
type Tx interface {
	forward.Tx
	BuyerTx
}

// BuyerTx is what only operators need.
type BuyerTx interface {
	RemoveBuyer(id string, at time.Time) error
	Delivering(id string) (int, error)
	Offering(id string) (int, error)
	LeadsUnderWay(id string, limit int) ([]string, error)
	Counts(id string, p buyer.Period) (buyer.Counts, error)
	MakeDueNow(buyerQueue string, now time.Time) error
	LeadOf(id string) (int64, error)
	DropOffers(seq int64, now time.Time) (handed bool, err error)
}
