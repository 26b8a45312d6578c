package main_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"foyer/test/binary"
)

// TestDuplicatesOnFullDisk sends every request four times concurrently with one key, while the disk repeatedly fills up and
// is emptied. A duplicate gets the receipt of the first: whenever that says 202, the lead is stored.
func TestDuplicatesOnFullDisk(t *testing.T) {
	folder := smallDisk(t)
	p := serve(t, folder, "--rate-limit", "off")
	promised, refused := make(map[string]bool), 0
	for round := range 10 {
		empty := fill(t, folder)
		leaveRoom(t, folder, 100<<10)
		for burst := 0; burst < 100; burst++ {
			ids, no := p.sendDuplicates(fmt.Sprint("key-", round, "-", burst))
			for _, id := range ids {
				promised[id] = true
			}
			if refused += no; no > 0 {
				break
			}
		}
		empty()
		p.untilHealthy(5 * time.Second)
	}
	if refused == 0 {
		t.Fatal("the disk had room for everything")
	}
	lost := 0
	for id := range promised {
		if status, _ := p.Get("/v1/leads/" + id); status != http.StatusOK {
			lost++
		}
	}
	if t.Logf("%d leads promised, %d requests refused", len(promised), refused); lost > 0 {
		t.Errorf("%d leads were promised and are not there", lost)
	}
}

// leaveRoom frees some of the space that the filler takes.
func leaveRoom(t *testing.T, folder string, bytes int64) {
	t.Helper()
	filler := filepath.Join(folder, "filler")
	size, err := os.Stat(filler)
	if err == nil {
		err = os.Truncate(filler, size.Size()-bytes)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// sendDuplicates sends ten requests four times each, concurrently. It returns the leads that were accepted, and how many
// requests were refused.
func (p *process) sendDuplicates(key string) (ids []string, refused int) {
	var all sync.WaitGroup
	var mu sync.Mutex
	for i := range 40 {
		all.Go(func() {
			status, id, err := p.sendWithKey(binary.GoodLead, fmt.Sprint(key, "-", i%10))
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil && status == http.StatusAccepted && id != "":
				ids = append(ids, id)
			case err == nil && status == http.StatusServiceUnavailable:
				refused++
			default:
				p.T.Errorf("got %d %q: %v", status, id, err)
			}
		})
	}
	all.Wait()
	return ids, refused
}
