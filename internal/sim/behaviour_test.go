package sim_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"foyer/internal/sim"
	"foyer/internal/webhook"
)

// Each action, as the sender sees it.
func TestActions(t *testing.T) {
	for _, c := range []struct {
		way     string
		status  int
		body    string // prefix of the answer
		failure webhook.Failure
		summary string
	}{
		{"accept", 200, `{"decision":"accept","buyer_ref":"sim_1"}`, "", "200 accept"},
		{"reject:out_of_area", 200, `{"decision":"reject","code":"out_of_area","buyer_ref":"sim_1"}`, "", "200 reject out_of_area"},
		{"plain", 200, "thank you", "", "200"},
		{"slow:20ms", 200, `{"decision":"accept"`, "", "200 accept after 20ms"},
		{"slow:3s", 0, "", webhook.Timeout, "200 accept after 3s"},
		{"hang", 0, "", webhook.Timeout, "hang"},
		{"drip", 0, " ", webhook.Timeout, "drip"},
		{"endless", 200, `{"decision":"accept","buyer_ref":"xxx`, "", "endless"},
		{"reset", 0, "", webhook.Reset, "reset"},
		{"reset-body", 0, `{"decision"`, webhook.Reset, "reset-body"},
		{"duplicate", 200, `{"decision":"accept"`, "", "200 accept, twice"},
		{"status:500", 500, "", "", "500"},
		{"status:204", 204, "", "", "204"},
		{"status:401", 401, "", "", "401"},
		{"status:302", 302, "", "", "302"},
		{"status:429:7", 429, "", "", "429 Retry-After 7"},
		{"flapping", 503, "", "", "503"},
		{"flapping:1", 503, "", "", "503"},
	} {
		t.Run(c.way, func(t *testing.T) {
			s := start(t, &sim.Buyer{Offer: behaviour(t, c.way)})
			patience := s.patience
			if c.failure == webhook.Timeout {
				s.patience = 500 * time.Millisecond
			}
			out := s.offer(1)
			s.patience = patience
			if out.Status != c.status || !strings.HasPrefix(string(out.Answer), c.body) || out.Failure != c.failure || !out.Sent {
				t.Errorf("got %d %.80q %s (%s)", out.Status, out.Answer, out.Failure, out.Detail)
			}
			if c.way == "status:429:7" && out.RetryAfter != 7*time.Second {
				t.Errorf("wants to be left alone for %s", out.RetryAfter)
			}
			if got := s.last().Answer; got != c.summary {
				t.Errorf("tells %q, want %q", got, c.summary)
			}
			if c.way == "duplicate" {
				s.sender.Close() // drop the connection with the second answer, which could be taken for the next one
			}
			if out := s.send("msg_2", `{"type":"lead.withdrawn"}`); out.Status != 204 {
				t.Errorf("after that it does not answer: %+v", out)
			}
		})
	}
}

// Over TLS, the TCP connection is reset.
func TestResetOverTLS(t *testing.T) {
	server := httptest.NewTLSServer(&sim.Buyer{Trusting: true, Offer: behaviour(t, "reset")})
	defer server.Close()
	if _, err := server.Client().Post(server.URL, "application/json", strings.NewReader(`{"type":"lead.offered"}`)); err == nil || !strings.Contains(err.Error(), "reset") {
		t.Errorf("got %v", err)
	}
}

