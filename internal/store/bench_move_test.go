package store_test

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// BenchmarkForwarded ends the deliveries of received leads, with 64 concurrent callers. It measures what the indexes on leads
// cost the forwarder.
func BenchmarkForwarded(b *testing.B) {
	s, err := store.Open(b.Context(), "sqlite:"+filepath.Join(b.TempDir(), "foyer.db"), slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	forEachRow(b, func(seq int64) error {
		l := storetest.Lead(fmt.Sprintf("lead_%09d", seq))
		l.Status = lead.Received
		_, err := s.SaveLead(b.Context(), &l, nil, time.Time{})
		return err
	})
	change := lead.Change{At: storetest.Noon, Status: lead.Forwarded, Actor: lead.ByService, Reason: "accepted and acknowledged by buyer_1"}
	b.ResetTimer()
	before := cpuTime()
	forEachRow(b, func(seq int64) error {
		return s.Update(b.Context(), func(tx *store.Tx) error {
			if err := tx.EndDelivery(seq); err != nil {
				return err
			}
			return tx.Change(seq, lead.Received, change)
		})
	})
	b.ReportMetric(float64((cpuTime()-before).Nanoseconds())/float64(b.N), "cpu-ns/op")
}

// forEachRow calls do once for each of b.N rows, with 64 concurrent callers.
func forEachRow(b *testing.B, do func(seq int64) error) {
	b.Helper()
	var all sync.WaitGroup
	var next atomic.Int64
	for range 64 {
		all.Go(func() {
			for seq := next.Add(1); seq <= int64(b.N); seq = next.Add(1) {
				if err := do(seq); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}

// cpuTime returns the CPU time of this process so far, which a busy machine changes less than the elapsed time.
func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
