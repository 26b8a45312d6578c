package app

import (
	"context"
	"sync"
	"time"

	"foyer/internal/lead"
)

// job is something that has to be done from time to time.
type job struct {
	interval time.Duration
	run    func(ctx context.Context, now time.Time) error
}

func (a *App) jobs() []job {
	return []job{
		{pollInterval, a.listener.poll},
		{time.Second, func(ctx context.Context, _ time.Time) error { return a.store.Refresh(ctx) }},
		{time.Minute, a.checkVolume},
		{10 * time.Minute, a.closeHeld},
		{10 * time.Minute, a.store.DeleteOldCounts},
		{10 * time.Minute, func(ctx context.Context, now time.Time) error {
			return a.store.DeleteOldIdempotencyKeys(ctx, now.Add(-lead.IdempotencyWindow))
		}},
		{time.Minute, func(ctx context.Context, _ time.Time) error {
			return a.store.RekeyFingerprints(ctx, a.store.Fingerprint)
		}},
		{10 * time.Minute, func(ctx context.Context, now time.Time) error {
			return a.store.DeleteOldFingerprints(ctx, now.Add(-lead.RepeatWindow))
		}},
		{10 * time.Minute, func(ctx context.Context, now time.Time) error {
			return a.store.DeleteOldWebhookIDs(ctx, now.Add(-webhookIDRetention))
		}},
	}
}

// webhookIDRetention is longer than any signature is good, whichever clock made it.
const webhookIDRetention = 15 * time.Minute

// closeHeld gives up on requests that nobody covered for as long as the operator holds them.
func (a *App) closeHeld(ctx context.Context, now time.Time) error {
	closed, err := a.store.CloseHeld(ctx, now.Add(-a.hold), lead.Change{
		At: now, Status: lead.Rejected, Actor: lead.ByService, Reason: "held for as long as hold-days says",
	})
	if closed > 0 {
		a.log.Info("closed requests that nobody covered", "count", closed)
	}
	return err
}

// checkVolume tells of an hour with far more leads than usual.
func (a *App) checkVolume(ctx context.Context, now time.Time) error {
	edges := a.volume.boundaries(now)
	before, err := a.store.LeadsBefore(ctx, edges...)
	if err != nil {
		return err
	}
	if s, found := a.volume.detectSurge(edges, before); found {
		a.log.Warn("far more leads than usual came this hour", "leads", s.leads, "usual", s.usual)
	}
	return nil
}

// startJobs does each chore in its own time, the first time at once. The channel closes when all have stopped.
func (a *App) startJobs(ctx context.Context) <-chan struct{} {
	var running sync.WaitGroup
	for _, c := range a.jobs() {
		running.Go(func() {
			tick := time.NewTicker(c.interval)
			defer tick.Stop()
			for now := time.Now(); ; {
				var soon <-chan time.Time
				switch err := c.run(ctx, now); {
				case err == nil || ctx.Err() != nil:
				case lead.KindOf(err) == lead.Unavailable: // the store has said so; what is left of a long chore goes on when it is back
					soon = time.After(time.Second)
				default:
					a.log.Warn("a chore was put off", "cause", err)
				}
				select {
				case <-ctx.Done():
					return
				case now = <-tick.C:
				case now = <-soon:
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { running.Wait(); close(done) }()
	return done
}
