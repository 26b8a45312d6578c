package app_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/internal/app/apptest"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
	"foyer/test/stopwatch"
)

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// testBuyer is a buyer on loopback that records what it was sent.
type testBuyer struct {
	*httptest.Server
	mu     sync.Mutex
	types  []string // the type of each message
	bodies []string
}

// newTestBuyer starts a buyer that answers with a status and a body.
func newTestBuyer(t *testing.T, status int, answer string) *testBuyer {
	b := &testBuyer{}
	b.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if err := webhook.Verify(r.Header, body, []string{secret}, time.Now()); err != nil {
			t.Errorf("the signature: %v", err)
		}
		var message struct {
			Type string `json:"type"`
		}
		_ = json.Unmarshal(body, &message)
		b.mu.Lock()
		b.types, b.bodies = append(b.types, message.Type), append(b.bodies, string(body))
		b.mu.Unlock()
		w.WriteHeader(status)
		fmt.Fprint(w, answer)
	}))
	t.Cleanup(b.Close)
	return b
}

func (b *testBuyer) messageTypes() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.types...)
}

// addBuyer adds a buyer to the database of a running service.
func addBuyer(t *testing.T, s *apptest.Service, id, url string, change func(*buyer.Terms)) {
	t.Helper()
	b := buyer.Buyer{
		ID: id, State: buyer.Active, Secrets: []string{secret}, CreatedAt: time.Now(), UpdatedAt: time.Now(),
		Terms: buyer.Terms{Name: "Example network", URL: url, Services: []lead.Service{lead.HVAC}, Priority: buyer.DefaultPriority},
	}
	if change != nil {
		change(&b.Terms)
	}
	err := s.OpenStore(t).Update(t.Context(), func(tx *store.Tx) error {
		if err := tx.PutBuyer(b); err != nil {
			return err
		}
		return tx.PutHealth(b.ID, buyer.Health{WakeAt: time.Now()})
	})
	if err != nil {
		t.Fatal(err)
	}
}

func submitHVAC(t *testing.T, s *apptest.Service) lead.Receipt {
	return submit(t, s, lead.HVAC, "305-555-0123")
}

func submit(t *testing.T, s *apptest.Service, service lead.Service, phone string) lead.Receipt {
	t.Helper()
	r := s.Send(t, "POST", "/v1/intake", `{"service_type":"`+string(service)+`","zip_code":"33139","customer_name":"Pat Canary","customer_phone":"`+phone+`","customer_email":"canary@example.com","notes":"canary notes","address_line":"1 Canary Street","consent_to_contact":true}`)
	var receipt lead.Receipt
	if err := json.Unmarshal(r.Body, &receipt); err != nil || r.Status != 202 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	return receipt
}

func awaitStatus(t *testing.T, s *apptest.Service, id string, want lead.Status) {
	t.Helper()
	var got lead.Status
	for range 100 {
		l, err := s.Reader(t).Lead(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if got = l.Status; got == want {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%s is %s, want %s", id, got, want)
}

func TestHeldLeadIsForwardedToNewBuyer(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--allow-private-buyers")
	n := newTestBuyer(t, 200, `{"decision":"accept","buyer_ref":"A-1"}`)
	held := submitHVAC(t, s)
	if held.Status != lead.Collected {
		t.Fatalf("got %s", held.Status)
	}
	addBuyer(t, s, "buyer_one", n.URL, nil)
	awaitStatus(t, s, held.LeadID, lead.Forwarded)
	repeat := submitHVAC(t, s)
	if repeat.Status != lead.Received {
		t.Errorf("got %s, want %s", repeat.Status, lead.Received)
	}
	// A repeat by the same person is never offered to the buyer that has the earlier lead.
	awaitStatus(t, s, repeat.LeadID, lead.Collected)
	if got := strings.Join(n.messageTypes(), " "); got != "lead.offered lead.delivered" {
		t.Errorf("the buyer got %q", got)
	}
	if strings.Contains(strings.ToLower(n.bodies[0]), "canary") || strings.Contains(n.bodies[0], "5550123") {
		t.Errorf("the offer discloses the person: %s", n.bodies[0])
	}
}

// A buyer that never answers delays its own leads, and no others.
func TestHungBuyerDelaysNoOther(t *testing.T) {
	s := apptest.Start(t, "--allow-private-buyers", "--rate-limit", "off")
	hung := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does the server detect a disconnect
		select {
		case <-r.Context().Done():
		case <-t.Context().Done():
		}
	}))
	t.Cleanup(hung.Close)
	good := newTestBuyer(t, 200, `{"decision":"accept"}`)
	addBuyer(t, s, "buyer_hung", hung.URL, nil)
	addBuyer(t, s, "buyer_good", good.URL, func(terms *buyer.Terms) { terms.Services = []lead.Service{lead.Handyman} })
	awaitCoverage(t, s, lead.HVAC, lead.Handyman)
	for i := range 50 {
		submit(t, s, lead.HVAC, fmt.Sprintf("305-555-01%02d", i))
	}
	for i := range 5 {
		watch := stopwatch.Start()
		awaitStatus(t, s, submit(t, s, lead.Handyman, fmt.Sprintf("305-555-01%02d", i)).LeadID, lead.Forwarded)
		if took := watch.Stop(); took > time.Second {
			t.Errorf("a lead for the good buyer took %v", took)
		}
	}
}

// awaitCoverage waits until the service knows of buyers for all these services.
func awaitCoverage(t *testing.T, s *apptest.Service, services ...lead.Service) {
	t.Helper()
	for i, service := range services {
		for n := 0; submit(t, s, service, fmt.Sprintf("30%d-555-01%02d", i+1, n)).Status != lead.Received; n++ {
			if n == 99 {
				t.Fatalf("no buyer covers %s", service)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
}
