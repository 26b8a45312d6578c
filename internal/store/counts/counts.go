// Package counts keeps rate-limit counts in the database: how much each client did lately, so that all processes on the database share
// one limit. They are not metrics: where a counter of that kind would go, CONTRIBUTING.md says. It needs an engine with several writers;
// without one, each process counts for itself.
package counts

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/commit"
	"foyer/internal/store/db"
)

// request is a count in the queue.
type request = commit.Request[*count]

// count is one request to charge the allowances of a client.
type count struct {
	charges []lead.Charge
	n       int64     // how much; negative to give something back
	now     time.Time // zero for the server's clock
	granted bool
	over    int // index of the exhausted charge, if not granted
	retry   time.Duration
}

// Counter counts requests of clients for all processes on a database.
type Counter struct {
	queue  *commit.Queue[*count]
	target *target
}

// Open connects to a database whose engine shares counts.
func Open(ctx context.Context, e db.Engine, log *slog.Logger) (*Counter, error) {
	c, err := e.Write(ctx, db.RoleCount)
	if err != nil {
		return nil, err
	}
	counter := &Counter{commit.NewQueue[*count](db.RoleCount.String(), log), &target{e, c}}
	counter.queue.AddWriter(counter.target, commit.Options{})()
	return counter, nil
}

// Close counts the requests that are waiting and closes the connection.
func (c *Counter) Close() error {
	c.queue.Stop()
	c.queue.Wait()
	return c.target.conn.Close()
}

// Count charges n to every allowance, or to none. It reports whether the request is granted, or else which charge is exhausted and
// when to retry. It counts by the server's clock: to a process whose clock is behind, a client would seem to have spent in advance
// what another process granted it.
func (c *Counter) Count(ctx context.Context, charges []lead.Charge, n int) (granted bool, over int, retry time.Duration, err error) {
	return c.CountAt(ctx, charges, n, time.Time{})
}

// CountAt is Count by another clock.
func (c *Counter) CountAt(ctx context.Context, charges []lead.Charge, n int, now time.Time) (granted bool, over int, retry time.Duration, err error) {
	one := &count{charges: charges, n: int64(n), now: now}
	err = c.queue.Submit(ctx, one, commit.Normal)
	return one.granted, one.over, one.retry, err
}

// target is the connection that counts.
type target struct {
	engine db.Engine
	conn   db.Conn
}

func (t *target) Rollback() { t.conn.Rollback() }

func (t *target) Classify(err error) (storageFailure, reopen bool) { return t.engine.Classify(err) }

// Reopen replaces the connection.
func (t *target) Reopen(ctx context.Context) error {
	_ = t.conn.Close() // it is broken, so this returns an error
	c, err := t.engine.Write(ctx, db.RoleCount)
	if err == nil {
		t.conn = c
	}
	return err
}

// Probe changes no row, but a server that accepts no writes refuses it.
func (t *target) Probe() error {
	_, err := t.conn.ExecCount(`UPDATE allowances SET granted = granted WHERE key = ''`, nil)
	return err
}

// countTime is the time of a count in nanoseconds, by the server's clock unless there is another.
const countTime = `COALESCE(CAST($5 AS BIGINT), CAST(extract(epoch FROM statement_timestamp()) * 1000000000 AS BIGINT))`

// countQuery is GCRA in one statement. For each key it stores the time, in nanoseconds, at which everything granted so far would
// be spent at the configured pace, and advances it. granted is how much of the last request was granted.
const countQuery = `INSERT INTO allowances AS a (key, spent_at, step, burst, granted)
	SELECT key, ` + countTime + ` + step * LEAST(wanted, burst), step, burst, LEAST(wanted, burst)
		FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) AS asked (key, wanted, step, burst)
	ON CONFLICT (key) DO UPDATE SET step = excluded.step, burst = excluded.burst,
		granted = LEAST(excluded.granted, GREATEST(0, (` + countTime + ` + excluded.burst * excluded.step - GREATEST(a.spent_at, ` + countTime + `)) / excluded.step)),
		spent_at = GREATEST(a.spent_at, ` + countTime + `) + excluded.step *
			LEAST(excluded.granted, GREATEST(0, (` + countTime + ` + excluded.burst * excluded.step - GREATEST(a.spent_at, ` + countTime + `)) / excluded.step))
	RETURNING key, spent_at - ` + countTime + `, granted`

