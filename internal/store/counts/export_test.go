package counts

import (
	"context"
	"errors"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/db"
)

// CountLate counts a request of a process that hung for a while before the count.
func CountLate(ctx context.Context, e db.Engine, c lead.Charge, now time.Time, hung time.Duration) (granted bool, err error) {
	conn, err := e.Write(ctx, db.RoleCount)
	if err != nil {
		return false, err
	}
	one := &count{charges: []lead.Charge{c}, n: 1, now: now}
	err = (&target{e, conn}).Commit([]*request{{Ctx: ctx, Work: one, QueuedAt: time.Now().Add(-hung)}})
	return one.granted, errors.Join(err, conn.Close())
}
