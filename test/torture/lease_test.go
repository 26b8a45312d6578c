package torture

import (
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/sim"
)

// TestOffersRetriedAfterLease kills a process that has offers in flight. Another process leaves them alone during the
// lease, and then makes the same offers again. A lease ends by the clock of the other process.
func TestOffersRetriedAfterLease(t *testing.T) {
	t.Parallel()
	for _, clocks := range []struct {
		name          string
		first, second time.Duration
	}{
		{"the same clock", 0, 0},
		{"a dead process was ahead of the other", clockError, -clockError},
		{"a dead process was behind the other", -clockError, clockError},
	} {
		t.Run(clocks.name, func(t *testing.T) {
			t.Parallel()
			retryAfterLease(t, clocks.first, clocks.second)
		})
	}
}

func retryAfterLease(t *testing.T, firstClock, secondClock time.Duration) {
	const leads = 5 // at most as many as go to one buyer concurrently
	pg, rec := newPGServer(t), newRecorder()
	ep, url := newEndpoint(t, rec.wrap("silent", &sim.Buyer{Secrets: []string{secret}, Offer: behaviour(t, "hang")}))
	foyer(t, "buyers", "add", "--live", "--database", pg.newDatabase(), "--allow-private-buyers", "--name", "silent", "--url", url, "--services", "hvac", "--price", leadPrice, "--secret", secret)
	first := startProc(t, pg.url, firstClock)
	for range leads {
		mark, text := newRequest(marks.Add(1))
		kept := first.sendOne(text)
		first.told.accepted[mark] = kept.LeadID
	}
	rec.untilSeen(t, leads)
	second := startProc(t, pg.url, secondClock)
	first.Kill()
	ep.setHandler(rec.wrap("silent", &sim.Buyer{Secrets: []string{secret}, Offer: behaviour(t, "accept")}))
	lease := buyer.Lease + firstClock - secondClock
	left := pg.untilLeaseEnds() - secondClock
	if left < lease/2 || left > lease {
		t.Errorf("the lease lasts %v from here", left)
	}
	if choose(false, true) {
		pg.shortenLeases(left - 3*time.Second) // instead of waiting
		left = pg.untilLeaseEnds() - secondClock
	}
	time.Sleep(left - 500*time.Millisecond)
	if n := rec.seen(); n > leads {
		t.Errorf("%d offers were made again before the lease was over", n-leads)
	}
	began := time.Now()
	where := awaitSettled(t, pg.url)
	took := time.Since(began) - 500*time.Millisecond
	if took > 5*time.Second {
		t.Errorf("taken over %v after the lease", took)
	}
	second.stopGracefully()
	rec.judge(t, pg.url, where, first.told)
	if where.count(lead.Forwarded) != leads {
		t.Errorf("%d of %d were forwarded", where.count(lead.Forwarded), leads)
	}
	report(t, "what a dead process had begun, another one ends", "%d offers made again under their ids when the lease of %v was over; all forwarded %v later", leads, lease, took.Round(10*time.Millisecond))
}

// shortenLeases makes all leases end that much earlier, as if the time had passed.
func (pg *pgServer) shortenLeases(by time.Duration) {
	pg.t.Helper()
	db := open(pg.t, pg.url)
	defer db.Close()
	_, err := db.ExecContext(pg.t.Context(), "UPDATE deliveries SET due_at = due_at - $1 WHERE owner <> ''", by.Microseconds())
	pg.must(err)
}

// untilLeaseEnds returns how long the first lease lasts.
func (pg *pgServer) untilLeaseEnds() time.Duration {
	pg.t.Helper()
	db := open(pg.t, pg.url)
	defer db.Close()
	var end int64
	pg.must(db.QueryRowContext(pg.t.Context(), "SELECT coalesce(min(due_at), 0) FROM deliveries WHERE owner <> ''").Scan(&end))
	return time.Until(time.UnixMicro(end))
}

// seen returns how many messages have arrived so far.
func (rec *recorder) seen() int {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	return rec.messages
}

func (rec *recorder) untilSeen(t *testing.T, n int) {
	t.Helper()
	for began := time.Now(); rec.seen() < n; time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > 10*time.Second {
			t.Fatalf("%d of %d messages came", rec.seen(), n)
		}
	}
}

// TestSharedRateLimit counts one client's requests over three processes, one of which is killed meanwhile.
func TestSharedRateLimit(t *testing.T) {
	t.Parallel()
	const limit = 90
	pg := newPGServer(t)
	procs := startProcs(t, pg.newDatabase(), 3, "--rate-limit", "1/hour burst 90")
	answers := make([]int, 4*limit)
	concurrently(len(answers), func(i int) {
		if i == limit/2 {
			procs[0].Kill()
		}
		_, text := newRequest(marks.Add(1))
		if res, _, err := post(httpClient, procs[i%3].URL, text, ""); err == nil {
			answers[i] = res.StatusCode
		}
	})
	count := make(map[int]int)
	for _, status := range answers {
		count[status]++
	}
	kept := len(leadsIn(t, pg.url))
	if count[202]+count[429]+count[0] != len(answers) || count[202] > limit || kept > limit || kept < count[202] || count[202] < limit-clientCount*3 {
		t.Errorf("by status: %v; %d kept", count, kept)
	}
	report(t, "a limit holds for all processes together", "of %d leads sent to 3 processes at once, 1 kill, %d were accepted and %d kept, with a limit of %d", len(answers), count[202], kept, limit)
}
