package store

import (
	"maps"
	"slices"
	"time"
)

// tally is what a group of clients wants of each allowance, and what they get of it.
type tally struct {
	now    time.Time
	asked  []*count
	paces  map[string]Pace
	wanted map[string]int64
	left   map[string]int64         // granted, and used by nobody yet
	ahead  map[string]time.Duration // how long what was granted would last at the right pace
}

func newTally(group []*writeRequest) *tally {
	t := &tally{paces: make(map[string]Pace), wanted: make(map[string]int64), left: make(map[string]int64), ahead: make(map[string]time.Duration)}
	for _, j := range group {
		t.asked = append(t.asked, j.count)
		if at := j.count.now.Add(late(j)); at.After(t.now) {
			t.now = at
		}
		for _, c := range j.count.charges {
			t.paces[c.Key] = c.Pace
			t.wanted[c.Key] += j.count.n
			t.left[c.Key] += max(0, -j.count.n) // what is given back goes to those who ask
		}
	}
	return t
}

// put has the server count. Allowances stand in their order, so that no two processes wait for each other.
func (t *tally) put(l *postgresConn, wanted map[string]int64, each func(row) error) error {
	keys := slices.Sorted(maps.Keys(wanted))
	many, steps, bursts := make([]int64, len(keys)), make([]int64, len(keys)), make([]int64, len(keys))
	for i, key := range keys {
		many[i], steps[i], bursts[i] = wanted[key], int64(t.paces[key].Step), int64(t.paces[key].Burst)
	}
	return l.query(countAll, []any{keys, many, steps, bursts, t.now.UnixNano()}, each)
}

// granted takes down one answer of the server.
func (t *tally) granted(r row) error {
	t.left[r.text(0)] += r.number(2)
	t.ahead[r.text(0)] = time.Unix(0, r.number(1)).Sub(t.now)
	return nil
}

// share gives what was granted to those who asked, in their order, and says what has to be taken back.
func (t *tally) share() (unused map[string]int64) {
	for _, x := range t.asked {
		t.serve(x)
	}
	unused = make(map[string]int64)
	for key, n := range t.left {
		if n > 0 {
			unused[key] = -n
		}
	}
	return unused
}

// serve gives one client what it asked for, if all its allowances have it.
func (t *tally) serve(x *count) {
	x.granted = true
	if x.n <= 0 {
		return
	}
	for i, c := range x.charges {
		if t.left[c.Key] < x.n {
			x.granted, x.over = false, i
			x.retry = max(0, t.ahead[c.Key]+time.Duration(x.n-int64(c.Pace.Burst))*c.Pace.Step)
			return
		}
	}
	for _, c := range x.charges {
		t.left[c.Key] -= x.n
	}
}
