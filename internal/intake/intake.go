// Package intake is the one pipeline behind every door (JSON, form, MCP): it accepts requests and looks them up.
//
// It contains no HTTP and no SQL. It reaches its dependencies through small interfaces. Package lead makes the decisions,
// and package catalog holds the texts.
package intake

import (
	"context"
	"net/netip"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// Store saves leads.
type Store interface {
	SaveLead(ctx context.Context, l *lead.Lead, idem *lead.Idempotency, since time.Time) (*lead.Idempotency, error)
	IdempotentAnswer(ctx context.Context, key string, since time.Time) (*lead.Idempotency, error)
	LeadSummary(ctx context.Context, id string) (lead.Lead, error)
	Suppressed(phone string) bool
}

// PrivacyRequests saves a privacy request for the operator, and closes the lead that it proves to be about, with a reason for the
// lead's history.
type PrivacyRequests interface {
	SavePrivacyRequest(ctx context.Context, r lead.PrivacyRequest, reason string) error
}

// Limiter counts what each client address does. A negative n refunds.
type Limiter interface {
	Take(ctx context.Context, client netip.Addr, b lead.Bucket, n int) (lead.Allowance, error)
}

// ConsentLookup finds any consent text that was ever in use, by its hash. It returns an error if it cannot tell.
type ConsentLookup func(ctx context.Context, hash string) (text lead.ConsentText, found bool, err error)

// Service accepts requests. Time, ids and coverage are injected, so that every decision can be reproduced.
type Service struct {
	Brand         catalog.Brand
	Store         Store
	Privacy       PrivacyRequests
	Limiter       Limiter
	Covers        func(service lead.Service, zip string) bool
	Payout        func(service lead.Service, zip string) *string // a payout hint that the operator published, or nil
	Queued        func()                                         // called when a lead is queued for a buyer
	ConsentLookup ConsentLookup
	Stated        lead.ConsentRef // the consent text that senders other than our form refer to
	Now           func() time.Time
	NewID         func(prefix string, at time.Time) string

	FormTokenKey  []byte // signs the tokens of our own form; the same in every process
	HoldAutomated bool   // hold leads that look automated until the operator releases them
}

// Submission is one request as it arrived.
type Submission struct {
	Raw         *lead.Raw
	Client      netip.Addr
	Evidence    lead.Evidence
	ConsentHash string   // hash of the consent text our own form showed, as posted with the form
	FormToken   string   // the token of our own form
	Honeypot    string   // value of the hidden field of our own form
	Keys        []string // Idempotency-Key headers: none or one
}
