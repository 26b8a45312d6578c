package store_test

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store"
)

// BenchmarkSaveLead saves leads with 64 concurrent callers, each waiting for its commit. Received leads are queued for delivery
// as well.
func BenchmarkSaveLead(b *testing.B) {
	for _, status := range []lead.Status{lead.Collected, lead.Received} {
		b.Run(string(status), func(b *testing.B) { benchmarkSaveLead(b, status) })
	}
}

func benchmarkSaveLead(b *testing.B, status lead.Status) {
	s, err := store.Open(b.Context(), "sqlite:"+filepath.Join(b.TempDir(), "foyer.db"), slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	two, half, feet := 2, 1.5, 1200
	sample := lead.Lead{
		Status: status, CreatedAt: time.Now(), UpdatedAt: time.Now(),
		Request: lead.Request{
			Job: lead.Job{
				Service: lead.HouseCleaning, ZIP: "33139", City: "Miami Beach", State: "FL", Frequency: "biweekly", FlexibleDates: true, Consent: true,
				Home: lead.Home{Type: "apartment", Bedrooms: &two, Bathrooms: &half, SquareFeet: &feet},
			}, Contact: lead.Contact{Name: "Pat Example", Phone: "+13055550123", Email: "pat@example.com", Notes: "Two cats; please use unscented products."},
		},
		Evidence: lead.Evidence{Channel: lead.ChannelJSON, Client: "127.0.0.1", UserAgent: "example/1.0", RequestID: "req_x", Consent: lead.ConsentRef{Version: "stated-2026-11", Hash: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}},
	}
	var n atomic.Int64
	b.ReportAllocs()
	b.SetParallelism(32)
	b.ResetTimer()
	before := cpuTime()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			l := sample
			at := n.Add(1)
			l.ID = fmt.Sprintf("lead_%09d%026x", at/32, uint64(at)*0x9e3779b97f4a7c15) // starts with its time, like a real id
			if _, err := s.SaveLead(b.Context(), &l, nil, time.Time{}); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64((cpuTime()-before).Nanoseconds())/float64(b.N), "cpu-ns/op")
}
