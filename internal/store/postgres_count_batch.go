package store

import (
	"maps"
	"slices"
	"time"
)

// countBatch is what a group of requests wants from each allowance, and what the server grants.
type countBatch struct {
	now       time.Time
	requests  []*count
	paces     map[string]Pace
	wanted    map[string]int64
	available map[string]int64         // granted and not used yet
	ahead     map[string]time.Duration // how long the granted amount lasts at the configured pace
}

func newCountBatch(group []*writeRequest) *countBatch {
	b := &countBatch{paces: make(map[string]Pace), wanted: make(map[string]int64), available: make(map[string]int64), ahead: make(map[string]time.Duration)}
	for _, req := range group {
		b.requests = append(b.requests, req.count)
		if at := req.count.now.Add(queueDelay(req)); at.After(b.now) {
			b.now = at
		}
		for _, c := range req.count.charges {
			b.paces[c.Key] = c.Pace
			b.wanted[c.Key] += req.count.n
			b.available[c.Key] += max(0, -req.count.n) // returned amounts are available to the other requests
		}
	}
	return b
}

// send counts on the server. The keys are sorted, so that two processes never deadlock.
func (b *countBatch) send(conn *postgresConn, wanted map[string]int64, each func(row) error) error {
	keys := slices.Sorted(maps.Keys(wanted))
	amounts, steps, bursts := make([]int64, len(keys)), make([]int64, len(keys)), make([]int64, len(keys))
	for i, key := range keys {
		amounts[i], steps[i], bursts[i] = wanted[key], int64(b.paces[key].Step), int64(b.paces[key].Burst)
	}
	return conn.query(countQuery, []any{keys, amounts, steps, bursts, b.now.UnixNano()}, each)
}

// recordGrant records one row of the server's answer.
func (b *countBatch) recordGrant(r row) error {
	b.available[r.text(0)] += r.number(2)
	b.ahead[r.text(0)] = time.Unix(0, r.number(1)).Sub(b.now)
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
			req.retry = max(0, b.ahead[c.Key]+time.Duration(req.n-int64(c.Pace.Burst))*c.Pace.Step)
			return
		}
	}
	for _, c := range req.charges {
		b.available[c.Key] -= req.n
	}
}
