package main

import (
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

// benchBuyers measures what buyers cost, and what happens to held leads when a buyer is added.
func benchBuyers(w io.Writer, binary, folder string, rounds int, duration time.Duration, only string) error {
	for _, part := range []struct {
		name string
		run  func() error
	}{
		{"beside", func() error { return benchIntakeWithBuyers(w, binary, folder, rounds, duration) }},
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
	offeredAt  map[string]time.Time // by offer, until its contact arrives
	offerOrder []string             // leads in the order of their offers
	waits      []time.Duration      // how long after it was created each lead was offered
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
	text := string(body)
	offer := valueOf(text, "offer_id")
	buyers.mu.Lock()
	defer buyers.mu.Unlock()
	if !strings.HasPrefix(text, `{"type":"lead.delivered"`) {
		buyers.offeredAt[offer] = now
		buyers.offerOrder = append(buyers.offerOrder, valueOf(text, "lead_id"))
		return
	}
	if created, err := time.Parse(time.RFC3339Nano, valueOf(text, "at")); err == nil {
		buyers.waits = append(buyers.waits, max(0, buyers.offeredAt[offer].Sub(created)))
	}
	delete(buyers.offeredAt, offer)
	buyers.delivered.Add(1)
}

// valueOf returns the first text with this name in a JSON body.
func valueOf(body, name string) string {
	_, rest, _ := strings.Cut(body, `"`+name+`":"`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// takeWaits returns how long leads waited for their offers since the last call, sorted.
func (buyers *testBuyers) takeWaits() []time.Duration {
	buyers.mu.Lock()
	defer buyers.mu.Unlock()
	waits := buyers.waits
	buyers.waits = nil
	slices.Sort(waits)
	return waits
}

// addTo adds a number of active buyers to a database. Held leads are offered to them, too.
func (n *testBuyers) addTo(binary, database, zips string, buyers int, terms ...string) error {
	help, err := exec.Command(binary, "buyers", "add", "--help").Output()
	if err != nil {
		return fmt.Errorf("buyers add --help: %w", err)
	}
	terms = append(liveFlags(string(help)), terms...)
	if strings.Contains(string(help), "--max-in-flight") {
		terms = append(terms, quickBuyer...)
	}
	return n.add(binary, database, zips, buyers, terms...)
}

// addWithoutHeld adds active buyers to which held leads are not offered.
func (n *testBuyers) addWithoutHeld(binary, database string, buyers int) error {
	if err := n.add(binary, database, "*", buyers, quickBuyer...); err != nil {
		return err
	}
	for i := range buyers {
		if out, err := exec.Command(binary, "buyers", "start", buyerName(i), "--held", "none", "--database", database).CombinedOutput(); err != nil {
			return fmt.Errorf("buyers start: %w: %s", err, out)
		}
	}
	return nil
}

var quickBuyer = []string{"--max-in-flight", "64"}

func buyerName(i int) string { return fmt.Sprintf("Loopback %d", i+1) }

// add adds buyers with the command an operator uses.
func (n *testBuyers) add(binary, database, zips string, buyers int, terms ...string) error {
	for i := range buyers {
		args := append([]string{
			"buyers", "add", "--database", database, "--allow-private-buyers",
			"--name", buyerName(i), "--url", fmt.Sprintf("http://%s/%d", n.address, i+1), "--services", "all", "--zips", zips,
		}, terms...)
		if out, err := exec.Command(binary, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("buyers add: %w: %s", err, out)
		}
	}
	return nil
}

func (s *server) pause()  { s.cmd.Process.Signal(syscall.SIGSTOP) }
func (s *server) resume() { s.cmd.Process.Signal(syscall.SIGCONT) }
func (s *server) kill()   { s.cmd.Process.Kill(); s.cmd.Wait() }
