package store

import (
	"maps"
	"slices"
	"time"
)

// countBatch is what a group of clients wants of each allowance, and what they get of it.
type countBatch struct {
	now    time.Time
	requests  []*count
	paces  map[string]Pace
	wanted map[string]int64
	available   map[string]int64         // granted, and used by nobody yet
	ahead  map[string]time.Duration // how long what was granted would last at the right pace
}

func newCountBatch(group []*writeRequest) *countBatch {
	t := &countBatch{paces: make(map[string]Pace), wanted: make(map[string]int64), available: make(map[string]int64), ahead: make(map[string]time.Duration)}
	for _, j := range group {
		t.requests = append(t.requests, j.count)
		if at := j.count.now.Add(queueDelay(j)); at.After(t.now) {
			t.now = at
		}
		for _, c := range j.count.charges {
			t.paces[c.Key] = c.Pace
			t.wanted[c.Key] += j.count.n
			t.available[c.Key] += max(0, -j.count.n) // what is given back goes to those who ask
		}
	}
	return t
}

// send has the server count. Allowances stand in their order, so that no two processes wait for each other.
func (t *countBatch) send(l *postgresConn, wanted map[string]int64, each func(row) error) error {
	keys := slices.Sorted(maps.Keys(wanted))
	many, steps, bursts := make([]int64, len(keys)), make([]int64, len(keys)), make([]int64, len(keys))
	for i, key := range keys {
		many[i], steps[i], bursts[i] = wanted[key], int64(t.paces[key].Step), int64(t.paces[key].Burst)
	}
	return l.query(countQuery, []any{keys, many, steps, bursts, t.now.UnixNano()}, each)
}

// recordGrant takes down one answer of the server.
func (t *countBatch) recordGrant(r row) error {
	t.available[r.text(0)] += r.number(2)
	t.ahead[r.text(0)] = time.Unix(0, r.number(1)).Sub(t.now)
	return nil
}

// distribute gives what was granted to those who asked, in their order, and says what has to be taken back.
func (t *countBatch) distribute() (unused map[string]int64) {
	for _, x := range t.requests {
		t.grant(x)
	}
	unused = make(map[string]int64)
	for key, n := range t.available {
		if n > 0 {
			unused[key] = -n
		}
	}
	return unused
}

// grant gives one client what it asked for, if all its allowances have it.
func (t *countBatch) grant(x *count) {
	x.granted = true
	if x.n <= 0 {
		return
	}
	for i, c := range x.charges {
		if t.available[c.Key] < x.n {
			x.granted, x.over = false, i
			x.retry = max(0, t.ahead[c.Key]+time.Duration(x.n-int64(c.Pace.Burst))*c.Pace.Step)
			return
		}
	}
	for _, c := range x.charges {
		t.available[c.Key] -= x.n
	}
}
