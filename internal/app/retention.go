package app

import (
	"context"
	"time"

	"foyer/internal/lead"
	"foyer/internal/operator/access"
	"foyer/internal/store"
)

// retentionJobs lists what these jobs purge, with its table and how long it is kept (its TTL, or retention period); held leads are only
// closed. Two tables are kept short where they are written: recent_leads (store/leadcounts/recent.go) and alert_states (store/alerts).
// Everything else stays until an operator removes it, or for as long as its lead or buyer needs it:
//   - leads with their history, offers and attempts stay; foyer leads erase takes the person out. Also privacy requests, suppressed
//     numbers, key ids, buyers, and every consent text, as the proof of what people agreed to;
//   - offer_counts stay: caps and reports are made of them. After two months the rows of a buyer's hours become one for the day;
//   - ledger, returns and statements stay: they say what each buyer owes, and why;
//   - buyer_health stays until its buyer is removed, and changes, a row for each kind of change, for good;
//   - new_leads, until the forwarder takes the lead; deliveries, until it is forwarded, held, rejected or in error;
//   - jobs, a row for each kind of job;
//   - search_index, until its lead is erased; follow_progress, a row for each table that a job follows;
//   - lead_outcomes, a row for each lead; place_counts, day_counts, source_counts and money_counts stay: reports are made of them; count_zone,
//     the time zone of their days; recent_leads keeps the day of the newest lead and the nine before it (store/leadcounts/recent.go); what earlier
//     versions left in lead_counts, wait_counts and answer_counts goes when leads are counted again;
//   - sources and source_prices stay: leads name them, and what a lead costs follows from them;
//   - tokens stay, also after they expire; users and passkeys, until an operator removes them;
//   - alert_rules and alert_ways, until an operator changes them; alert_states, until what fired is over and its cooldown has ended; of
//     alert_facts, the last backup and the last certificate of each host stay;
//   - withheld, until the lead goes on the market or is closed;
//   - legal_holds stay, also those that were removed: they are evidence.
//
// Of a lead under a legal hold, the audit trail keeps what is older than its retention, too (legalholds.KeepsAudit). The rest of this list
// runs as ever: what it deletes of such a lead was derived from it (fingerprints, sales), or is the copy of an answer (idempotency keys);
// to close a held lead destroys nothing.
func (a *App) retentionJobs() []job {
	return []job{
		a.retentionJob("close held leads", a.hold, a.closeHeld),                                                          // leads with status collected; the setting hold-days
		a.retentionJob("delete idempotency keys", lead.IdempotencyWindow, deleteOld(store.IdempotencyKeys)),              // idempotency_keys, 24 hours
		a.retentionJob("delete fingerprints, for repeats of a person", lead.RepeatWindow, deleteOld(store.Fingerprints)), // fingerprints, 30 days
		a.retentionJob("delete sales, for repeats of a person", lead.RepeatWindow, deleteOld(store.Sales)),               // sales, 30 days
		a.retentionJob("delete ids of messages that buyers signed", webhookIDRetention, deleteOld(store.WebhookIDs)),     // webhook_ids, 15 minutes
		a.retentionJob("delete links for operators that nobody used", 0, deleteOld(store.UserLinks)),                     // user_links, when they expire
		a.retentionJob("delete sessions of operators that expired", access.SessionIdle, deleteOld(store.Sessions)),       // sessions, 12 hours
		a.retentionJob("delete messages about alerts", alertRetention, deleteOld(store.AlertMessages)),                   // alert_messages, 30 days
		a.retentionJob("delete reports of machines that are gone", alertRetention, forgetFacts),                          // alert_facts, 30 days
		a.retentionJob("delete audit entries", auditRetention, deleteOld(store.AuditTrail)),                              // audit, five years
		a.leaderJob("add up old counts of offers", 24*time.Hour, foldCounts),                                             // offer_counts, hours for two months
		a.retentionJob("delete counts of clients whose allowance is fully refilled", 0, deleteOldCounts),                 // allowances
	}
}

// webhookIDRetention is longer than any signature is valid, whichever clock signed it.
const webhookIDRetention = 15 * time.Minute

// alertRetention is how long messages about alerts are kept: a month says whether a way works. A machine that has reported nothing for as
// long is gone.
const alertRetention = 30 * 24 * time.Hour

// auditRetention is how long the audit trail answers who changed what: five years, as long as the Telemarketing Sales Rule has
// sellers keep their records, and longer than the four years within which a person can sue over a call.
const auditRetention = 5 * 366 * 24 * time.Hour

// retentionInterval is how often the cleanup looks for expired rows. The store deletes them in small steps.
const retentionInterval = 10 * time.Minute

// expire deletes or closes what is older than a time.
type expire func(ctx context.Context, j *store.Job, before time.Time) error

// retentionJob is the job that deletes or, for leads, closes what is older than keep.
func (a *App) retentionJob(name string, keep time.Duration, expire expire) job {
	return a.leaderJob(name, retentionInterval, func(ctx context.Context, j *store.Job, now time.Time) error { return expire(ctx, j, now.Add(-keep)) })
}

func deleteOld(from store.AgingTable) expire {
	return func(ctx context.Context, j *store.Job, before time.Time) error { return j.DeleteOld(ctx, from, before) }
}

func forgetFacts(ctx context.Context, j *store.Job, before time.Time) error {
	return j.Update(ctx, func(tx *store.Tx) error { return tx.Alerts().ForgetFacts(before) })
}

func foldCounts(ctx context.Context, j *store.Job, _ time.Time) error { return j.FoldCounts(ctx) }

func deleteOldCounts(ctx context.Context, j *store.Job, now time.Time) error {
	return j.DeleteOldCounts(ctx, now)
}

// closeHeld rejects the held leads that came in longer ago than the operator holds one, whatever holds them: nobody covers them, every
// buyer declined or is full, or they are kept off the market as repeats. They are closed, not deleted.
func (a *App) closeHeld(ctx context.Context, j *store.Job, before time.Time) error {
	closed, err := j.CloseHeld(ctx, before, lead.Change{
		At: before.Add(a.hold), Status: lead.Rejected, Actor: lead.ByService, Reason: lead.ExpiredReason,
	})
	if closed > 0 {
		a.log.Info("closed held requests that no buyer took", "count", closed)
	}
	return err
}
