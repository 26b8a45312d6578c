package app

import (
	"context"
	"time"

	"foyer/internal/lead"
)

// retention is how long one kind of row is kept, and what removes it.
type retention struct {
	what  string
	keep  time.Duration
	purge func(ctx context.Context, before time.Time) error
}

// retentions lists everything that is removed by itself. What is not here stays until an operator removes it: leads with their
// history, offers and attempts (foyer leads erase takes the person out), privacy requests, buyers, suppressed numbers, key ids, and
// every consent text, as the proof of what people agreed to.
func (a *App) retentions() []retention {
	return []retention{
		{"held leads", a.hold, a.closeHeld},
		{"idempotency keys", lead.IdempotencyWindow, a.store.DeleteOldIdempotencyKeys},
		{"fingerprints and sales, for repeats of a person", lead.RepeatWindow, a.store.DeleteOldFingerprints},
		{"ids of messages that buyers signed", webhookIDRetention, a.store.DeleteOldWebhookIDs},
		{"audit entries", auditRetention, a.store.DeleteOldAudit},
		{"counts of clients whose rate limit is full again", 0, a.store.DeleteOldCounts},
	}
}

// webhookIDRetention is longer than any signature is valid, whichever clock signed it.
const webhookIDRetention = 15 * time.Minute

// auditRetention is how long the audit trail answers who changed what: five years, as long as the Telemarketing Sales Rule has
// sellers keep their records, and longer than the four years within which a person can sue over a call.
const auditRetention = 5 * 366 * 24 * time.Hour

// purgeInterval is how often old rows are looked for. The store deletes them in small steps.
const purgeInterval = 10 * time.Minute

// purgeJobs are the jobs that remove what is too old.
func (a *App) purgeJobs() (jobs []job) {
	for _, r := range a.retentions() {
		jobs = append(jobs, job{"purge " + r.what, purgeInterval, func(ctx context.Context, now time.Time) error { return r.purge(ctx, now.Add(-r.keep)) }})
	}
	return jobs
}

// closeHeld rejects leads that no buyer has covered for as long as the operator holds them. They are closed, not deleted.
func (a *App) closeHeld(ctx context.Context, before time.Time) error {
	closed, err := a.store.CloseHeld(ctx, before, lead.Change{
		At: before.Add(a.hold), Status: lead.Rejected, Actor: lead.ByService, Reason: "held for as long as hold-days says",
	})
	if closed > 0 {
		a.log.Info("closed held requests that no buyer covered", "count", closed)
	}
	return err
}
