package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// benchBuyers measures what buyers cost, how soon they get leads, and what happens to held leads when a buyer is added.
func benchBuyers(w io.Writer, binary, folder string, rounds int, duration time.Duration, only string) error {
	for _, part := range []struct {
		name string
		run  func() error
	}{
		{"beside", func() error { return benchIntakeWithBuyers(w, binary, folder, rounds, duration) }},
		{"soon", func() error {
			return benchForwardLatency(w, binary, subfolder(folder, "soon"), sqliteIn(subfolder(folder, "soon")))
		}},
		{"held", func() error { return benchHeld(w, binary, folder) }},
	} {
		if !strings.Contains(part.name, only) {
			continue
		}
		if err := part.run(); err != nil {
			return err
		}
	}
	return nil
}

// testBuyers are buyers on loopback, in this process: each accepts every offer, and records when it got it.
type testBuyers struct {
	address    string
	mu         sync.Mutex
	offeredAt  map[string]time.Time // by lead
	offerOrder []string             // leads in the order of their offers
	delivered  atomic.Int64
}

func startTestBuyers() (*testBuyers, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	buyers := &testBuyers{address: l.Addr().String(), offeredAt: make(map[string]time.Time)}
	go http.Serve(l, buyers)
	return buyers, nil
}

func (buyers *testBuyers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	body, _ := io.ReadAll(r.Body)
	io.WriteString(w, `{"decision":"accept"}`)
	if strings.HasPrefix(string(body), `{"type":"lead.delivered"`) {
		buyers.delivered.Add(1)
		return
	}
	_, rest, _ := strings.Cut(string(body), `"lead_id":"`)
	id, _, _ := strings.Cut(rest, `"`)
	buyers.mu.Lock()
	defer buyers.mu.Unlock()
	buyers.offeredAt[id] = now
	buyers.offerOrder = append(buyers.offerOrder, id)
}

// addTo adds a number of buyers to a database, with the command an operator uses.
func (n *testBuyers) addTo(binary, database, zips string, buyers int, terms ...string) error {
	help, err := exec.Command(binary, "buyers", "add", "--help").Output()
	if err != nil {
		return fmt.Errorf("buyers add --help: %w", err)
	}
	terms = append(liveFlags(string(help)), terms...)
	for i := range buyers {
		args := append([]string{
			"buyers", "add", "--database", database, "--allow-private-buyers",
			"--name", fmt.Sprintf("Network %d", i+1), "--url", fmt.Sprintf("http://%s/%d", n.address, i+1), "--services", "all", "--zips", zips,
		}, terms...)
		if out, err := exec.Command(binary, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("buyers add: %w: %s", err, out)
		}
	}
	return nil
}

// benchForwardLatency measures how long after its 202 a lead is offered, and whether a thousand leads per second reach
// their buyers.
func benchForwardLatency(w io.Writer, binary, folder, database string) error {
	buyers, err := startTestBuyers()
	if err != nil {
		return err
	}
	s, err := startFoyer(binary, folder, "--allow-private-buyers", "--database", database)
	if err != nil {
		return err
	}
	defer s.kill()
	if err := buyers.addTo(binary, database, "*", 3); err != nil {
		return err
	}
	time.Sleep(2 * time.Second)
	for _, rate := range []int{50, 1000} {
		const while = 10 * time.Second
		before, began, busy := buyers.delivered.Load(), time.Now(), s.cpu()
		answered, err := s.submitAtRate(rate, while)
		if err != nil {
			return err
		}
		inTime := buyers.delivered.Load() - before
		for buyers.delivered.Load()-before < int64(len(answered)) && time.Since(began) < 2*while {
			time.Sleep(5 * time.Millisecond)
		}
		fmt.Fprintf(w, "%d leads a second for %v: %d answered, %d through both steps by then, all %d after %.2f s; heard %s; CPU %.0f µs a lead\n", rate, while,
			len(answered), inTime, buyers.delivered.Load()-before, time.Since(began).Seconds(), buyers.lateness(answered), float64((s.cpu()-busy).Microseconds())/float64(len(answered)))
	}
	return nil
}

// lateness says how long after its 202 each lead was offered.
func (buyers *testBuyers) lateness(answered map[string]time.Time) string {
	buyers.mu.Lock()
	defer buyers.mu.Unlock()
	var late []time.Duration
	for id, at := range answered {
		if heard, ok := buyers.offeredAt[id]; ok {
			late = append(late, max(0, heard.Sub(at)))
		}
	}
	slices.Sort(late)
	return fmt.Sprintf("p50 %v, p99 %v after the 202", percentile(late, 0.5), percentile(late, 0.99))
}

// submitAtRate submits leads at a fixed rate, and returns when each was answered.
func (s *server) submitAtRate(rate int, duration time.Duration) (map[string]time.Time, error) {
	const clients = 50
	var (
		mu       sync.Mutex
		answered = make(map[string]time.Time)
		all      sync.WaitGroup
		failed   error
	)
	began := time.Now()
	period := time.Duration(clients) * time.Second / time.Duration(rate)
	for i := range clients {
		all.Go(func() {
			client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}}
			for next := began.Add(period * time.Duration(i) / clients); next.Before(began.Add(duration)); next = next.Add(period) {
				time.Sleep(time.Until(next))
				id, err := s.submit(client, leadFrom(serial.Add(1)))
				mu.Lock()
				if answered[id] = time.Now(); err != nil {
					failed = err
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return answered, failed
}

func (s *server) submit(client *http.Client, body []byte) (string, error) {
	req, err := http.NewRequestWithContext(context.Background(), "POST", "http://"+s.address+"/v1/intake", strings.NewReader(string(body)))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	var receipt struct {
		LeadID string `json:"lead_id"`
	}
	if err := json.NewDecoder(res.Body).Decode(&receipt); err != nil || res.StatusCode != 202 {
		return "", fmt.Errorf("%d: %v", res.StatusCode, err)
	}
	return receipt.LeadID, nil
}

func (s *server) pause()  { s.cmd.Process.Signal(syscall.SIGSTOP) }
func (s *server) resume() { s.cmd.Process.Signal(syscall.SIGCONT) }
func (s *server) kill()   { s.cmd.Process.Kill(); s.cmd.Wait() }
