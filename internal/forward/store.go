package forward

import (
	"context"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// Store is what the forwarder needs of the database.
type Store interface {
	Update(ctx context.Context, do func(Tx) error) error
	Buyers(ctx context.Context) ([]buyer.Buyer, int64, error)
	BuyersVersion(ctx context.Context) (int64, error)
	Waiting
}

// Waiting finds work outside a transaction.
type Waiting interface {
	BuyerQueues(ctx context.Context, now time.Time) ([]string, error)
	BuyersToWake(ctx context.Context, now time.Time) ([]string, error)
	HeldAfter(ctx context.Context, seq int64, limit int) ([]buyer.Held, error)
	RepeatsToCheck(ctx context.Context, now time.Time, limit int) ([]int64, error)
}

// Tx is one transaction.
type Tx interface {
	Deliveries
	Offers
	Buyers
	Leads
	Market
	Repeats
	AuditTrail
}

// AuditTrail records who changed what.
type AuditTrail interface {
	AddAudit(e audit.Entry) error
}

// Deliveries are the leads that are being forwarded.
type Deliveries interface {
	Due(queue string, now time.Time, limit int) ([]buyer.Delivery, error)
	Delivery(seq int64) (buyer.Delivery, bool, error)
	Queue(seq int64, at time.Time) error
	PutDelivery(buyer.Delivery) error
	EndDelivery(seq int64) error
	SetAside(seq int64, until time.Time) error
}

// Offers records which lead was offered to which buyer, and the outcome.
type Offers interface {
	Offers(seq int64) ([]buyer.Offer, error)
	Offer(id string) (buyer.Offer, bool, error)
	AddOffer(o buyer.Offer, passedOver ...buyer.PassedOver) error
	PutOffer(o buyer.Offer, before buyer.OfferState) error
	AddAttempt(buyer.Attempt) error
}

// Buyers are the buyers and their health.
type Buyers interface {
	Buyer(id string) (buyer.Buyer, error)
	PutBuyer(buyer.Buyer) error
	Health(id string) (buyer.Health, error)
	PutHealth(id string, h buyer.Health) error
	Used(id string, p buyer.Period) (int, error)
	Requeue(queue string) error
	BuyersVersion() (int64, error)
}

// Leads are the leads to forward.
type Leads interface {
	LeadBySeq(seq int64) (lead.Lead, error)
	IDOf(seq int64) (string, error)
	Change(seq int64, from lead.Status, c lead.Change, passedOver ...buyer.PassedOver) error
	Mark(seq int64, marks []lead.Mark) error
}

// Market records the leads of each person that went on the market, and the buyers that took them.
type Market interface {
	LeadsOfPhone(from, to string, seq int64, since time.Time) (others []lead.OtherLead, entered bool, err error)
	EnterMarket(fingerprint string, seq int64, at time.Time) error
	LeaveMarket(fingerprint string, now time.Time) error
	SoldTo(fingerprint string, since time.Time) ([]string, error)
	RecordSale(fingerprint, buyer string, at time.Time) error
}

// Repeats are held leads that are withheld from the market.
type Repeats interface {
	Withhold(seq int64, reason lead.Mark, fingerprint string, at time.Time) error
	Withheld(seq int64) (reason lead.Mark, err error)
	EndWithhold(seq int64) error
}

// Message is one message to one buyer.
type Message struct {
	ID      string // the same in every attempt
	URL     string
	Secrets []string
	Body    []byte
}

// Reply is the outcome of sending a message.
type Reply struct {
	buyer.Answer
	RetryAfter time.Duration
	Detail     string
	Took       time.Duration
}
