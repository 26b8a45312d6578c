package app

import (
	"context"
	"errors"
	"time"

	"foyer/internal/forward"
	"foyer/internal/keyring"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// job is background work that a process does at an interval.
type job struct {
	name     string // for the log
	interval time.Duration
	run      func(ctx context.Context, now time.Time) error
}

func (a *App) jobs() []job {
	return append(a.retentionJobs(), []job{
		{"find clients that disconnected", pollInterval, a.pollConnections},
		{"refresh", time.Second, func(ctx context.Context, _ time.Time) error { return a.store.Refresh(ctx) }},
		{"refresh the sources of leads", time.Second, func(ctx context.Context, _ time.Time) error { return a.sources.refresh(ctx) }},
		a.notifyReturns(),
		a.indexLeads(),
		a.countLeads(),
		a.leaderJob("look for a surge of leads", time.Minute, a.checkSurge),
		a.reportFacts(),
		a.leaderJob("look for alerts", time.Minute, a.lookForAlerts),
		a.sendAlerts(),
	}...)
}

// pollConnections looks for clients that disconnected while they wait for a response.
func (a *App) pollConnections(context.Context, time.Time) error {
	for _, e := range a.endpoints() {
		e.listener.poll()
	}
	return nil
}

// leaderJobPoll is how often a process looks whether a job of the leader is due.
const leaderJobPoll = 15 * time.Second

// leaderJob is a job that one process does for all of them: whichever finds first that it is due.
func (a *App) leaderJob(name string, interval time.Duration, run func(ctx context.Context, j *store.Job, now time.Time) error) job {
	return job{name, leaderJobPoll, func(ctx context.Context, _ time.Time) error {
		j, err := a.store.StartJob(ctx, name, a.owner, interval, clock)
		if err != nil || j == nil {
			return err
		}
		if err = run(ctx, j, clock()); err == nil {
			err = j.Finish(ctx)
		}
		if errors.Is(err, store.ErrJobTaken) {
			return nil // the other process does the rest
		}
		return err
	}}
}

// notifyInterval is how often a process looks whether a buyer is to be told what became of a return.
const notifyInterval = 5 * time.Second

// notifyReturns is the job that tells buyers what became of their returns. It takes its lease only when there is something to tell.
func (a *App) notifyReturns() job {
	leader := a.leaderJob("tell buyers what became of returns", 0, func(ctx context.Context, j *store.Job, _ time.Time) error {
		n := forward.ReturnNotifier{ToNotify: a.store.ReturnsToNotify, Update: j.Update, Send: a.forward.Send, Chance: a.forward.Chance, Now: clock, Log: a.log}
		return n.Notify(ctx)
	})
	return job{leader.name, notifyInterval, func(ctx context.Context, now time.Time) error {
		due, err := a.store.ReturnsToNotify(ctx, clock(), 1)
		if err != nil || len(due) == 0 {
			return err
		}
		return leader.run(ctx, now)
	}}
}

// manyRows is how far a follower may be behind before the log tells of it.
const manyRows = 100_000

// indexLeads is the job that fills the search index.
func (a *App) indexLeads() job {
	indexer := a.store.NewIndexer(a.keys.Key(keyring.Index))
	return a.followJob("fill the search index", func(ctx context.Context) (int64, error) { return a.store.Backlog(ctx, indexer) }, func(ctx context.Context, j *store.Job) (int64, error) { return j.Follow(ctx, indexer) })
}

// countLeads is the job that counts leads for reports.
func (a *App) countLeads() job {
	counter, warned := a.store.NewCounter(a.zone), false
	counter.Paused = func(s lead.Service, zip string) bool { return a.forward.Coverage().CoversPaused(s, zip) }
	backlog := func(ctx context.Context) (n int64, err error) {
		if n, err = a.store.Backlog(ctx, counter); counter.CountedIn() == nil {
			n = max(n, 1) // the first run says in which time zone leads are counted, even if there are none: reports ask for it
		}
		return n, err
	}
	return a.followJob("count leads for reports", backlog, func(ctx context.Context, j *store.Job) (int64, error) {
		n, err := j.Follow(ctx, counter)
		if in := counter.CountedIn(); in != nil && in.String() != a.zone.String() && !warned {
			warned = true
			a.log.Warn("days of reports begin in another time zone than time-zone says; foyer report rebuild changes that", "reports", in.String(), "time_zone", a.zone.String())
		}
		return n, err
	})
}

// followJob is a job of one process that follows tables. It takes its lease only when there is something new.
func (a *App) followJob(name string, backlog func(context.Context) (int64, error), follow func(context.Context, *store.Job) (int64, error)) job {
	behind := int64(0)
	leader := a.leaderJob(name, 0, func(ctx context.Context, j *store.Job, _ time.Time) error {
		if behind > manyRows {
			a.log.Info("a background job has much to do; searches and reports are slow or incomplete until it is done", "job", name, "rows", behind)
		}
		done, err := follow(ctx, j)
		if err == nil && done > manyRows {
			a.log.Info("the background job is done", "job", name, "rows", done)
		}
		return err
	})
	return job{name, leaderJobPoll, func(ctx context.Context, now time.Time) (err error) {
		if behind, err = backlog(ctx); err != nil || behind == 0 {
			return err
		}
		return leader.run(ctx, now)
	}}
}

// checkSurge warns of an hour with far more leads than usual.
func (a *App) checkSurge(ctx context.Context, _ *store.Job, now time.Time) error {
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
