package store

import (
	"maps"
	"slices"
	"time"
)

// countBatch is what a group of clients wants of each allowance, and what they get of it.
type countBatch struct {
	now       time.Time
	requests  []*count
	paces     map[string]Pace
	wanted    map[string]int64
	available map[string]int64         // granted, and used by nobody yet
	ahead     map[string]time.Duration // how long what was granted would last at the right pace
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
			b.available[c.Key] += max(0, -req.count.n) // what is given back goes to those who ask
		}
	}
	return b
}

// send has the server count. Allowances stand in their order, so that no two processes wait for each other.
func (b *countBatch) send(conn *postgresConn, wanted map[string]int64, each func(row) error) error {
	keys := slices.Sorted(maps.Keys(wanted))
	amounts, steps, bursts := make([]int64, len(keys)), make([]int64, len(keys)), make([]int64, len(keys))
	for i, key := range keys {
		amounts[i], steps[i], bursts[i] = wanted[key], int64(b.paces[key].Step), int64(b.paces[key].Burst)
	}
	return conn.query(countQuery, []any{keys, amounts, steps, bursts, b.now.UnixNano()}, each)
}

// recordGrant takes down one answer of the server.
func (b *countBatch) recordGrant(r row) error {
	b.available[r.text(0)] += r.number(2)
	b.ahead[r.text(0)] = time.Unix(0, r.number(1)).Sub(b.now)
	return nil
}

// distribute gives what was granted to those who asked, in their order, and says what has to be taken back.
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

// grant gives one client what it asked for, if all its allowances have it.
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
