package torture

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// retryWithKeys makes clients that sent an idempotency key and got no 202 retry: all whose first attempt was stored
// although the answer could not say so, and some of the others. Each gets one lead, the stored one if there is one. It
// returns how many retried, and how many of them had been stored.
func retryWithKeys(t *testing.T, url string, told *tally, kept map[string]string) (came, known int) {
	t.Helper()
	var again []string
	told.refused, again = pickRetries(told.refused, kept, again)
	told.unanswered, again = pickRetries(told.unanswered, kept, again)
	var mu sync.Mutex
	concurrently(len(again), func(i int) {
		id, problem := sendUntilAccepted(again[i], url)
		mu.Lock()
		defer mu.Unlock()
		switch before := kept[again[i]]; {
		case problem != "":
			t.Errorf("%s came again with its key: %s", again[i], problem)
		case before != "" && before != id:
			t.Errorf("%s was kept as %s, and its key now gives %s", again[i], before, id)
		case before != "":
			known++
		}
		told.accepted[again[i]] = id
	})
	return len(again), known
}

// pickRetries removes the marks from a list whose senders retry.
func pickRetries(marks []string, kept map[string]string, again []string) (rest, all []string) {
	const enough = 40 // of those whose outcome is unknown
	fresh := 0
	for _, mark := range marks {
		keyed := keyOf(numberOf(mark), true) != ""
		if keyed && kept[mark] == "" {
			fresh++
		}
		if keyed && (kept[mark] != "" || fresh <= enough) {
			again = append(again, mark)
		} else {
			rest = append(rest, mark)
		}
	}
	return rest, again
}

func numberOf(mark string) (n int64) {
	_, _ = fmt.Sscanf(mark, "mark %d", &n)
	return n
}

// sendUntilAccepted sends a request to one process after another until it is accepted.
func sendUntilAccepted(mark string, urls ...string) (id, problem string) {
	n := numberOf(mark)
	_, text := newRequest(n)
	began := time.Now()
	for try := 0; ; try++ {
		res, body, err := post(httpClient, urls[try%len(urls)], text, keyOf(n, true))
		var receipt struct {
			LeadID string `json:"lead_id"`
		}
		switch {
		case err == nil && res.StatusCode == http.StatusAccepted && json.Unmarshal(body, &receipt) == nil && receipt.LeadID != "":
			return receipt.LeadID, ""
		case err == nil && res.StatusCode != http.StatusServiceUnavailable:
			return "", fmt.Sprintf("%d %s", res.StatusCode, body)
		case time.Since(began) > 10*time.Second:
			return "", fmt.Sprintf("not taken within ten seconds: %v", err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// concurrently calls do n times, a few at a time.
func concurrently(n int, do func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range 3 * clientCount {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	all.Wait()
}

// TestKeyAtEveryProcess sends the same requests with the same keys to three processes concurrently, one of which is killed.
func TestKeyAtEveryProcess(t *testing.T) {
	t.Parallel()
	dbURL := newPGServer(t).newDatabase()
	procs := startProcs(t, dbURL, 3)
	letters := choose(600, 120)
	first := marks.Add(int64(2*letters+1)) / 2 * 2 // only even numbers have a key
	mark := func(i int) string { m, _ := newRequest(first - int64(2*i)); return m }
	ids := make([][]string, letters)
	for i := range ids {
		ids[i] = make([]string, len(procs))
	}
	concurrently(letters*len(procs), func(i int) {
		if i == letters*len(procs)/2 {
			procs[0].Kill()
		}
		here, problem := i%len(procs), ""
		if ids[i/len(procs)][here], problem = sendUntilAccepted(mark(i/len(procs)), procs[here].URL, procs[1].URL, procs[2].URL); problem != "" {
			t.Errorf("%s: %s", mark(i/len(procs)), problem)
		}
	})
	kept := leadsIn(t, dbURL)
	for i, got := range ids {
		if got = slices.Compact(got); len(got) != 1 || kept[mark(i)] != got[0] {
			t.Errorf("%s was answered with %v, and %q is kept", mark(i), got, kept[mark(i)])
		}
	}
	report(t, "a key is one lead, whichever process is asked", "%s keys, each sent to %d processes at once, 1 kill, %s leads", thousands(letters), len(procs), thousands(len(kept)))
}
