package store

import (
	"context"
	"time"
)

// Pace is a rate limit: one request per Step, with bursts of up to Burst.
type Pace struct {
	Step  time.Duration
	Burst int
}

// Charge names an allowance to charge: that of a client, or of a network that the client is in.
type Charge struct {
	Key  string
	Pace Pace
}

// count is one request to charge the allowances of a client.
type count struct {
	charges []Charge
	n       int64 // how much; negative to give something back
	now     time.Time
	granted bool
	over    int // index of the exhausted charge, if not granted
	retry   time.Duration
}

// Shares reports whether processes can share their counts.
func (s *Store) Shares() bool { return s.counts != nil }

// Count charges n to every allowance, or to none, for all processes on the database. It reports whether the request is granted,
// or else which charge is exhausted and when to retry.
func (s *Store) Count(ctx context.Context, charges []Charge, n int, now time.Time) (granted bool, over int, retry time.Duration, err error) {
	c := &count{charges: charges, n: int64(n), now: now}
	err = s.counts.submit(ctx, work{count: c})
	return c.granted, c.over, c.retry, err
}

// countQuery is GCRA in one statement. For each key it stores the time, in nanoseconds, at which everything granted so far would
// be spent at the configured pace, and advances it. granted is how much of the last request was granted.
const countQuery = `INSERT INTO allowances AS a (key, spent_at, step, burst, granted)
	SELECT key, CAST($5 AS BIGINT) + step * LEAST(wanted, burst), step, burst, LEAST(wanted, burst)
		FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) AS asked (key, wanted, step, burst)
	ON CONFLICT (key) DO UPDATE SET step = excluded.step, burst = excluded.burst,
		granted = LEAST(excluded.granted, GREATEST(0, (CAST($5 AS BIGINT) + excluded.burst * excluded.step - GREATEST(a.spent_at, CAST($5 AS BIGINT))) / excluded.step)),
		spent_at = GREATEST(a.spent_at, CAST($5 AS BIGINT)) + excluded.step *
			LEAST(excluded.granted, GREATEST(0, (CAST($5 AS BIGINT) + excluded.burst * excluded.step - GREATEST(a.spent_at, CAST($5 AS BIGINT))) / excluded.step))
	RETURNING key, spent_at, granted`

// commitCounts counts a group in one statement. A second statement gives back what was granted but could not be used, because
// another charge was exhausted.
func (w *writer) commitCounts(group []*writeRequest) error {
	batch := newCountBatch(group)
	c := w.tx.conn.(*postgresConn)
	if err := c.ensureConnected(); err != nil {
		return err
	}
	if err := batch.send(c, batch.wanted, batch.recordGrant); err != nil {
		return err
	}
	if unused := batch.distribute(); len(unused) > 0 {
		return batch.send(c, unused, func(row) error { return nil })
	}
	return nil
}

// queueDelay is how long a request has waited, if over a second. Other processes have counted since: with the old time, the
// requests of a process that hung would look as if their clients had spent everything in advance.
func queueDelay(req *writeRequest) time.Duration {
	if waited := time.Since(req.queuedAt); waited > time.Second {
		return waited
	}
	return 0
}
