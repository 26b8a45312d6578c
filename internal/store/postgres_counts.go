package store

import (
	"context"
	"slices"
	"time"
)

// Pace is how often something may be done: once in every step, and so many times at once.
type Pace struct {
	Step  time.Duration
	Burst int
}

// count is one thing that a client does.
type count struct {
	key     string
	n       int64 // how often; below zero where something is given back
	pace    Pace
	now     time.Time
	granted bool
	retry   time.Duration
}

// Shares says whether processes can share what they count.
func (s *Store) Shares() bool { return s.counts != nil }

// Count counts what a client does, for all processes on the database, and says whether it may be done, or else when.
func (s *Store) Count(ctx context.Context, key string, n int, p Pace, now time.Time) (granted bool, retry time.Duration, err error) {
	x := &count{key: key, n: int64(n), pace: p, now: now}
	err = s.counts.put(ctx, work{count: x})
	return x.granted, x.retry, err
}

// The time at which everything granted so far would have been spent at the right pace is kept for each client, in
// nanoseconds, and moved on by one statement (GCRA). granted is how many of those who asked last were let through.
const countAll = `INSERT INTO allowances AS a (key, spent_at, step, burst, granted)
	SELECT key, CAST($5 AS BIGINT) + step * LEAST(wanted, burst), step, burst, LEAST(wanted, burst)
		FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) AS asked (key, wanted, step, burst)
	ON CONFLICT (key) DO UPDATE SET step = excluded.step, burst = excluded.burst,
		granted = LEAST(excluded.granted, GREATEST(0, (CAST($5 AS BIGINT) + excluded.burst * excluded.step - GREATEST(a.spent_at, CAST($5 AS BIGINT))) / excluded.step)),
		spent_at = GREATEST(a.spent_at, CAST($5 AS BIGINT)) + excluded.step *
			LEAST(excluded.granted, GREATEST(0, (CAST($5 AS BIGINT) + excluded.burst * excluded.step - GREATEST(a.spent_at, CAST($5 AS BIGINT))) / excluded.step))
	RETURNING key, spent_at, granted`

// commitCounts counts a group in one statement. Clients stand in their order, so that no two processes wait for each other.
func (w *writer) commitCounts(group []*job) error {
	asked := make(map[string][]*count)
	var now time.Time
	for _, j := range group {
		asked[j.count.key] = append(asked[j.count.key], j.count)
		if at := j.count.now.Add(late(j)); at.After(now) {
			now = at
		}
	}
	var keys []string
	for key := range asked {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	wanted, steps, bursts := make([]int64, len(keys)), make([]int64, len(keys)), make([]int64, len(keys))
	for i, key := range keys {
		for _, x := range asked[key] {
			wanted[i] += x.n
			steps[i], bursts[i] = int64(x.pace.Step), int64(x.pace.Burst)
		}
	}
	l := w.hand.line.(*postgresLine)
	if err := l.ready(); err != nil {
		return err
	}
	return l.query(countAll, []any{keys, wanted, steps, bursts, now.UnixNano()}, func(r row) error {
		share(asked[r.text(0)], r.number(2), time.Unix(0, r.number(1)).Sub(now))
		return nil
	})
}

// late is how long a job has waited, where that matters. Others have counted on since, and what a process asks that hung
// meanwhile would look as if its clients had used up everything in advance.
func late(j *job) time.Duration {
	if waited := time.Since(j.since); waited > time.Second {
		return waited
	}
	return 0
}

// share gives what was granted to those who asked, in their order. What others gave back goes to them as well. ahead is how
// long what was granted would last at the right pace.
func share(asked []*count, granted int64, ahead time.Duration) {
	for _, x := range asked {
		if x.n < 0 {
			granted -= x.n
		}
	}
	for _, x := range asked {
		x.granted = x.n <= granted || x.n <= 0
		if x.granted {
			granted -= max(0, x.n)
			continue
		}
		x.retry = max(0, ahead+time.Duration(x.n-int64(x.pace.Burst))*x.pace.Step)
	}
}
