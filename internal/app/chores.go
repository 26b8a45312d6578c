package app

import (
	"context"
	"time"

	"foyer/internal/intake"
)

const (
	lookForChanges = time.Second
	dropOldKeys    = 10 * time.Minute
)

// startChores does what has to be done from time to time. The channel closes when it has stopped.
func (a *App) startChores(ctx context.Context) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		changes, keys := time.NewTicker(lookForChanges), time.NewTicker(dropOldKeys)
		defer changes.Stop()
		defer keys.Stop()
		for {
			var err error
			select {
			case <-ctx.Done():
				return
			case <-changes.C:
				err = a.store.Refresh(ctx)
			case now := <-keys.C:
				err = a.store.ForgetTickets(ctx, now.Add(-intake.KeyLife))
			}
			if err != nil && ctx.Err() == nil {
				a.log.Warn("a chore was put off", "cause", err)
			}
		}
	}()
	return done
}
