package limit_test

import (
	"encoding/binary"
	"net/netip"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/limit"
)

func flood(t *testing.T, l *limit.Limiter, from, count uint32) {
	t.Helper()
	var four [4]byte
	for i := range count {
		binary.BigEndian.PutUint32(four[:], from+i)
		if _, err := l.Take(t.Context(), netip.AddrFrom4(four), lead.BucketLeads, 1); err != nil {
			t.Fatal(err)
		}
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A flood of addresses makes the limiter evict entries, not grow.
func TestMemoryIsBounded(t *testing.T) {
	l := newLimiter(t, perMinute)
	flood(t, l, 0x0a000000, 70_000) // more than are remembered
	full := heap()
	flood(t, l, 0x0b000000, 200_000)
	if grown := int64(heap()) - int64(full); grown > 4<<20 {
		t.Errorf("200,000 further addresses took %d KiB", grown>>10)
	}
	runtime.KeepAlive(l)
}

// A client that was seen recently is remembered; one that 65,536 others have come after is evicted.
func TestLeastRecentlySeenIsEvicted(t *testing.T) {
	l := newLimiter(t, limit.Rate{Count: 1, Per: 24 * time.Hour, Burst: 1})
	take(t, l, "192.0.2.1", lead.BucketLeads, 1)
	flood(t, l, 0x0a000000, 60_000)
	if take(t, l, "192.0.2.1", lead.BucketLeads, 1).Granted {
		t.Error("evicted too soon")
	}
	flood(t, l, 0x0b000000, 200_000)
	if !take(t, l, "192.0.2.1", lead.BucketLeads, 1).Granted {
		t.Error("still remembered")
	}
}

// Concurrent requests of one address, as behind a company's or an assistant's gateway, are counted exactly.
func TestOneAddressConcurrently(t *testing.T) {
	l := newLimiter(t, limit.Rate{Count: 1, Per: 24 * time.Hour, Burst: 1000})
	var got atomic.Int64
	var all sync.WaitGroup
	for range 200 {
		all.Go(func() {
			for range 20 {
				a, err := l.Take(t.Context(), netip.MustParseAddr("192.0.2.1"), lead.BucketLeads, 1)
				if err != nil {
					t.Error(err)
				} else if a.Granted {
					got.Add(1)
				}
			}
		})
	}
	all.Wait()
	if got.Load() != 1000 {
		t.Errorf("%d granted of a burst of 1000", got.Load())
	}
}
