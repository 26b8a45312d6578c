package app

import (
	"context"
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
	return append(a.retentionJobs(), []job{
		{"find clients that disconnected", pollInterval, a.listener.poll},
		{"refresh", time.Second, func(ctx context.Context, _ time.Time) error { return a.store.Refresh(ctx) }},
		{"look for a surge of leads", time.Minute, a.checkSurge},
	}...)
}

// checkSurge warns of an hour with far more leads than usual.
func (a *App) checkSurge(ctx context.Context, now time.Time) error {
	leads, usual, err := a.surges.detect(ctx, now)
	if leads > 0 {
		a.log.Warn("far more leads than usual came this hour", "leads", leads, "usual", usual)
	}
	return err
}

// runJob runs a job at its interval, the first time at once, until the context ends.
func (a *App) runJob(ctx context.Context, j job) {
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
}
