package torture

import (
	"bytes"
	"crypto/sha256"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"sync"
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/sim"
	"foyer/test/binary"
)

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// crowd are the buyers of a run: some are good, most are not.
var crowd = []struct {
	name, offers, deliveries string
	flags                    []string
}{
	{"good", "accept", "", nil},
	{"moody", "flapping:0.3", "flapping:0.5", nil},
	{"picky", "reject:out_of_area,reject:cap,accept", "", nil},
	{"silent", "hang,slow:2s", "", []string{"--priority", "90"}},
	{"broken", "status:500,reset,reset-body,drip,endless,accept", "status:503,reset,accept", nil},
	{"hasty", "accept,reset,status:502", "", []string{"--one-step"}},
}

// witness remembers what buyers were really sent.
type witness struct {
	mu       sync.Mutex
	bodies   map[string][32]byte        // by message: what it said
	ids      map[string]string          // by buyer, offer and type: the id of the message
	contacts map[string]map[string]bool // by lead: which buyers saw who the person is
	acked    map[string]bool            // leads whose contact was acknowledged
	problems []string
	messages int
}

func newWitness() *witness {
	return &witness{
		bodies: make(map[string][32]byte), ids: make(map[string]string), contacts: make(map[string]map[string]bool), acked: make(map[string]bool),
	}
}

// stand puts the witness before a buyer.
func (w *witness) stand(name string, next *sim.Buyer) http.Handler {
	next.Seen = func(m sim.Message) { w.saw(name, m) }
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the sender was killed
		}
		w.same(r.Header.Get("webhook-id"), sha256.Sum256(body))
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(rw, r)
	})
}

func (w *witness) same(id string, body [32]byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.messages++
	if before, known := w.bodies[id]; known && before != body {
		w.problems = append(w.problems, id+" was sent with two bodies")
	}
	w.bodies[id] = body
}

func (w *witness) saw(name string, m sim.Message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !m.Signed {
		w.problems = append(w.problems, name+" got a message with a bad signature: "+m.Problem)
	}
	key := name + " " + m.OfferID + " " + m.Type
	if before := w.ids[key]; before != "" && before != m.WebhookID {
		w.problems = append(w.problems, key+" was sent under two ids")
	}
	w.ids[key] = m.WebhookID
	if !m.Contact {
		return
	}
	if w.contacts[m.LeadID] == nil {
		w.contacts[m.LeadID] = make(map[string]bool)
	}
	w.contacts[m.LeadID][name] = true
	if m.Decision == "accept" {
		w.acked[m.LeadID] = true
	}
}

// house is a buyer's address, behind which the buyer can change.
type house struct {
	mu   sync.Mutex
	next http.Handler
}

func (h *house) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	next := h.next
	h.mu.Unlock()
	next.ServeHTTP(w, r)
}

func (h *house) moveIn(next http.Handler) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.next = next
}

// TestKilledAmongBuyers ends the process at random moments while it passes leads on to buyers that misbehave.
func TestKilledAmongBuyers(t *testing.T) {
	rounds := choose(30, 6)
	at, told, w := database(t.TempDir()), newTally(), newWitness()
	s := serve(t, program, at)
	houses := recruit(t, at, w)
	for range rounds {
		l := send(t, s.URL, told)
		time.Sleep(200*time.Millisecond + rand.N(600*time.Millisecond))
		l.stop()
		time.Sleep(rand.N(500 * time.Millisecond)) // what is under way when nobody asks any more is killed too
		s.Kill()
		s = serve(t, program, at)
	}
	getWell(t, houses, w) // and all pauses pass
	s.Kill()
	hurry(t, at)
	s = serve(t, program, at)
	where := settled(t, at)
	s.stopInOrder()
	intact(t, at)
	w.judge(t, at, where, told)
	tell(t, "a lead has one buyer, whatever happens", "%d kills among %d buyers, %s acknowledged, 0 forgotten, %s messages; %d forwarded, %d held, %d locked",
		rounds+1, len(crowd), thousands(len(told.accepted)), thousands(w.messages), where.count(lead.Forwarded), where.count(lead.Collected), where.count(lead.Errored))
}

// getWell has every buyer take what it is sent from here on.
func getWell(t *testing.T, houses []*house, w *witness) {
	t.Helper()
	for i, h := range houses {
		h.moveIn(w.stand(crowd[i].name, &sim.Buyer{Secrets: []string{secret}, Offer: behaviour(t, "accept")}))
	}
}

