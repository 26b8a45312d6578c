package app

import (
	"context"
	"sync"
	"time"

	"foyer/internal/lead"
)

// job is background work that runs at an interval.
type job struct {
	interval time.Duration
	run      func(ctx context.Context, now time.Time) error
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

// webhookIDRetention is longer than any signature is valid, whichever clock signed it.
const webhookIDRetention = 15 * time.Minute

// closeHeld rejects leads that no buyer has covered for as long as the operator holds them.
func (a *App) closeHeld(ctx context.Context, now time.Time) error {
	closed, err := a.store.CloseHeld(ctx, now.Add(-a.hold), lead.Change{
		At: now, Status: lead.Rejected, Actor: lead.ByService, Reason: "held for as long as hold-days says",
	})
	if closed > 0 {
		a.log.Info("closed requests that nobody covered", "count", closed)
	}
	return err
}

// checkVolume warns of an hour with far more leads than usual.
func (a *App) checkVolume(ctx context.Context, now time.Time) error {
	bounds := a.volume.boundaries(now)
	before, err := a.store.LeadsBefore(ctx, bounds...)
	if err != nil {
		return err
	}
	if s, found := a.volume.detectSurge(bounds, before); found {
		a.log.Warn("far more leads than usual came this hour", "leads", s.leads, "usual", s.usual)
	}
	return nil
}

// startJobs runs each job at its own interval, the first time at once. The channel closes when all have stopped.
func (a *App) startJobs(ctx context.Context) <-chan struct{} {
	var running sync.WaitGroup
	for _, j := range a.jobs() {
		running.Go(func() {
			tick := time.NewTicker(j.interval)
			defer tick.Stop()
			for now := time.Now(); ; {
				var retry <-chan time.Time
				switch err := j.run(ctx, now); {
				case err == nil || ctx.Err() != nil:
				case lead.KindOf(err) == lead.Unavailable: // the store has logged it; the rest of a long job runs when the store is back
					retry = time.After(time.Second)
				default:
					a.log.Warn("a chore was put off", "cause", err)
				}
				select {
				case <-ctx.Done():
					return
				case now = <-tick.C:
				case now = <-retry:
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { running.Wait(); close(done) }()
	return done
}
