package follow

import (
	"context"

	"foyer/internal/store/db"
)

// Leads finds out how far leads can be followed. The intake writes them without a lock that a follower could wait for.
type Leads struct {
	// Server is whether several transactions may commit at the same time: then a lead may appear after one with a higher number.
	Server bool

	newest  int64 // number of the newest lead when Last was last called
	pending mark
}

// mark is a number that leads had reached a while ago, and a transaction that began after that. Once all transactions up to that one are
// over, no lead up to that number can appear anymore.
type mark struct{ lead, tx int64 }

// Last returns a number up to which no lead can appear anymore, or 0 if it is not known yet. A server is sure of a number two looks after
// it was first seen: a process that has seen none takes them at once, because its next run may be far away.
func (l *Leads) Last(ctx context.Context, job Job) (last int64, err error) {
	looks := 1
	if l.Server && l.newest == 0 {
		looks = 3
	}
	for ; looks > 0 && last == 0 && err == nil; looks-- {
		last, err = l.look(ctx, job)
	}
	return last, err
}

func (l *Leads) look(ctx context.Context, job Job) (last int64, err error) {
	var oldestOpen, tx, newest int64
	err = job.Update(ctx, func(c db.Conn) (err error) {
		if !l.Server {
			newest, err = Last(c, "leads")
			return err
		}
		return c.Query(`SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint, pg_current_xact_id()::text::bigint, COALESCE(MAX(seq), 0) FROM leads`, nil, func(r db.Row) error {
			oldestOpen, tx, newest = r.Int(0), r.Int(1), r.Int(2)
			return nil
		})
	})
	if err != nil || !l.Server {
		return newest, err
	}
	return l.advance(oldestOpen, tx, newest), nil // not in the transaction, which may run again
}

// advance gets the oldest transaction that is not over, the current one, and the number of the newest lead.
func (l *Leads) advance(oldestOpen, tx, newest int64) (last int64) {
	if l.pending.lead > 0 && oldestOpen > l.pending.tx {
		last, l.pending = l.pending.lead, mark{}
	}
	if l.pending.lead == 0 {
		l.pending = mark{l.newest, tx}
	}
	l.newest = newest
	return last
}
