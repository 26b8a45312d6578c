package store

import (
	"context"
	"time"
)

// Pace is how often something may be done: once in every step, and so many times at once.
type Pace struct {
	Step  time.Duration
	Burst int
}

// Charge is one allowance that is used: a client's, or that of a network it is in.
type Charge struct {
	Key  string
	Pace Pace
}

// count is one thing that a client does.
type count struct {
	charges []Charge
	n       int64 // how often; below zero where something is given back
	now     time.Time
	granted bool
	over    int // which of the charges has nothing left, where it is not granted
	retry   time.Duration
}

// Shares says whether processes can share what they count.
func (s *Store) Shares() bool { return s.counts != nil }

// Count counts what a client does, for all processes on the database: n of every charge, or of none. It says whether it may be
// done, or else which charge has nothing left, and when it will have.
func (s *Store) Count(ctx context.Context, charges []Charge, n int, now time.Time) (granted bool, over int, retry time.Duration, err error) {
	x := &count{charges: charges, n: int64(n), now: now}
	err = s.counts.submit(ctx, work{count: x})
	return x.granted, x.over, x.retry, err
}

// The time at which everything granted so far would have been spent at the right pace is kept for each client, in
// nanoseconds, and moved on by one statement (GCRA). granted is how many of those who asked last were let through.
const countQuery = `INSERT INTO allowances AS a (key, spent_at, step, burst, granted)
	SELECT key, CAST($5 AS BIGINT) + step * LEAST(wanted, burst), step, burst, LEAST(wanted, burst)
		FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) AS asked (key, wanted, step, burst)
	ON CONFLICT (key) DO UPDATE SET step = excluded.step, burst = excluded.burst,
		granted = LEAST(excluded.granted, GREATEST(0, (CAST($5 AS BIGINT) + excluded.burst * excluded.step - GREATEST(a.spent_at, CAST($5 AS BIGINT))) / excluded.step)),
		spent_at = GREATEST(a.spent_at, CAST($5 AS BIGINT)) + excluded.step *
			LEAST(excluded.granted, GREATEST(0, (CAST($5 AS BIGINT) + excluded.burst * excluded.step - GREATEST(a.spent_at, CAST($5 AS BIGINT))) / excluded.step))
	RETURNING key, spent_at, granted`

// commitCounts counts a group in one statement. What it granted and nobody could use, because another charge had nothing
// left, is given back by a second one.
func (w *writer) commitCounts(group []*writeRequest) error {
	t := newCountBatch(group)
	l := w.tx.conn.(*postgresConn)
	if err := l.ensureConnected(); err != nil {
		return err
	}
	if err := t.send(l, t.wanted, t.recordGrant); err != nil {
		return err
	}
	if unused := t.distribute(); len(unused) > 0 {
		return t.send(l, unused, func(row) error { return nil })
	}
	return nil
}

// queueDelay is how long a job has waited, where that matters. Others have counted on since, and what a process asks that hung
// meanwhile would look as if its clients had used up everything in advance.
func queueDelay(j *writeRequest) time.Duration {
	if waited := time.Since(j.queuedAt); waited > time.Second {
		return waited
	}
	return 0
}
