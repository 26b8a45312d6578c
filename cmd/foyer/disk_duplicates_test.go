package main_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// TestTwinsOnAFullDisk sends every request four times at once under one key, while the disk fills up and is emptied again and
// again. A twin is answered with the receipt of the first: whenever that says 202, the lead is there.
func TestTwinsOnAFullDisk(t *testing.T) {
	folder := smallDisk(t)
	p := serve(t, folder, "--rate-limit", "off")
	promised, refused := make(map[string]bool), 0
	for round := range 10 {
		empty := fill(t, folder)
		leaveRoom(t, folder, 100<<10)
		for burst := 0; burst < 100; burst++ {
			ids, no := p.twins(fmt.Sprint("key-", round, "-", burst))
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
		if status, _ := p.get("/v1/leads/" + id); status != http.StatusOK {
			lost++
		}
	}
	if t.Logf("%d leads promised, %d requests refused", len(promised), refused); lost > 0 {
		t.Errorf("%d leads were promised and are not there", lost)
	}
}

// leaveRoom takes something away from what fills the disk.
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

// twins sends ten requests four times each, all at once. It returns the leads that were promised, and how many were refused.
func (p *process) twins(key string) (ids []string, refused int) {
	var all sync.WaitGroup
	var mu sync.Mutex
	for i := range 40 {
		all.Go(func() {
			status, id, err := p.sendWithKey(goodLead, fmt.Sprint(key, "-", i%10))
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
