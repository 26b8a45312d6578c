package storetest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/store"
)

// processes is how many stores share a database in these tests, each like a process of its own.
const processes = 3

// Together is the part of the suite in which several processes share a database.
func (c Contract) Together(t *testing.T) {
	t.Run("five processes that start at once create the tables once", c.startTogether)
	t.Run("of many requests with one key to several processes, one is saved", c.concurrentKeysInProcesses)
	t.Run("each delivery is leased by one process", c.leaseTogether)
	t.Run("a cap holds for all processes", c.capTogether)
	t.Run("several processes count together", c.countTogether)
	t.Run("a client and its network are counted together", c.countNetworks)
}

// openSeveral opens a database once for each process.
func (c Contract) openSeveral(t *testing.T) []*store.Store {
	t.Helper()
	database := c.NewDatabase(t)
	stores := make([]*store.Store, processes)
	for i := range stores {
		stores[i] = Open(t, database)
	}
	return stores
}

func (c Contract) startTogether(t *testing.T) {
	database := c.NewEmpty(t)
	stores := make(chan *store.Store, 5)
	var all sync.WaitGroup
	for range cap(stores) {
		all.Go(func() { stores <- Open(t, database) })
	}
	all.Wait()
	close(stores)
	first := <-stores
	Save(t, first, Lead("lead_1"))
	for s := range stores {
		if !HasLead(t, s, "lead_1") {
			t.Error("a process does not see the lead of another")
		}
	}
}

// concurrentKeysInProcesses sends each of a few requests, with its idempotency key, to all processes, many times at once.
func (c Contract) concurrentKeysInProcesses(t *testing.T) {
	stores := c.openSeveral(t)
	const requests, copies = 20, 4
	var all sync.WaitGroup
	var kept [requests]atomic.Int64
	for i := range requests * copies * processes {
		s, r := stores[i%processes], i%requests
		all.Go(func() {
			l := Lead(fmt.Sprint("lead_", i))
			earlier, err := s.SaveLead(t.Context(), &l, IdempotencyKey(fmt.Sprint("key", r), "request", fmt.Sprint("answer", r)), Noon.Add(-time.Hour))
			switch {
			case err != nil:
				t.Error(err)
			case earlier == nil:
				kept[r].Add(1)
			case string(earlier.Answer) != fmt.Sprint("answer", r):
				t.Errorf("request %d got %s", r, earlier.Answer)
			}
		})
	}
	all.Wait()
	for r := range kept {
		if n := kept[r].Load(); n != 1 {
			t.Errorf("request %d was kept %d times", r, n)
		}
	}
}

func (c Contract) leaseTogether(t *testing.T) {
	stores := c.openSeveral(t)
	const leads = 60
	for i := range leads {
		received(t, stores[0], fmt.Sprint("lead_", i), Noon)
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	leasedBy := make(map[int64][]int)
	for i := range stores {
		for range 4 {
			all.Go(func() {
				for n := 1; n > 0; {
					var mine []int64
					if err := stores[i].Update(t.Context(), func(tx *store.Tx) error {
						mine = nil
						due, err := tx.Due("", Noon, 5)
						for _, d := range due {
							d.Owner, d.DueAt = fmt.Sprint("proc_", i), Noon.Add(time.Minute)
							d.Token++
							if err := tx.PutDelivery(d); err != nil {
								return err
							}
							mine = append(mine, d.Lead)
						}
						return err
					}); err != nil {
						t.Error(err)
						return
					}
					n = len(mine)
					mu.Lock()
					for _, seq := range mine {
						leasedBy[seq] = append(leasedBy[seq], i)
					}
					mu.Unlock()
				}
			})
		}
	}
	all.Wait()
	if len(leasedBy) != leads {
		t.Errorf("%d of %d were taken", len(leasedBy), leads)
	}
	for seq, processes := range leasedBy {
		if len(processes) != 1 {
			t.Errorf("lead %d was taken by %v", seq, processes)
		}
	}
}

// capTogether lets all processes make offers to a buyer until its cap is reached.
func (c Contract) capTogether(t *testing.T) {
	stores := c.openSeveral(t)
	const totalCap = 7
	var offers atomic.Int64
	var all sync.WaitGroup
	for i := range 30 {
		all.Go(func() {
			offered := false
			if err := stores[i%processes].Update(t.Context(), func(tx *store.Tx) error {
				offered = false
				used, err := tx.Used("buyer_1", buyer.Period{})
				if err != nil || used.Leads >= totalCap {
					return err
				}
				offered = true
				return tx.AddOffer(buyer.Offer{ID: fmt.Sprint("offer_", i), Lead: int64(i), Buyer: "buyer_1", At: Noon, State: buyer.OfferOpen})
			}); err != nil {
				t.Error(err)
			}
			if offered {
				offers.Add(1)
			}
		})
	}
	all.Wait()
	if got := offers.Load(); got != totalCap {
		t.Errorf("%d offers were made under a cap of %d", got, totalCap)
	}
}
