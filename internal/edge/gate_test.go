package edge_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"foyer/internal/edge"
)

// TestGateLearnsRate lets in what can be done in time: at a thousand a second and a third of a second's
// time, some three hundred.
func TestGateLearnsRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &edge.Gate{MaxConcurrent: 5000, MinConcurrent: 10, Within: 300 * time.Millisecond, Patience: 40 * time.Millisecond}
		if n := fillGate(t, g); n != 10 {
			t.Fatalf("a gate that knows nothing lets %d in, want the few", n)
		}
		for range 1000 { // one leaves and one comes each millisecond
			time.Sleep(time.Millisecond)
			g.Leave()
			if !g.Enter(t.Context()) {
				t.Fatal("there was room")
			}
		}
		if n := 10 + fillGate(t, g); n < 290 || n > 310 {
			t.Errorf("at a thousand a second %d are let in, want about 300", n)
		}
	})
}

// fillGate lets in as many as the gate takes, and says how many that was.
func fillGate(t *testing.T, g *edge.Gate) int {
	t.Helper()
	for n := range 10000 {
		if !g.Enter(t.Context()) {
			return n
		}
	}
	t.Fatal("everybody is let in")
	return 0
}

// TestGateMaxConcurrent bounds what is inside, however fast it leaves.
func TestGateMaxConcurrent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &edge.Gate{MaxConcurrent: 50, MinConcurrent: 10, Within: time.Second, Patience: time.Millisecond}
		for range 20_000 {
			if !g.Enter(t.Context()) {
				t.Fatal("there was room")
			}
			time.Sleep(50 * time.Microsecond)
			g.Leave()
		}
		if n := fillGate(t, g); n != 50 {
			t.Errorf("%d are let in, want 50", n)
		}
	})
}

// TestGateWaitsBeforeRefusing holds the time before a refusal: not at once, and soon.
func TestGateWaitsBeforeRefusing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &edge.Gate{MaxConcurrent: 1, MinConcurrent: 1, Patience: 40 * time.Millisecond}
		g.Enter(t.Context())
		began := time.Now()
		if g.Enter(t.Context()) || time.Since(began) != 40*time.Millisecond {
			t.Errorf("refused after %v", time.Since(began))
		}
		go func() {
			time.Sleep(20 * time.Millisecond)
			g.Leave()
		}()
		if !g.Enter(t.Context()) {
			t.Error("there was room in time")
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		if g.Enter(gone) {
			t.Error("who has left came in")
		}
	})
}

// TestGateKeepsRateWhenQuiet keeps what was learned while few come, and gives it up where many wait.
func TestGateKeepsRateWhenQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &edge.Gate{MaxConcurrent: 5000, MinConcurrent: 10, Within: 300 * time.Millisecond, Patience: time.Millisecond}
		pass := func(n int, every time.Duration) {
			for range n {
				if !g.Enter(t.Context()) {
					t.Fatal("there was room")
				}
				time.Sleep(every)
				g.Leave()
			}
		}
		pass(1000, time.Millisecond)
		pass(100, 50*time.Millisecond) // a quiet time
		inside := fillGate(t, g)
		if inside < 290 {
			t.Errorf("after a quiet time %d are let in, want about 300", inside)
		}
		for range 100 { // now they leave slowly, though many wait
			time.Sleep(20 * time.Millisecond)
			g.Leave()
			inside--
			if g.Enter(t.Context()) {
				inside++
			}
		}
		if inside > 250 {
			t.Errorf("of a slow disk %d are still let in", inside)
		}
	})
}

// TestGateEnterMore lets somebody inside take as many places as it brings work, all or none.
func TestGateEnterMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &edge.Gate{MaxConcurrent: 50, MinConcurrent: 50, Patience: 40 * time.Millisecond}
		if !g.Enter(t.Context()) || !g.EnterMore(t.Context(), 31) {
			t.Fatal("there was room")
		}
		if !g.Enter(t.Context()) || g.EnterMore(t.Context(), 31) {
			t.Fatal("a batch came in where there was no room for all of it")
		}
		if n := fillGate(t, g); n != 17 {
			t.Errorf("beside it %d more are let in, want 17", n)
		}
		g.LeaveMore(31)
		if n := fillGate(t, g); n != 31 {
			t.Errorf("afterwards %d are let in, want its 31 places", n)
		}
	})
}

// TestGateCountsBatchAsOne counts it as one: a thousand batches in a second are not thirty thousand pieces of work.
func TestGateCountsBatchAsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &edge.Gate{MaxConcurrent: 50_000, MinConcurrent: 40, Within: time.Second, Patience: time.Millisecond}
		for range 1000 {
			if !g.Enter(t.Context()) || !g.EnterMore(t.Context(), 31) {
				t.Fatal("there was room")
			}
			time.Sleep(time.Millisecond)
			g.LeaveMore(31)
			g.Leave()
		}
		if n := fillGate(t, g); n < 900 || n > 1100 {
			t.Errorf("%d are let in, want about a thousand", n)
		}
	})
}
