package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	trade "foyer/internal/lead" // lead is a request here
	"foyer/internal/store"
)

// alone has 64 callers keep leads in a store without a door before it: what can be held against PostgreSQL's own benchmark,
// which has none either. Their work is done in this process.
func (c *contest) alone(name, database string) (*entrant, error) {
	s, err := store.Open(context.Background(), database, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	c.stores = append(c.stores, s)
	return &entrant{
		name: name, run: func(while time.Duration) (result, error) { return keep(s, 64, while) },
		cpu: func() time.Duration { return c.serverCPU() + cpuOf(os.Getpid(), false) },
	}, nil
}

// keep has callers keep one lead after the other for a while.
func keep(s *store.Store, callers int, while time.Duration) (total result, failed error) {
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
			for err == nil && time.Since(began) < while {
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

// storedLead is the sample as the service would keep it, under an id that begins with its time as the service's do.
func storedLead(n int64) trade.Lead {
	rooms, baths, feet, now := 2, 1.5, 1200, time.Now()
	return trade.Lead{
		ID: fmt.Sprintf("lead_%016d_%013d", now.UnixMicro(), n), Status: trade.Collected, CreatedAt: now, UpdatedAt: now,
		Request: trade.Request{
			Job: trade.Job{
				Service: trade.HouseCleaning, ZIP: "33139", City: "Miami Beach", State: "FL", Frequency: "biweekly", FlexibleDates: true, Consent: true,
				Home: trade.Home{Type: "apartment", Bedrooms: &rooms, Bathrooms: &baths, SquareFeet: &feet},
			},
			Contact: trade.Contact{Name: "Pat Example", Phone: "+13055550123", Email: "pat@example.com", Notes: "Two cats; please use unscented products."},
		},
		Evidence: trade.Evidence{
			Door: trade.DoorJSON, Client: "127.0.0.1", RequestID: "req_aaaaaaaaaaaaaaaaaaaaaaaaaa",
			Consent: trade.ConsentRef{Version: "stated-2026-11", Hash: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"},
		},
	}
}