func TestFlappingFailsEveryOtherTime(t *testing.T) {
	s := start(t, &sim.Buyer{Offer: behaviour(t, "flapping"), Delivery: behaviour(t, "flapping")})
	var got []int
	for range 2 {
		got = append(got, s.offer(1).Status)
	}
	for range 2 {
		got = append(got, s.deliver(1).Status)
	}
	if want := [4]int{503, 200, 503, 200}; [4]int(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The same seed gives the same answers, and another seed gives others.
func TestSeeds(t *testing.T) {
	draw := func(seed uint64) (drawn string) {
		s := start(t, &sim.Buyer{Seed: seed, Offer: behaviour(t, "accept, reject:cap, status:500, flapping:0.3")})
		for n := range 30 {
			s.offer(n)
			drawn += s.last().Answer + "; "
		}
		return drawn
	}
	first := draw(1)
	for _, answer := range []string{"200 accept", "200 reject cap", "500", "503"} {
		if !strings.Contains(first, answer+"; ") {
			t.Errorf("%s was never drawn: %s", answer, first)
		}
	}
	if draw(1) != first || draw(2) == first {
		t.Error("the seed does not decide")
	}
}

// A message that repeats a webhook-id gets the same decision, or none, whatever the random action is, and is counted
// once.
func TestRepeatedMessageGetsTheSameDecision(t *testing.T) {
	b := &sim.Buyer{Offer: behaviour(t, "accept,reject:cap,reject:other,status:500,reset-body")}
	s := start(t, b)
	const leads = 40
	for n := range leads {
		var decided string
		for again := range 6 {
			s.offer(n)
			m := s.last()
			if m.Duplicate != (again > 0) {
				t.Fatalf("attempt %d: %+v", again+1, m)
			}
			if decided == "" {
				decided = m.Decision + m.Code
			}
			if m.Decision != "" && m.Decision+m.Code != decided {
				t.Fatalf("lead %d: %s after %s", n, m.Decision+m.Code, decided)
			}
		}
	}
	if c := b.Counts(); c.Unique != leads || c.Duplicates != 5*leads || c.Accepted+c.Rejected != leads {
		t.Errorf("counted %+v", c)
	}
}

// A delivery has its own behavior if one is set. If not, an accepted lead is taken, and a delivery without an offer is
// decided like an offer.
func TestDeliveryBehaviour(t *testing.T) {
	for _, c := range []struct {
		name, offer, delivery string
		offered               bool
		want                  string
	}{
		{"accepted before", "accept", "", true, "200 accept"},
		{"accepted before, slowly", "slow:10ms", "", true, "200 accept"},
		{"in one step", "reject:bad_contact", "", false, "200 reject bad_contact"},
		{"with a behaviour of its own", "accept", "status:500", true, "500"},
		{"in one step, with a behaviour of its own", "reject:cap", "plain", false, "200"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &sim.Buyer{Offer: behaviour(t, c.offer)}
			if c.delivery != "" {
				b.Delivery = behaviour(t, c.delivery)
			}
			s := start(t, b)
			if c.offered {
				s.offer(1)
			}
			s.deliver(1)
			if got := s.last().Answer; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// A request that hangs does not delay others.
func TestHangingRequestDelaysNoOther(t *testing.T) {
	s := start(t, &sim.Buyer{Delivery: behaviour(t, "hang")})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for range 50 {
		go s.sender.Send(ctx, webhook.Message{ID: "msg_1", URL: s.url, Secrets: []string{secret}, Body: []byte(`{"type":"lead.delivered"}`)}, time.Now())
	}
	for s.last().Answer != "hang" {
		time.Sleep(time.Millisecond)
	}
	if out := s.offer(1); out.Status != 200 || out.Took > 400*time.Millisecond {
		t.Errorf("got %+v", out)
	}
}

func TestInvalidBehaviours(t *testing.T) {
	for _, text := range []string{
		"", "acept", "accept:1", "reject", "reject:", "reject:nothing", "slow", "slow:3", "slow:-1s", "status", "status:", "status:99", "status:100", "status:600", "status:x",
		"status:429:soon", "status:429:-1", "flapping:", "flapping:0", "flapping:2", "flapping:NaN", "accept,", "hang:1",
	} {
		if _, err := sim.ParseBehaviour(text); err == nil || !strings.Contains(err.Error(), "reject:CODE") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

// Every action in the help text can be parsed.
func TestEveryDocumentedActionParses(t *testing.T) {
	for named := range strings.SplitSeq(sim.Ways, ", ") {
		text, _, _ := strings.Cut(strings.ReplaceAll(named, "CODE", sim.Codes[0]), " ")
		behaviour(t, text)
	}
	for _, code := range sim.Codes {
		behaviour(t, "reject:"+code)
	}
}
