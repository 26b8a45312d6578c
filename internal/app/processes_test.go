package app_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/internal/app"
	"foyer/internal/app/apptest"
	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/store/storetest"
)

// startTwo starts two services on one PostgreSQL database, each with its own connections, memory and counts, like two processes.
func startTwo(t *testing.T, flags ...string) [2]*apptest.Service {
	t.Helper()
	database := storetest.PostgreSQL(t)
	return [2]*apptest.Service{apptest.StartOn(t, database, flags...), apptest.StartOn(t, database, flags...)}
}

// answer is the part of a response that these tests compare.
type answer struct {
	status int
	body   string
}

// sendConcurrently sends all requests at the same time, spread over the services in turn.
func sendConcurrently(t *testing.T, services []*apptest.Service, requests []*http.Request) []answer {
	t.Helper()
	answers, ready := make([]answer, len(requests)), make(chan struct{})
	var all sync.WaitGroup
	for i, r := range requests {
		r.URL.Host = strings.TrimPrefix(services[i%len(services)].URL, "http://")
		all.Go(func() {
			<-ready
			res, err := apptest.Client.Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			if err != nil {
				t.Error(err)
			}
			answers[i] = answer{res.StatusCode, string(body)}
		})
	}
	close(ready)
	all.Wait()
	return answers
}

// intakeRequest returns a request; sendConcurrently sets the service it goes to.
func intakeRequest(t *testing.T, c apptest.Request, key string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://service/v1/intake", strings.NewReader(c.JSON()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	return r
}

// countByStatus counts the answers by status.
func countByStatus(answers []answer) map[int]int {
	n := make(map[int]int)
	for _, a := range answers {
		n[a.status]++
	}
	return n
}

// leadCount returns how many leads are in the database.
func leadCount(t *testing.T, s *apptest.Service) int {
	t.Helper()
	list, err := s.Reader(t).Newest(t.Context(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

func TestProcessesShareRateLimit(t *testing.T) {
	two := startTwo(t, "--rate-limit", "10/day burst 10")
	var requests []*http.Request
	for range 200 {
		requests = append(requests, intakeRequest(t, apptest.Request{}, ""))
	}
	if got := countByStatus(sendConcurrently(t, two[:], requests)); got[202] != 10 || got[429] != 190 {
		t.Errorf("of 200 requests of one address at two processes, with a limit of 10: %v", got)
	}
	if n := leadCount(t, two[0]); n != 10 {
		t.Errorf("%d leads are stored, want 10", n)
	}
}

// TestIdempotencyKeyAcrossProcesses sends each request to both processes at the same time.
func TestIdempotencyKeyAcrossProcesses(t *testing.T) {
	two := startTwo(t, "--rate-limit", "off")
	const times = 50
	for i := range times {
		key := fmt.Sprint("key ", i)
		got := sendConcurrently(t, two[:], []*http.Request{intakeRequest(t, apptest.Request{}, key), intakeRequest(t, apptest.Request{}, key)})
		if got[0] != got[1] || got[0].status != 202 {
			t.Fatalf("two equal requests were answered %+v", got)
		}
	}
	other := apptest.Request{With: map[string]any{"zip_code": "90210"}}
	reused := func(a answer) bool { return a.status == 422 && strings.Contains(a.body, "idempotency_key_reused") }
	for i, a := range sendConcurrently(t, two[:], []*http.Request{intakeRequest(t, other, "key 0"), intakeRequest(t, other, "key 1")}) {
		if !reused(a) {
			t.Errorf("another request with a key that was used, at process %d: %+v", i, a)
		}
	}
	for i := range times {
		key := fmt.Sprint("contended ", i)
		got := sendConcurrently(t, two[:], []*http.Request{intakeRequest(t, apptest.Request{}, key), intakeRequest(t, other, key)})
		if n := countByStatus(got); n[202] != 1 || !slices.ContainsFunc(got, reused) {
			t.Fatalf("two different requests with one key were answered %+v", got)
		}
	}
	if n := leadCount(t, two[0]); n != 2*times {
		t.Errorf("%d leads are stored, want %d", n, 2*times)
	}
}

func TestLeadIsVisibleToOtherProcess(t *testing.T) {
	two := startTwo(t, "--rate-limit", "off")
	for i := range 20 {
		here, there := two[i%2], two[(i+1)%2]
		id := here.ViaJSON(t, apptest.Request{}).LeadID
		if r := there.Send(t, http.MethodGet, "/v1/leads/"+id, ""); r.Status != 200 {
			t.Fatalf("at the other process: %d %s", r.Status, r.Body)
		}
	}
}

// TestOperatorChangesReachAllProcesses adds a buyer and suppresses a number beside two processes. Both apply it within two
// seconds, and each lead is delivered once, whichever process accepted it.
func TestOperatorChangesReachAllProcesses(t *testing.T) {
	two := startTwo(t, "--rate-limit", "off", "--allow-private-buyers")
	n := newTestBuyer(t, 200, `{"decision":"accept"}`)
	o, err := app.OpenOperator(t.Context(), two[0].Data, true, ada)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	if _, _, err := o.Add(t.Context(), ada, operator.New{Secret: secret, Live: true, Terms: entered.Terms{Name: new("Cool Air"), URL: &n.URL, Services: new("hvac")}}); err != nil {
		t.Fatal(err)
	}
	submitted := 0
	for i, s := range two {
		withinTwoSeconds(t, fmt.Sprint("process ", i, " uses the new buyer"), func() bool {
			submitted++
			return submit(t, s, lead.HVAC, fmt.Sprintf("30%d-555-01%02d", i+1, submitted%100)).Status == lead.Received
		})
	}
	two[0].Suppress(t, "+13055550177")
	for i, s := range two {
		withinTwoSeconds(t, fmt.Sprint("process ", i, " knows the suppressed number"), func() bool {
			return s.ViaJSON(t, apptest.Request{With: map[string]any{"customer_phone": "305-555-0177"}}).Verdict == "rejected"
		})
	}
	for deadline := time.Now().Add(20 * time.Second); len(n.contactsByLead()) < submitted && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
	}
	for id, times := range n.contactsByLead() {
		if times != 1 {
			t.Errorf("the contact of %s was delivered %d times", id, times)
		}
	}
	if got := len(n.contactsByLead()); got != submitted {
		t.Errorf("%d of %d leads were delivered", got, submitted)
	}
}

// withinTwoSeconds waits for a condition: two seconds is how long a change may take to reach every process.
func withinTwoSeconds(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Second); !condition(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Errorf("not so after two seconds: %s", what)
			return
		}
	}
}

// contactsByLead counts the contacts that the buyer got, by lead.
func (b *testBuyer) contactsByLead() map[string]int {
	b.mu.Lock()
	defer b.mu.Unlock()
	times := make(map[string]int)
	for i, kind := range b.types {
		var message struct {
			Data struct {
				Lead string `json:"lead_id"`
			}
		}
		if json.Unmarshal([]byte(b.bodies[i]), &message) == nil && kind == "lead.delivered" {
			times[message.Data.Lead]++
		}
	}
	return times
}

// ada is the operator of the tests.
var ada = audit.CLI("ada")
