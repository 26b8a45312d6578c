package forward

import (
	"context"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/store"
)

// Store is what the forwarder needs of the database. It is an interface because tests fail and delay its calls.
type Store interface {
	Claim(ctx context.Context, do func(*store.Tx) error) error
	Settle(ctx context.Context, about store.Subject, do func(*store.Tx) error) error
	Update(ctx context.Context, do func(*store.Tx) error) error
	Buyers(ctx context.Context) ([]buyer.Buyer, int64, error)
	BuyersVersion(ctx context.Context) (int64, error)
	Pending(ctx context.Context, now time.Time) (store.Pending, error)
	BuyersToWake(ctx context.Context, now time.Time) ([]string, error)
	HeldPlaces(ctx context.Context, seq int64, limit int) ([]buyer.Held, error)
	Waiting(ctx context.Context, queue string, now time.Time, most int) (int, error)
	RepeatsToCheck(ctx context.Context, now time.Time, limit int) ([]int64, error)
}
