package torture

import (
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/sim"
)

// TestTheOthersTakeOver kills a process that has offers on their way. Another one leaves them alone while the lease lasts,
// and then makes the same offers again.
func TestTheOthersTakeOver(t *testing.T) {
	t.Parallel()
	const leads = 5 // no more than go to one buyer at a time
	g, w := newGround(t), newWitness()
	h, url := settle(t, w.stand("silent", &sim.Buyer{Secrets: []string{secret}, Offer: behaviour(t, "hang")}))
	foyer(t, "buyers", "add", "--live", "--database", g.fresh(), "--allow-private-buyers", "--name", "silent", "--url", url, "--services", "hvac", "--secret", secret)
	first := openBranches(t, g.url, 1)[0]
	for range leads {
		mark, text := letter(marks.Add(1))
		kept := first.sendOne(text)
		first.told.accepted[mark] = kept.LeadID
	}
	w.untilSeen(t, leads)
	second := openBranches(t, g.url, 1)[0]
	first.Kill()
	h.moveIn(w.stand("silent", &sim.Buyer{Secrets: []string{secret}, Offer: behaviour(t, "accept")}))
	if choose(false, true) {
		g.hasten(buyer.Lease - 3*time.Second) // rather than waiting
	}
	left := g.untilLeaseEnds()
	if left < time.Second || left > buyer.Lease {
		t.Errorf("the lease lasts %v from here", left)
	}
	time.Sleep(left - 500*time.Millisecond)
	if n := w.seen(); n > leads {
		t.Errorf("%d offers were made again before the lease was over", n-leads)
	}
	began := time.Now()
	where := settled(t, g.url)
	took := time.Since(began) - 500*time.Millisecond
	if took > 5*time.Second {
		t.Errorf("taken over %v after the lease", took)
	}
	second.stopInOrder()
	w.judge(t, g.url, where, first.told)
	if where.count(lead.Forwarded) != leads {
		t.Errorf("%d of %d were forwarded", where.count(lead.Forwarded), leads)
	}
	tell(t, "what a dead process had begun, another one ends", "%d offers made again under their ids when the lease was over; all forwarded %v later", leads, took.Round(10*time.Millisecond))
}

// hasten has all leases end that much earlier, as if the time had passed.
func (g *ground) hasten(by time.Duration) {
	g.t.Helper()
	db := open(g.t, g.url)
	defer db.Close()
	_, err := db.ExecContext(g.t.Context(), "UPDATE deliveries SET due_at = due_at - $1 WHERE owner <> ''", by.Microseconds())
	g.do(err)
}

// untilLeaseEnds is how long the first lease lasts.
func (g *ground) untilLeaseEnds() time.Duration {
	g.t.Helper()
	db := open(g.t, g.url)
	defer db.Close()
	var end int64
	g.do(db.QueryRowContext(g.t.Context(), "SELECT coalesce(min(due_at), 0) FROM deliveries WHERE owner <> ''").Scan(&end))
	return time.Until(time.UnixMicro(end))
}

// seen is how many messages came so far.
func (w *witness) seen() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.messages
}

func (w *witness) untilSeen(t *testing.T, n int) {
	t.Helper()
	for began := time.Now(); w.seen() < n; time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > 10*time.Second {
			t.Fatalf("%d of %d messages came", w.seen(), n)
		}
	}
}
