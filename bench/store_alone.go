package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	leadpkg "foyer/internal/lead" // lead is a request here
	"foyer/internal/store"
)

// storeVariant has 64 callers save leads in a store without HTTP: comparable to PostgreSQL's own benchmark, which has no
// HTTP either. The work happens in this process.
func (pb *postgresBench) storeVariant(name, database string) (*variant, error) {
	s, err := store.Open(context.Background(), database, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	pb.stores = append(pb.stores, s)
	return &variant{
		name: name, run: func(duration time.Duration) (result, error) { return saveLeads(s, 64, duration) },
		cpu: func() time.Duration { return pb.serverCPU() + cpuOf(os.Getpid(), false) },
	}, nil
}

// saveLeads has callers save one lead after another for a while.
func saveLeads(s *store.Store, callers int, duration time.Duration) (total result, failed error) {
	var (
		all sync.WaitGroup
		mu  sync.Mutex
		n   atomic.Int64
	)
	began := time.Now()
	for range callers {
		all.Go(func() {
			var mine result
			var err error
			for err == nil && time.Since(began) < duration {
				asked := time.Now()
				if _, err = s.SaveLead(context.Background(), new(storedLead(n.Add(1))), nil, asked); err == nil {
					mine.latencies = append(mine.latencies, time.Since(asked))
				}
			}
			mu.Lock()
			defer mu.Unlock()
			total.done, total.latencies = total.done+len(mine.latencies), append(total.latencies, mine.latencies...)
			if err != nil {
				failed = err
			}
		})
	}
	all.Wait()
	total.elapsed = time.Since(began)
	total.sort()
	return total, failed
}

// storedLead is the sample as the service would store it, with an id that starts with its time like the service's.
func storedLead(n int64) leadpkg.Lead {
	rooms, baths, feet, now := 2, 1.5, 1200, time.Now()
	return leadpkg.Lead{
		ID: fmt.Sprintf("lead_%016d_%013d", now.UnixMicro(), n), Status: leadpkg.Collected, CreatedAt: now, UpdatedAt: now,
		Request: leadpkg.Request{
			Job: leadpkg.Job{
				Service: leadpkg.HouseCleaning, ZIP: "33139", City: "Miami Beach", State: "FL", Frequency: "biweekly", FlexibleDates: true, Consent: true,
				Home: leadpkg.Home{Type: "apartment", Bedrooms: &rooms, Bathrooms: &baths, SquareFeet: &feet},
			},
			Contact: leadpkg.Contact{Name: "Pat Example", Phone: "+13055550123", Email: "pat@example.com", Notes: "Two cats; please use unscented products."},
		},
		Evidence: leadpkg.Evidence{
			Channel: leadpkg.ChannelJSON, Client: "127.0.0.1", RequestID: "req_aaaaaaaaaaaaaaaaaaaaaaaaaa",
			Consent: leadpkg.ConsentRef{Version: "stated-2026-11", Hash: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"},
		},
	}
}
