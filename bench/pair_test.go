package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"foyer/test/binary"
)

// TestRunRequests sends exactly this many, also if there are more connections than requests.
func TestRunRequests(t *testing.T) {
	var asked atomic.Int64
	all := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked.Add(1); io.WriteString(w, "done") }))
	defer all.Close()
	for _, requests := range []int{1, 7, 8, 9, 500} {
		asked.Store(0)
		r, err := runRequests(all.Listener.Addr().String(), get("/"), 8, requests)
		if err != nil || r.done != requests || int(asked.Load()) != requests {
			t.Errorf("%d were sent and %d counted instead of %d: %v", asked.Load(), r.done, requests, err)
		}
	}
}

// TestCPUClock wants a finer resolution than the hundredths of a second in /proc/PID/stat.
func TestCPUClock(t *testing.T) {
	before := cpuOf(os.Getpid(), false)
	for began := time.Now(); time.Since(began) < 2*time.Millisecond; { // uses CPU
	}
	if spent := cpuOf(os.Getpid(), false) - before; before <= 0 || spent <= 0 || spent%(10*time.Millisecond) == 0 {
		t.Errorf("%v after %v", spent, before)
	}
}

// TestAllFigures measures the real binary against itself: buyers are added, and leads are forwarded in both steps.
func TestAllFigures(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and measures the binary")
	}
	foyer, err := binary.Build(t.TempDir(), "foyer")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := comparePair(&out, t.TempDir(), settings{old: foyer, binary: foyer, rounds: 1, duration: 50 * time.Millisecond}); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, f := range figures {
		if !strings.Contains(out.String(), "\n"+f.name+" ") {
			t.Errorf("%s is missing in\n%s", f.name, out.String())
		}
	}
}
