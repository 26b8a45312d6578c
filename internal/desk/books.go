package desk

import (
	"context"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
)

// Books are where the desk reads and writes: the same as the forwarder's.
type Books interface {
	Turn(ctx context.Context, do func(Page) error) error
	Look(ctx context.Context, do func(Page) error) error // the page cannot be written on
	Buyers(ctx context.Context) ([]buyer.Buyer, int64, error)
	WalkHeld(ctx context.Context, do func(h buyer.Held, at time.Time)) error
	FailedBetween(ctx context.Context, from, to time.Time) ([]int64, error)
	Sending(ctx context.Context, buyer string, until, now time.Time) (int, error)
}

// Page is one transaction.
type Page interface {
	forward.Page
	Register
}

// Register is what only an operator needs.
type Register interface {
	RemoveBuyer(id string, at time.Time) error
	Delivering(id string) (int, error)
	Offering(id string) (int, error)
	LeadsUnderWay(id string, most int) ([]string, error)
	Counts(id string, p buyer.Period) (buyer.Counts, error)
	Hasten(lane string, now time.Time) error
	LeadOf(id string) (int64, error)
	DropOffers(seq int64, now time.Time) (handed bool, err error)
}
