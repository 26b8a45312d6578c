package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestPacedLoadCountsFromItsTimes sends as many requests to a slow server as to a fast one. Those that a slow answer delayed
// count from the time at which they were due.
func TestPacedLoadCountsFromItsTimes(t *testing.T) {
	for _, x := range []struct{ takes, longest time.Duration }{
		{0, 0},
		{150 * time.Millisecond, 10*150*time.Millisecond - 450*time.Millisecond}, // the last is due after 450 ms, and answered after the ten
	} {
		slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(x.takes)
			fmt.Fprint(w, "done")
		}))
		r, err := runPaced(slow.Listener.Addr().String(), post("/", "hello", 200), 1, 20, 500*time.Millisecond)
		slow.Close()
		if err != nil || r.done != 10 || r.wrong != 0 || len(r.latencies) != 10 || r.percentile(1) < x.longest || r.elapsed < 450*time.Millisecond {
			t.Errorf("takes %v: %d good, %d wrong in %v, %v at most: %v", x.takes, r.done, r.wrong, r.elapsed, r.percentile(1), err)
		}
	}
}
