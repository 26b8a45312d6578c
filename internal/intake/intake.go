// Package intake is the one pipeline behind every door: it takes requests in and looks them up again.
//
// It speaks no HTTP and no SQL. What it needs from below it asks for in small interfaces; what it decides, lead decides,
// and what it says, catalog says.
package intake

import (
	"context"
	"net/netip"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// Store keeps leads, and wishes about them.
type Store interface {
	SaveLead(ctx context.Context, l *lead.Lead, ticket *lead.Idempotency, since time.Time) (*lead.Idempotency, error)
	IdempotentAnswer(ctx context.Context, key string, since time.Time) (*lead.Idempotency, error)
	LeadSummary(ctx context.Context, id string) (lead.Lead, error)
	Suppressed(phone string) bool
	SavePrivacyRequest(ctx context.Context, w lead.PrivacyRequest, c lead.Change) error
}

// Limiter counts what each client address does. Taking a negative number gives back.
type Limiter interface {
	Take(ctx context.Context, client netip.Addr, b lead.Bucket, n int) (lead.Allowance, error)
}

// Wording finds what people were ever asked to agree to, by its hash. It fails where it cannot know.
type Wording func(ctx context.Context, hash string) (text lead.ConsentText, found bool, err error)

// Service takes requests in. Time, ids and coverage are given to it, so that every decision can be repeated.
type Service struct {
	Brand   catalog.Brand
	Store   Store
	Limiter Limiter
	Covers  func(service lead.Service, zip string) bool
	Payout  func(service lead.Service, zip string) *string // a hint that the operator made public, or nil
	Queued  func()                                         // is told that a lead waits for a buyer
	Wording Wording
	Stated  lead.ConsentRef // what a sender states by sending consent
	Now     func() time.Time
	NewID   func(prefix string, at time.Time) string

	FormTokenKey  []byte // makes the tokens of our own form; the same in every process
	HoldAutomated bool   // what a program seems to have filled in waits for the operator
}

// Submission is one request at a door.
type Submission struct {
	Raw         *lead.Raw
	Client      netip.Addr
	Evidence    lead.Evidence
	ConsentHash string   // hash of the text our own form showed, as the form says
	FormToken   string   // the token our own form carries
	Honeypot    string   // what was typed into the field of our own form that people do not see
	Keys        []string // Idempotency-Key headers: none or one
}
