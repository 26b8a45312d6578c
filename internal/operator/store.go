package operator

import (
	"context"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
)

// Store is the storage that the operator shares with the forwarder.
type Store interface {
	Update(ctx context.Context, do func(Tx) error) error
	UpdateUrgent(ctx context.Context, do func(Tx) error) error // for a client that waits
	View(ctx context.Context, do func(Tx) error) error         // read-only
	Refresh(ctx context.Context) error                         // reloads the suppressed numbers
	Searches
}

// Searches read outside a transaction.
type Searches interface {
	Buyers(ctx context.Context) ([]buyer.Buyer, int64, error)
	Sending(ctx context.Context, buyer string, until, now time.Time) (int, error)
	FailedBetween(ctx context.Context, from, to time.Time) ([]int64, error)
	HeldLeads
}

// HeldLeads finds held leads.
type HeldLeads interface {
	HeldAfter(ctx context.Context, seq int64, limit int) ([]buyer.Held, error)
	HeldOfPhone(ctx context.Context, phone string) ([]int64, error)
	HeldSuppressed(ctx context.Context) ([]int64, error)
}

// Tx is one transaction.
type Tx interface {
	forward.Tx
	BuyerTx
	LeadTx
	PrivacyTx
	SuppressionTx
}

// BuyerTx is what only operators need of buyers.
type BuyerTx interface {
	RemoveBuyer(id string, at time.Time) error
	UnderWay(id string, step buyer.Step) (int, error)
	LeadsUnderWay(id string, limit int) ([]string, error)
	Counts(id string, p buyer.Period) (buyer.Counts, error)
	MakeDueNow(buyerQueue string, now time.Time) error
}

// LeadTx is what only operators need of leads.
type LeadTx interface {
	LeadOf(id string) (int64, error)
	TryChange(seq int64, from lead.Status, c lead.Change) (bool, error)
	AddHistory(seq int64, c lead.Change, passedOver ...buyer.PassedOver) error
	RepeatsOf(fingerprint string, limit int) ([]int64, error)
	Erase(seq int64, left lead.Evidence, fingerprint string) error
}

// PrivacyTx stores privacy requests.
type PrivacyTx interface {
	AddPrivacyRequest(r lead.PrivacyRequest) error
	PrivacyRequestTimes(leadID string, after time.Time, limit int) ([]time.Time, error)
	OpenPrivacyRequests(like lead.PrivacyRequest) ([]lead.PrivacyRequest, error)
	PrivacyRequest(id string) (lead.PrivacyRequest, error)
	PutPrivacyRequest(r lead.PrivacyRequest) error
}

// SuppressionTx stores suppressed phone numbers.
type SuppressionTx interface {
	Suppress(phone, reason string, at time.Time) error
	SuppressMany(phones []string, reason string, at time.Time) (added int64, err error)
	Unsuppress(phone string) (bool, error)
}

// record adds an entry to the audit trail. It must be called in the transaction that makes the change.
func (op *Operator) record(tx Tx, by audit.Actor, action audit.Action, subject string, detail audit.Detail) error {
	return tx.AddAudit(audit.Entry{At: op.now(), Actor: by, Action: action, Subject: subject, Detail: detail})
}
