package storetest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
	"foyer/internal/store"
)

// OneCharge returns the limit of one client.
func OneCharge(step time.Duration, burst int) []lead.Charge {
	return []lead.Charge{{Key: "leads 192.0.2.1", Step: step, Burst: burst}}
}

// countTogether counts one client in all processes, if the engine shares counts.
func (c Contract) countTogether(t *testing.T) {
	stores := c.openSeveral(t)
	if stores[0].Counts() == nil {
		t.Skip("each process counts for itself")
	}
	charges := countAtOnce(t, stores)
	take := func(i, n int, at time.Time) (bool, time.Duration) {
		granted, _, retry, err := stores[i%processes].Counts().CountAt(t.Context(), charges, n, at)
		if err != nil {
			t.Error(err)
		}
		return granted, retry
	}
	type answer struct {
		Granted bool
		Retry   time.Duration
	}
	for _, step := range []struct {
		name string
		n    int
		at   time.Time
		want answer
	}{
		{"a refusal says when to come back", 1, Noon.Add(20 * time.Second), answer{false, 40 * time.Second}},
		{"a moment too early", 1, Noon.Add(time.Minute - 1), answer{false, 1}},
		{"in time", 1, Noon.Add(time.Minute), answer{true, 0}},
		{"once only", 1, Noon.Add(time.Minute), answer{false, time.Minute}},
		{"what is given back", -1, Noon.Add(time.Minute), answer{true, 0}},
		{"can be had again", 1, Noon.Add(time.Minute), answer{true, 0}},
	} {
		yes, retry := take(1, step.n, step.at)
		if diff := cmp.Diff(step.want, answer{yes, retry}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
	for i := range 11 {
		if yes, _ := take(i, 1, Noon.Add(24*time.Hour)); yes != (i < 10) {
			t.Errorf("after a long time, the %d. of a burst of 10: granted is %v", i+1, yes)
		}
	}
	if err := Job(t, stores[0]).DeleteOldCounts(t.Context(), Noon.Add(48*time.Hour)); err != nil {
		t.Fatal(err)
	}
}

// countNetworks counts two clients of one network in all processes. Each has its own limit, and both share that of the network.
// If one limit refuses a request, the other does not count it, not even for a moment: hence many networks.
func (c Contract) countNetworks(t *testing.T) {
	stores := c.openSeveral(t)
	if stores[0].Counts() == nil {
		t.Skip("each process counts for itself")
	}
	for i := range 8 {
		untilAnswered(t, func(try int) bool { return countNetwork(t, stores, fmt.Sprintf("2001:db8:%x:", 100*i+try)) })
	}
}

// countAtOnce has all processes count a client at once, who may have ten, and returns its charges.
func countAtOnce(t *testing.T, stores []*store.Store) (charges []lead.Charge) {
	t.Helper()
	untilAnswered(t, func(try int) bool {
		charges = []lead.Charge{{Key: fmt.Sprint("leads 192.0.2.", try), Step: time.Minute, Burst: 10}}
		var granted atomic.Int64
		var unanswered atomic.Bool
		var all sync.WaitGroup
		for i := range 200 {
			all.Go(func() {
				switch yes, _, _, err := stores[i%processes].Counts().CountAt(t.Context(), charges, 1, Noon); {
				case isSlow(err):
					unanswered.Store(true)
				case err != nil:
					t.Error(err)
				case yes:
					granted.Add(1)
				}
			})
		}
		all.Wait()
		if got := granted.Load(); got > 10 || got < 10 && !unanswered.Load() {
			t.Errorf("%d of 200 were granted at once, want 10", got)
		}
		return !unanswered.Load()
	})
	return charges
}

// isSlow reports whether the server did not answer within db.CountTimeout: on a busy machine that says nothing about the counts.
func isSlow(err error) bool { return KindOf(err) == lead.Unavailable }

// untilAnswered tries a test again, with other clients, until the server answers all of it in time.
func untilAnswered(t *testing.T, count func(try int) (answered bool)) {
	t.Helper()
	for try := range 10 {
		if count(try) {
			return
		}
	}
	t.Fatal("the server answers too slowly for this test")
}

// countNetwork returns false if the server did not answer all of it in time.
func countNetwork(t *testing.T, stores []*store.Store, prefix string) bool {
	t.Helper()
	var unanswered atomic.Bool
	network := lead.Charge{Key: "leads " + prefix + ":/48", Step: time.Minute, Burst: 12}
	of := func(client string) []lead.Charge {
		return []lead.Charge{network, {Key: "leads " + client, Step: time.Hour, Burst: 8}}
	}
	var all sync.WaitGroup
	var granted, overNetwork, overClient [2]atomic.Int64
	for i := range 100 {
		all.Go(func() {
			client := min(i%25, 1) // the first asks four times, which is what the second leaves of the network
			yes, over, _, err := stores[i%processes].Counts().CountAt(t.Context(), of([]string{prefix + ":/64", prefix + "1::/64"}[client]), 1, Noon)
			switch {
			case isSlow(err):
				unanswered.Store(true)
			case err != nil:
				t.Error(err)
			case yes:
				granted[client].Add(1)
			case over == 0:
				overNetwork[client].Add(1)
			default:
				overClient[client].Add(1)
			}
		})
	}
	all.Wait()
	if unanswered.Load() {
		return false
	}
	one, other := granted[0].Load(), granted[1].Load()
	if one != 4 || other != 8 {
		t.Errorf("%d and %d were granted, want 4 and 8", one, other)
	}
	if refused := overNetwork[0].Load() + overNetwork[1].Load() + overClient[0].Load() + overClient[1].Load(); refused != 88 {
		t.Errorf("%d were refused", refused)
	}
	count := func(charges []lead.Charge, n int, want bool, wantOver int, wantRetry time.Duration) {
		t.Helper()
		yes, over, retry, err := stores[0].Counts().CountAt(t.Context(), charges, n, Noon)
		if err != nil || yes != want || over != wantOver || retry != wantRetry {
			t.Errorf("granted %v, over %d, retry %s, %v; want %v, %d, %s", yes, over, retry, err, want, wantOver, wantRetry)
		}
	}
	count(of(prefix+"2::/64"), 1, false, 0, time.Minute)
	count(of(prefix + "2::/64")[1:], 8, true, 0, 0) // the refusal above did not count
	count(of(prefix+"2::/64"), -2, true, 0, 0)
	count(of(prefix+"3::/64"), 2, true, 0, 0)
	count(of(prefix+"2::/64"), 1, false, 0, time.Minute)
	return true
}
