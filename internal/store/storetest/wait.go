package storetest

import (
	"log/slog"
	"testing"
	"time"
)

// NoLog discards everything.
var NoLog = slog.New(slog.DiscardHandler)

// EventuallyTimeout is how long Eventually waits; only a failing test waits that long.
const EventuallyTimeout = 20 * time.Second

// Eventually waits until a condition holds.
func Eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(EventuallyTimeout); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("still not so after %v: %s", EventuallyTimeout, what)
		}
	}
}
