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

// mark is a number that leads had reached a while ago, and the number of the next transaction now. Once all transactions below that are
// over, no lead below the first can appear anymore.
type mark struct{ lead, nextTx int64 }

// Last returns a number up to which no lead can appear anymore, or 0 if it is not known yet.
func (l *Leads) Last(ctx context.Context, job Job) (int64, error) {
	if !l.Server {
		last, err := job.Read(ctx, `SELECT COALESCE(MAX(seq), 0) FROM leads`)
		if err != nil {
			return 0, err
		}
		return last[0].Int(0), nil
	}
	state, err := job.Read(ctx, `SELECT pg_snapshot_xmin(s)::text::bigint, pg_snapshot_xmax(s)::text::bigint, COALESCE((SELECT MAX(seq) FROM leads), 0) FROM pg_current_snapshot() AS s`)
	if err != nil {
		return 0, err
	}
	return l.advance(state[0]), nil
}

func (l *Leads) advance(state db.Row) (final int64) {
	oldestOpen, nextTx, newest := state.Int(0), state.Int(1), state.Int(2)
	if l.pending.lead > 0 && oldestOpen >= l.pending.nextTx {
		final, l.pending = l.pending.lead, mark{}
	}
	if l.pending.lead == 0 {
		l.pending = mark{l.newest, nextTx}
	}
	l.newest = newest
	return final
}
