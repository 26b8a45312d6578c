package sim_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"foyer/internal/sim"
	"foyer/internal/webhook"
)

// TestMain checks that no goroutine outlives its message, however badly the message is treated.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	other  = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"
	canary = "305-555-0142"
)

// testEnv is a buyer, a sender to it, and the messages that the buyer saw.
type testEnv struct {
	t        testing.TB
	url      string
	sender   *webhook.Sender
	patience time.Duration
	mu       sync.Mutex
	seen     []sim.Message
}

func start(t testing.TB, b *sim.Buyer) *testEnv {
	t.Helper()
	s := &testEnv{t: t, sender: webhook.New("Foyer/test", true), patience: 10 * time.Second}
	if len(b.Secrets) == 0 {
		b.Secrets = []string{secret}
	}
	b.Seen = func(m sim.Message) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.seen = append(s.seen, m)
	}
	server := httptest.NewServer(b)
	s.url = server.URL + "/leads?token=1"
	t.Cleanup(server.Close)
	t.Cleanup(s.sender.Close)
	return s
}

func behaviour(t testing.TB, text string) sim.Behaviour {
	t.Helper()
	b, err := sim.ParseBehaviour(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// offer sends the offer with a number, and deliver sends its contact.
func (s *testEnv) offer(n int) webhook.Outcome {
	return s.send(fmt.Sprintf("msg_%doffered", n), fmt.Sprintf(`{"type":"lead.offered","data":{"lead_id":"lead_%d","offer_id":"offer_%d"}}`, n, n))
}

func (s *testEnv) deliver(n int) webhook.Outcome {
	return s.send(fmt.Sprintf("msg_%ddelivered", n), fmt.Sprintf(`{"type":"lead.delivered","data":{"lead_id":"lead_%d","offer_id":"offer_%d","customer_phone":"%s"}}`, n, n, canary))
}

func (s *testEnv) send(id, body string) webhook.Outcome {
	ctx, cancel := context.WithTimeout(s.t.Context(), s.patience)
	defer cancel()
	return s.sender.Send(ctx, webhook.Message{ID: id, URL: s.url, Secrets: []string{secret}, Body: []byte(body)}, time.Now())
}

func (s *testEnv) last() sim.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.seen) == 0 {
		return sim.Message{}
	}
	return s.seen[len(s.seen)-1]
}
