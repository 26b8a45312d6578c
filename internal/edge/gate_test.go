package edge_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"foyer/internal/edge"
)

// TestGateLearnsRate expects the gate to admit what can be done in time: at a thousand a second and three tenths of a second,
// about three hundred.
func TestGateLearnsRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &edge.Gate{MaxConcurrent: 5000, MinConcurrent: 10, Within: 300 * time.Millisecond, Patience: 40 * time.Millisecond}
		if n := fillGate(t, g); n != 10 {
			t.Fatalf("a new gate admits %d, want MinConcurrent", n)
		}
		for range 1000 { // one request ends and one starts each millisecond
			time.Sleep(time.Millisecond)
			g.Leave()
			if !g.Enter(t.Context()) {
				t.Fatal("refused below capacity")
			}
		}
		if n := 10 + fillGate(t, g); n < 290 || n > 310 {
			t.Errorf("at a thousand a second %d are admitted, want about 300", n)
		}
	})
}

// fillGate enters until the gate refuses, and returns how many were admitted.
func fillGate(t *testing.T, g *edge.Gate) int {
	t.Helper()
	for n := range 10000 {
		if !g.Enter(t.Context()) {
			return n
		}
	}
	t.Fatal("every request is admitted")
	return 0
}

// TestGateMaxConcurrent expects at most MaxConcurrent in flight, however fast requests end.
func TestGateMaxConcurrent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &edge.Gate{MaxConcurrent: 50, MinConcurrent: 10, Within: time.Second, Patience: time.Millisecond}
		for range 20_000 {
			if !g.Enter(t.Context()) {
				t.Fatal("refused below capacity")
			}
			time.Sleep(50 * time.Microsecond)
			g.Leave()
		}
		if n := fillGate(t, g); n != 50 {
			t.Errorf("%d are admitted, want 50", n)
		}
	})
}

// TestGateWaitsBeforeRefusing expects a refusal after Patience, not at once.
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
			t.Error("refused, though a slot became free in time")
		}
		canceled, cancel := context.WithCancel(t.Context())
		cancel()
		if g.Enter(canceled) {
			t.Error("a canceled request was admitted")
		}
	})
}

// TestGateKeepsRateWhenQuiet expects the learned rate to stay while there are few requests, and to fall while many wait.
func TestGateKeepsRateWhenQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &edge.Gate{MaxConcurrent: 5000, MinConcurrent: 10, Within: 300 * time.Millisecond, Patience: time.Millisecond}
		pass := func(n int, every time.Duration) {
			for range n {
				if !g.Enter(t.Context()) {
					t.Fatal("refused below capacity")
				}
				time.Sleep(every)
				g.Leave()
			}
		}
		pass(1000, time.Millisecond)
		pass(100, 50*time.Millisecond) // a quiet period
		inFlight := fillGate(t, g)
		if inFlight < 290 {
			t.Errorf("after a quiet period %d are admitted, want about 300", inFlight)
		}
		for range 100 { // now requests end slowly, though many wait
			time.Sleep(20 * time.Millisecond)
			g.Leave()
			inFlight--
			if g.Enter(t.Context()) {
				inFlight++
			}
		}
		if inFlight > 250 {
			t.Errorf("with a slow disk %d are still admitted", inFlight)
		}
	})
}

// TestGateEnterMore expects an admitted request to get all the slots it asks for, or none.
func TestGateEnterMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &edge.Gate{MaxConcurrent: 50, MinConcurrent: 50, Patience: 40 * time.Millisecond}
		if !g.Enter(t.Context()) || !g.EnterMore(t.Context(), 31) {
			t.Fatal("refused below capacity")
		}
		if !g.Enter(t.Context()) || g.EnterMore(t.Context(), 31) {
			t.Fatal("a batch was admitted without capacity for all of it")
		}
		if n := fillGate(t, g); n != 17 {
			t.Errorf("beside it %d more are admitted, want 17", n)
		}
		g.LeaveMore(31)
		if n := fillGate(t, g); n != 31 {
			t.Errorf("afterwards %d are admitted, want its 31 slots", n)
		}
	})
}

// TestGateCountsBatchAsOne expects a batch to count as one: a thousand batches a second are not thirty thousand requests.
func TestGateCountsBatchAsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &edge.Gate{MaxConcurrent: 50_000, MinConcurrent: 40, Within: time.Second, Patience: time.Millisecond}
		for range 1000 {
			if !g.Enter(t.Context()) || !g.EnterMore(t.Context(), 31) {
				t.Fatal("refused below capacity")
			}
			time.Sleep(time.Millisecond)
			g.LeaveMore(31)
			g.Leave()
		}
		if n := fillGate(t, g); n < 900 || n > 1100 {
			t.Errorf("%d are admitted, want about a thousand", n)
		}
	})
}
