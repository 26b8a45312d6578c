package main_test

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"foyer/internal/sim"
	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
	"foyer/test/binary"
)

const buyersSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// simulated is a running foyer sim buyer.
type simulated struct {
	t     *testing.T
	cmd   *exec.Cmd
	lines *bufio.Scanner
}

func simBuyer(t *testing.T, flags ...string) *simulated {
	t.Helper()
	s := &simulated{t: t, cmd: exec.Command(binary.Program, append([]string{"sim", "buyer", "--listen", "127.0.0.1:0"}, flags...)...)}
	s.cmd.Env = binary.Environment()
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	limit := time.AfterFunc(binary.Patience, func() { _ = s.cmd.Process.Kill() }) // ends every wait for a line
	t.Cleanup(func() {
		limit.Stop()
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
	})
	s.lines = bufio.NewScanner(stdout)
	return s
}

// line waits for the next line of output.
func (s *simulated) line() string {
	s.t.Helper()
	if !s.lines.Scan() {
		s.t.Fatal("the buyer prints nothing more")
	}
	return s.lines.Text()
}

func (s *simulated) url() string {
	s.t.Helper()
	var first struct{ URL string }
	if line := s.line(); json.Unmarshal([]byte(line), &first) != nil || first.URL == "" {
		s.t.Fatalf("got %q", line)
	}
	return first.URL
}

func (s *simulated) message() (m sim.Message) {
	s.t.Helper()
	if line := s.line(); json.Unmarshal([]byte(line), &m) != nil || strings.Contains(line, "5550123") || strings.Contains(line, "Pat") {
		s.t.Fatalf("got %q", line)
	}
	return m
}

// TestLeadReachesSimulatedBuyer covers the whole path: a request comes in, is offered and accepted, the contact follows,
// and the buyer returns the lead with the script from the docs.
func TestLeadReachesSimulatedBuyer(t *testing.T) {
	storetest.Parallel(t)
	s := simBuyer(t, "--secret", buyersSecret, "--behavior", "flapping", "--json")
	p := serve(t, t.TempDir(), "--allow-private-buyers")
	add := []string{"buyers", "add", "--live", "--database", p.Database, "--allow-private-buyers", "--name", "Sim", "--url", s.url() + "/leads", "--services", "hvac", "--secret", buyersSecret}
	if out, stderr, code := run(t, add...); code != 0 {
		t.Fatalf("add: %d %q %q", code, out, stderr)
	}
	id := p.Submit()
	var offer string
	for _, want := range []sim.Message{
		{Type: sim.Offered, Answer: "503"},
		{Type: sim.Offered, Answer: "200 accept", Decision: "accept", Duplicate: true},
		{Type: sim.Delivered, Answer: "200 accept", Decision: "accept", Contact: true},
	} {
		got := s.message()
		offer = got.OfferID
		if !isBuyersID(got.LeadID, id) || !strings.HasPrefix(got.OfferID, "offer_") || !strings.HasPrefix(got.WebhookID, "msg_") || !got.Signed {
			t.Errorf("got %+v", got)
		}
		want.At, want.LeadID, want.OfferID, want.WebhookID, want.Signed = got.At, got.LeadID, got.OfferID, got.WebhookID, true
		if got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	for status, until := "", time.Now().Add(binary.Patience); !strings.Contains(status, `"forwarded"`); {
		if time.Now().After(until) {
			t.Fatalf("the lead stands at %s", status)
		}
		_, body := p.Get("/v1/leads/" + id)
		status = string(body)
		time.Sleep(10 * time.Millisecond)
	}
	for _, needs := range []string{"curl", "openssl"} {
		if _, err := exec.LookPath(needs); err != nil {
			t.Skip(needs + " is not installed, so the lead is not given back")
		}
	}
	back := exec.Command("sh", "../../docs/buyers/return.sh", p.URL, offer, "The number is not in service")
	back.Env = append(binary.Environment(), "SECRET="+buyersSecret)
	if out, err := back.CombinedOutput(); err != nil || !strings.Contains(string(out), "returned_at") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestSimulatedBuyerOutput wants a line of text for each message.
func TestSimulatedBuyerOutput(t *testing.T) {
	storetest.Parallel(t)
	s := simBuyer(t, "--secret", buyersSecret, "--behavior", "reject:cap")
	first := s.line()
	_, rest, _ := strings.Cut(first, "http://")
	url := "http://" + strings.Fields(rest)[0]
	sender := webhook.New("Foyer/test", true)
	defer sender.Close()
	send := func(secret string) int {
		body := `{"type":"lead.offered","data":{"lead_id":"lead_1","offer_id":"offer_1","test":true}}`
		return sender.Send(t.Context(), webhook.Message{ID: "msg_1", URL: url, Secrets: []string{secret}, Body: []byte(body)}, time.Now()).Status
	}
	for _, c := range []struct {
		secret string
		status int
		want   []string
	}{
		{buyersSecret, 200, []string{"lead.offered", "msg_1", "offer_1", "signature ok, test", "→  200 reject cap"}},
		{buyersSecret, 200, []string{"signature ok, test, again", "→  200 reject cap"}},
		{webhook.NewSecret(make([]byte, 24)), 401, []string{"msg_1", "signature bad: webhook-signature matches none of the secrets", "→  401"}},
	} {
		if status := send(c.secret); status != c.status {
			t.Errorf("answered %d, want %d", status, c.status)
		}
		line := s.line()
		for _, want := range c.want {
			if !strings.Contains(line, want) {
				t.Errorf("%q does not say %q", line, want)
			}
		}
	}
	res, err := binary.Client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var counts sim.Counts
	if err := json.NewDecoder(res.Body).Decode(&counts); err != nil || counts.Unique != 1 || counts.Duplicates != 1 || counts.BadSignatures != 1 {
		t.Errorf("counts %+v, %v", counts, err)
	}
}

// TestSimulatedBuyerStops checks that the simulated buyer stops even while a request hangs.
func TestSimulatedBuyerStops(t *testing.T) {
	storetest.Parallel(t)
	s := simBuyer(t, "--no-verify", "--behaviour", "hang", "--json")
	url := s.url()
	ended := make(chan error, 1)
	go func() {
		_, err := binary.Client.Post(url, "application/json", strings.NewReader(`{"type":"lead.offered"}`))
		ended <- err
	}()
	if m := s.message(); m.Answer != "hang" {
		t.Errorf("got %+v", m)
	}
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	if err := <-ended; err == nil {
		t.Error("what hung was answered")
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}

// TestSimulatedBuyerFlags wants one line for each bad flag.
func TestSimulatedBuyerFlags(t *testing.T) {
	storetest.Parallel(t)
	for _, c := range []struct {
		flags string
		code  int
		want  string
	}{
		{"", 2, "foyer buyers add prints it"},
		{"--secret whsec_short", 2, "whsec_ and then 24 to 64 bytes"},
		{"--no-verify --behavior nice", 2, `"nice" is not a behavior:`},
		{"--no-verify --on-delivery reject:never", 2, "out_of_area"},
		{"--no-verify --listen 127.0.0.1:99999", 1, "99999"},
	} {
		_, stderr, code := run(t, append([]string{"sim", "buyer"}, strings.Fields(c.flags)...)...)
		if code != c.code || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, c.want) || strings.Contains(stderr, "whsec_short") {
			t.Errorf("%q: %d %q", c.flags, code, stderr)
		}
	}
}
