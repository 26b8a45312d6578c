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

// No goroutine outlives its message, however badly it is treated.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	other  = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"
	canary = "305-555-0142"
)

// scene is a buyer, somebody who sends to it, and what the buyer saw.
type scene struct {
	t      testing.TB
	url    string
	sender *webhook.Sender
	mu     sync.Mutex
	seen   []sim.Message
}

func start(t testing.TB, b *sim.Buyer) *scene {
	t.Helper()
	s := &scene{t: t, sender: webhook.New("Foyer/test", true)}
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

func way(t testing.TB, text string) sim.Behaviour {
	t.Helper()
	b, err := sim.ParseBehaviour(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// offer sends an offer under a number, and deliver the contact for it.
func (s *scene) offer(n int) webhook.Outcome {
	return s.send(fmt.Sprintf("msg_%doffered", n), fmt.Sprintf(`{"type":"lead.offered","data":{"lead_id":"lead_%d","offer_id":"offer_%d"}}`, n, n))
}

func (s *scene) deliver(n int) webhook.Outcome {
	return s.send(fmt.Sprintf("msg_%ddelivered", n), fmt.Sprintf(`{"type":"lead.delivered","data":{"lead_id":"lead_%d","offer_id":"offer_%d","customer_phone":"%s"}}`, n, n, canary))
}

func (s *scene) send(id, body string) webhook.Outcome {
	ctx, cancel := context.WithTimeout(s.t.Context(), 500*time.Millisecond)
	defer cancel()
	return s.sender.Send(ctx, webhook.Message{ID: id, URL: s.url, Secrets: []string{secret}, Body: []byte(body)}, time.Now())
}

func (s *scene) last() sim.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.seen) == 0 {
		return sim.Message{}
	}
	return s.seen[len(s.seen)-1]
}