// recognize names leads as we know them. Each buyer knows them by ids of its own.
func (w *witness) recognize(t *testing.T, at string) {
	t.Helper()
	db := open(t, at)
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), `SELECT o.buyer_lead_id, l.id FROM offers o JOIN leads l ON l.seq = o.lead_seq`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	contacts, acked := make(map[string]map[string]bool), make(map[string]bool)
	for rows.Next() {
		var theirs, ours string
		if err := rows.Scan(&theirs, &ours); err != nil {
			t.Fatal(err)
		}
		if theirs == ours {
			t.Errorf("a buyer was told the id %s, which is the person's", ours)
		}
		if contacts[ours] == nil {
			contacts[ours] = make(map[string]bool)
		}
		maps.Copy(contacts[ours], w.contacts[theirs])
		acked[ours] = acked[ours] || w.acked[theirs]
		delete(w.contacts, theirs)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for theirs := range w.contacts {
		t.Errorf("a buyer was given the contact of %s, and no offer tells of it", theirs)
	}
	w.contacts, w.acked = contacts, acked
}

// judge holds what buyers saw against what became of the leads.
func (w *witness) judge(t *testing.T, at string, where whereabouts, all ...*tally) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.recognize(t, at)
	accepted := make(map[string]string)
	for _, told := range all {
		maps.Copy(accepted, told.accepted)
	}
	for _, p := range w.problems[:min(5, len(w.problems))] {
		t.Errorf("one of %d problems: %s", len(w.problems), p)
	}
	for mark, id := range accepted {
		switch status := where[id]; {
		case status != lead.Forwarded && status != lead.Collected && status != lead.Errored:
			t.Errorf("%s (%s) was acknowledged and is %q", id, mark, status)
		case status == lead.Forwarded && !w.acked[id]:
			t.Errorf("%s is forwarded, but nobody acknowledged it", id)
		case status == lead.Collected && len(w.contacts[id]) > 0:
			t.Errorf("%s is held, but %d buyers saw who it is from", id, len(w.contacts[id]))
		}
	}
	for id, buyers := range w.contacts {
		if len(buyers) > 1 {
			t.Errorf("%s was given to %d buyers: %v", id, len(buyers), buyers)
		}
	}
	if where.count(lead.Forwarded) == 0 || len(accepted) == 0 {
		t.Error("nothing was forwarded: the test proves nothing")
	}
}

func recruit(t *testing.T, at string, w *witness) []*house {
	t.Helper()
	var houses []*house
	for i, c := range crowd {
		next := &sim.Buyer{Secrets: []string{secret}, Offer: behaviour(t, c.offers), Seed: uint64(i)}
		if c.deliveries != "" {
			next.Delivery = behaviour(t, c.deliveries)
		}
		h, url := settle(t, w.stand(c.name, next))
		houses = append(houses, h)
		foyer(t, append([]string{
			"buyers", "add", "--live", "--database", at, "--allow-private-buyers",
			"--name", c.name, "--url", url, "--services", "hvac", "--secret", secret,
		}, c.flags...)...)
	}
	return houses
}

// settle gives a buyer a house, and an address.
func settle(t *testing.T, next http.Handler) (*house, string) {
	t.Helper()
	h := &house{}
	h.moveIn(next)
	server := httptest.NewServer(h)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return h, server.URL
}

// foyer runs a command of the operator's.
func foyer(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Env = binary.EnvironmentOf(cmd)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("foyer %s %s: %v: %s", args[0], args[1], err, out)
	}
	return string(out)
}

func behaviour(t *testing.T, text string) sim.Behaviour {
	t.Helper()
	b, err := sim.ParseBehaviour(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// hurry lets all waiting be over: what would be tried again in hours is due now, and every breaker has closed.
func hurry(t *testing.T, at string) {
	t.Helper()
	db := open(t, at)
	defer db.Close()
	for _, statement := range []string{
		"UPDATE deliveries SET due_at = lead_seq", "UPDATE standings SET failures = 0, trips = 0, shut_until = 0",
		"UPDATE buyers SET state = 'active'", "UPDATE changes SET version = version + 1 WHERE topic = 'buyers'",
	} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}

// whereabouts is the status of every lead.
type whereabouts map[string]lead.Status

func (w whereabouts) count(s lead.Status) (n int) {
	for _, status := range w {
		if status == s {
			n++
		}
	}
	return n
}

// settled waits until no lead is on its way any more.
func settled(t *testing.T, at string) whereabouts {
	t.Helper()
	r := reader(t, at)
	defer r.Close()
	var where whereabouts
	for range 600 {
		list, err := r.Newest(t.Context(), math.MaxInt32)
		if err != nil {
			t.Fatal(err)
		}
		where = make(whereabouts, len(list))
		for _, l := range list {
			where[l.ID] = l.Status
		}
		if where.count(lead.Received) == 0 {
			return where
		}
		time.Sleep(200 * time.Millisecond)
	}
	t.Fatalf("%d leads are still on their way", where.count(lead.Received))
	return nil
}
