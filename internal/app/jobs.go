package app

import (
	"context"
	"sync"
	"time"

	"foyer/internal/lead"
)

// job is background work that runs at an interval.
type job struct {
	name     string // for the log
	interval time.Duration
	run      func(ctx context.Context, now time.Time) error
}

func (a *App) jobs() []job {
	return append(a.purgeJobs(), []job{
		{"find clients that disconnected", pollInterval, a.listener.poll},
		{"refresh", time.Second, func(ctx context.Context, _ time.Time) error { return a.store.Refresh(ctx) }},
		{"check the volume", time.Minute, a.checkVolume},
	}...)
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
					a.log.Warn("background job failed; will retry", "job", j.name, "cause", err)
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
