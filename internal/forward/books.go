package forward

import (
	"context"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// Books are where the forwarder reads and writes.
type Books interface {
	Turn(ctx context.Context, do func(Page) error) error
	Buyers(ctx context.Context) ([]buyer.Buyer, int64, error)
	BuyersVersion(ctx context.Context) (int64, error)
	Waiting
}

// Waiting is what has to be found without a transaction.
type Waiting interface {
	Lanes(ctx context.Context, now time.Time) ([]string, error)
	Woken(ctx context.Context, now time.Time) ([]string, error)
	HeldAfter(ctx context.Context, seq int64, limit int) ([]buyer.Held, error)
	ToFollow(ctx context.Context, now time.Time, limit int) ([]int64, error)
}

// Page is one transaction.
type Page interface {
	Errands
	Offers
	Buyers
	Leads
	Market
	Repeats
}

// Errands are the leads on their way.
type Errands interface {
	Due(lane string, now time.Time, limit int) ([]buyer.Errand, error)
	Errand(seq int64) (buyer.Errand, bool, error)
	Queue(seq int64, at time.Time) error
	PutErrand(buyer.Errand) error
	EndErrand(seq int64) error
	SetAside(seq int64, until time.Time) error
}

// Offers are what was offered to whom, and what became of it.
type Offers interface {
	Offers(seq int64) ([]buyer.Offer, error)
	Offer(id string) (buyer.Offer, bool, error)
	AddOffer(o buyer.Offer, passedOver ...buyer.PassedOver) error
	PutOffer(o buyer.Offer, before buyer.OfferState) error
	AddAttempt(buyer.Attempt) error
}

// Buyers are who can be asked, and how things go with them.
type Buyers interface {
	Buyer(id string) (buyer.Buyer, error)
	PutBuyer(buyer.Buyer) error
	Standing(id string) (buyer.Standing, error)
	PutStanding(id string, s buyer.Standing) error
	Used(id string, p buyer.Period) (int, error)
	Disperse(lane string) error
	BuyersVersion() (int64, error)
}

// Leads are what is passed on.
type Leads interface {
	LeadAt(seq int64) (lead.Lead, error)
	IDOf(seq int64) (string, error)
	Hold(seq int64, c lead.Change, passed []buyer.PassedOver) error
	Change(seq int64, from lead.Status, c lead.Change) error
	Mark(seq int64, marks []lead.Mark) error
}

// Market is what was put on the market of each person, and who took it.
type Market interface {
	Passed(print, from, to, unkeyed string, seq int64, since time.Time) (others []lead.Passed, entered bool, err error)
	Enter(print string, seq int64, at time.Time) error
	LeftMarket(print string, now time.Time) error
	Owners(print, unkeyed string, since time.Time) ([]string, error)
	Sold(print, buyer string, at time.Time) error
}

// Repeats are held leads that are kept off the market.
type Repeats interface {
	Withhold(seq int64, reason lead.Mark, print string, at time.Time) error
	Withheld(seq int64) (reason lead.Mark, err error)
	Unwithhold(seq int64) error
}

// Letter is one message to one buyer.
type Letter struct {
	ID      string // the same over all attempts
	URL     string
	Secrets []string
	Body    []byte
}

// Reply is what came of sending a letter.
type Reply struct {
	buyer.Answer
	RetryAfter time.Duration
	Detail     string
	Took       time.Duration
}
