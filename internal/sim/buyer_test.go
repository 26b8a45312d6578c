package sim_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/sim"
	"foyer/internal/webhook"
)

func TestBothSteps(t *testing.T) {
	b := &sim.Buyer{}
	s := start(t, b)
	if out := s.offer(1); out.Status != 200 || string(out.Answer) != `{"decision":"accept","buyer_ref":"sim_1"}`+"\n" {
		t.Fatalf("offer: %d %s", out.Status, out.Answer)
	}
	if out := s.deliver(1); out.Status != 200 {
		t.Fatalf("delivery: %d %s", out.Status, out.Answer)
	}
	want := []sim.Message{
		{Type: sim.Offered, WebhookID: "msg_1offered", LeadID: "lead_1", OfferID: "offer_1", Signed: true, Answer: "200 accept", Decision: "accept"},
		{Type: sim.Delivered, WebhookID: "msg_1delivered", LeadID: "lead_1", OfferID: "offer_1", Signed: true, Contact: true, Answer: "200 accept", Decision: "accept"},
	}
	for i := range s.seen {
		if time.Since(s.seen[i].At) > time.Minute {
			t.Errorf("seen at %s", s.seen[i].At)
		}
		s.seen[i].At = time.Time{}
	}
	if diff := cmp.Diff(want, s.seen); diff != "" {
		t.Errorf("seen (-want +got):\n%s", diff)
	}
	counts := sim.Counts{Messages: map[string]int{sim.Offered: 1, sim.Delivered: 1}, Unique: 2, Accepted: 1, Contacts: 1}
	if diff := cmp.Diff(counts, b.Counts()); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}

func TestSignatures(t *testing.T) {
	body := []byte(`{"type":"lead.offered","data":{"lead_id":"lead_1","offer_id":"offer_1","notes":"` + canary + `"}}`)
	for _, c := range []struct {
		name    string
		signers []string
		knows   []string
		sent    time.Duration
		want    int
	}{
		{"right", []string{secret}, []string{secret}, 0, 200},
		{"of both secrets, while the buyer has the old one", []string{other, secret}, []string{secret}, 0, 200},
		{"of the old one, while the buyer has both", []string{secret}, []string{other, secret}, 0, 200},
		{"of somebody else", []string{other}, []string{secret}, 0, 401},
		{"an hour old", []string{secret}, []string{secret}, -time.Hour, 401},
		{"an hour ahead", []string{secret}, []string{secret}, time.Hour, 401},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &sim.Buyer{Secrets: c.knows}
			s := start(t, b)
			out := s.sender.Send(t.Context(), webhook.Message{ID: "msg_1", URL: s.url, Secrets: c.signers, Body: body}, time.Now().Add(c.sent))
			m := s.last()
			if out.Status != c.want || m.Signed != (c.want == 200) || b.Counts().BadSignatures != (c.want-200)/201 {
				t.Errorf("answered %d, saw %+v, counted %+v", out.Status, m, b.Counts())
			}
			if !m.Signed && (m.Problem == "" || m.LeadID != "" || m.WebhookID != "msg_1") {
				t.Errorf("of a message that nobody signed it saw %+v", m)
			}
		})
	}
}

// A buyer without secrets refuses messages unless it is trusting.
func TestUnsignedMessages(t *testing.T) {
	for trusting, want := range map[bool]int{true: 200, false: 401} {
		s := start(t, &sim.Buyer{Trusting: trusting})
		res, err := http.Post(s.url, "application/json", strings.NewReader(`{"type":"lead.offered","data":{"offer_id":"offer_1"}}`))
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("trusting %v: got %d, want %d", trusting, res.StatusCode, want)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

// What the buyer reports of a message contains no personal data, not even in place of ids.
func TestNothingPersonalIsReported(t *testing.T) {
	s := start(t, &sim.Buyer{})
	personal := "Pat Example, " + canary
	for _, member := range []string{"lead_id", "offer_id", "customer_name", "customer_phone", "customer_email", "address_line", "notes", "city"} {
		s.send("msg_"+member, fmt.Sprintf(`{"type":"lead.delivered","data":{%q:%q}}`, member, personal))
		m := s.last()
		text, _ := json.Marshal(m)
		if strings.Contains(string(text), "Pat") || strings.Contains(string(text), canary) {
			t.Errorf("%s: reported %s", member, text)
		}
		if contact := strings.HasPrefix(member, "customer") || member == "address_line" || member == "notes"; m.Contact != contact {
			t.Errorf("%s: contact %v, want %v", member, m.Contact, contact)
		}
	}
}

func TestUnknownMessages(t *testing.T) {
	b := &sim.Buyer{}
	s := start(t, b)
	for _, c := range []struct {
		body   string
		status int
	}{
		{`no JSON`, 400},
		{`{"type":7}`, 400},
		{`{}`, 400},
		{`{"type":"lead.withdrawn","data":{"lead_id":"lead_1"}}`, 204},
	} {
		if out := s.send("msg_1", c.body); out.Status != c.status {
			t.Errorf("%s: got %d, want %d", c.body, out.Status, c.status)
		}
	}
	if c := b.Counts(); c.Messages["other"] != 4 || c.Accepted != 0 {
		t.Errorf("counted %+v", c)
	}
	res, err := http.Head(s.url)
	if err != nil || res.StatusCode != 200 {
		t.Errorf("HEAD: %v %v", res, err)
	}
	req, _ := http.NewRequest(http.MethodPut, s.url, nil)
	if res, err = http.DefaultClient.Do(req); err != nil || res.StatusCode != 405 {
		t.Errorf("PUT: %v %v", res, err)
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestGetCounts(t *testing.T) {
	s := start(t, &sim.Buyer{Offer: behaviour(t, "reject:cap")})
	s.offer(1)
	s.offer(1)
	res, err := http.Get(s.url)
	if err != nil {
		t.Fatal(err)
	}
	defer http.DefaultClient.CloseIdleConnections()
	defer res.Body.Close()
	var counts sim.Counts
	if err := json.NewDecoder(res.Body).Decode(&counts); err != nil {
		t.Fatal(err)
	}
	want := sim.Counts{Messages: map[string]int{sim.Offered: 2}, Unique: 1, Duplicates: 1, Rejected: 1}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}

// BenchmarkBuyer measures answers over real connections.
func BenchmarkBuyer(b *testing.B) {
	s := start(b, &sim.Buyer{})
	b.RunParallel(func(pb *testing.PB) {
		for n := 0; pb.Next(); n++ {
			if out := s.offer(n); out.Status != 200 {
				b.Error(out)
			}
		}
	})
}