// Commit counts a group. What is granted and then given back must never look spent to another process, which would refuse clients
// that have something left: counting and giving back are one transaction.
func (t *target) Commit(group []*request) error {
	batch := newCountBatch(group)
	if !batch.mayGiveBack {
		return batch.count(t.conn)
	}
	return db.InTx(t.conn, func() error { return batch.count(t.conn) })
}

// countBatch is what a group of requests wants from each allowance, and what the server grants.
type countBatch struct {
	now         any  // the time in nanoseconds, or nil for the server's clock
	mayGiveBack bool // a request may find one of its charges exhausted, or only a part of what it wants
	requests    []*count
	limits      map[string]lead.Charge
	wanted      map[string]int64
	available   map[string]int64         // granted and not used yet
	ahead       map[string]time.Duration // how long the granted amount lasts at the configured pace
}

func newCountBatch(group []*request) *countBatch {
	b := &countBatch{limits: make(map[string]lead.Charge), wanted: make(map[string]int64), available: make(map[string]int64), ahead: make(map[string]time.Duration)}
	var latest time.Time
	for _, req := range group {
		b.requests = append(b.requests, req.Work)
		b.mayGiveBack = b.mayGiveBack || len(req.Work.charges) > 1 || req.Work.n > 1
		if req.Work.now.After(latest) {
			latest = req.Work.now
			b.now = latest.UnixNano()
		}
		for _, c := range req.Work.charges {
			b.limits[c.Key] = c
			b.wanted[c.Key] += req.Work.n
			b.available[c.Key] += max(0, -req.Work.n) // returned amounts are available to the other requests
		}
	}
	return b
}

// count counts in one statement. A second one gives back what was granted but could not be used, because another charge was
// exhausted.
func (b *countBatch) count(c db.Conn) error {
	if err := b.send(c, b.wanted, b.recordGrant); err != nil {
		return err
	}
	if unused := b.distribute(); len(unused) > 0 {
		return b.send(c, unused, func(db.Row) error { return nil })
	}
	return nil
}

// send counts on the server. The keys are sorted, so that two processes never deadlock.
func (b *countBatch) send(c db.Conn, wanted map[string]int64, each func(db.Row) error) error {
	keys := slices.Sorted(maps.Keys(wanted))
	amounts, steps, bursts := make([]int64, len(keys)), make([]int64, len(keys)), make([]int64, len(keys))
	for i, key := range keys {
		amounts[i], steps[i], bursts[i] = wanted[key], int64(b.limits[key].Step), int64(b.limits[key].Burst)
	}
	return c.Query(countQuery, []any{keys, amounts, steps, bursts, b.now}, each)
}

// recordGrant records one row of the server's answer.
func (b *countBatch) recordGrant(r db.Row) error {
	b.available[r.Text(0)] += r.Int(2)
	b.ahead[r.Text(0)] = time.Duration(r.Int(1))
	return nil
}

// distribute assigns the granted amounts to the requests, in order, and returns what must be given back.
func (b *countBatch) distribute() (unused map[string]int64) {
	for _, req := range b.requests {
		b.grant(req)
	}
	unused = make(map[string]int64)
	for key, n := range b.available {
		if n > 0 {
			unused[key] = -n
		}
	}
	return unused
}

// grant gives one request what it asked for if every one of its allowances has enough.
func (b *countBatch) grant(req *count) {
	req.granted = true
	if req.n <= 0 {
		return
	}
	for i, c := range req.charges {
		if b.available[c.Key] < req.n {
			req.granted, req.over = false, i
			req.retry = max(0, b.ahead[c.Key]+time.Duration(req.n-int64(c.Burst))*c.Step)
			return
		}
	}
	for _, c := range req.charges {
		b.available[c.Key] -= req.n
	}
}
