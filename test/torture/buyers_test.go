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
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/sim"
	"foyer/test/binary"
)

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// buyerSpec is a buyer, and how it answers.
type buyerSpec struct {
	name, offers, deliveries string
	flags                    []string
}

// buyerSpecs are the buyers of a run: some are good, most are not.
var buyerSpecs = []buyerSpec{
	{"good", "accept", "", nil},
	{"moody", "flapping:0.3", "flapping:0.5", nil},
	{"picky", "reject:out_of_area,reject:cap,accept", "", nil},
	{"silent", "hang,slow:2s", "", []string{"--priority", "90"}},
	{"broken", "status:500,reset,reset-body,drip,endless,accept", "status:503,reset,accept", nil},
	{"hasty", "accept,reset,status:502", "", []string{"--one-step"}},
}

// isFirst reports whether the buyer is asked before the others.
func (b buyerSpec) isFirst() bool { return slices.Contains(b.flags, "--priority") }

// recorder records what buyers were really sent.
type recorder struct {
	mu       sync.Mutex
	bodies   map[string][32]byte        // by message
	ids      map[string]string          // message id by buyer, offer and type
	contacts map[string]map[string]bool // by lead: which buyers saw the contact
	acked    map[string]bool            // leads whose contact was acknowledged
	problems []string
	messages int
}

func newRecorder() *recorder {
	return &recorder{
		bodies: make(map[string][32]byte), ids: make(map[string]string), contacts: make(map[string]map[string]bool), acked: make(map[string]bool),
	}
}

// wrap records what reaches a buyer.
func (rec *recorder) wrap(name string, next *sim.Buyer) http.Handler {
	next.Seen = func(m sim.Message) { rec.saw(name, m) }
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the sender was killed
		}
		rec.same(r.Header.Get("webhook-id"), sha256.Sum256(body))
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(rw, r)
	})
}

func (rec *recorder) same(id string, body [32]byte) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	rec.messages++
	if before, known := rec.bodies[id]; known && before != body {
		rec.problems = append(rec.problems, id+" was sent with two bodies")
	}
	rec.bodies[id] = body
}

func (rec *recorder) saw(name string, m sim.Message) {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	if !m.Signed {
		rec.problems = append(rec.problems, name+" got a message with a bad signature: "+m.Problem)
	}
	key := name + " " + m.OfferID + " " + m.Type
	if before := rec.ids[key]; before != "" && before != m.WebhookID {
		rec.problems = append(rec.problems, key+" was sent under two ids")
	}
	rec.ids[key] = m.WebhookID
	if !m.Contact {
		return
	}
	if rec.contacts[m.LeadID] == nil {
		rec.contacts[m.LeadID] = make(map[string]bool)
	}
	rec.contacts[m.LeadID][name] = true
	if m.Decision == "accept" {
		rec.acked[m.LeadID] = true
	}
}

// endpoint is a buyer's address, whose handler can change.
type endpoint struct {
	mu   sync.Mutex
	next http.Handler
}

func (ep *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ep.mu.Lock()
	next := ep.next
	ep.mu.Unlock()
	next.ServeHTTP(w, r)
}

func (ep *endpoint) setHandler(next http.Handler) {
	ep.mu.Lock()
	defer ep.mu.Unlock()
	ep.next = next
}

// TestKilledWhileForwarding kills the process at random moments while it forwards leads to buyers that misbehave.
func TestKilledWhileForwarding(t *testing.T) {
	rounds := choose(30, 6)
	dbURL, told, rec := database(t.TempDir()), newTally(), newRecorder()
	s := serve(t, program, dbURL)
	endpoints := addBuyers(t, dbURL, rec)
	for range rounds {
		l := send(t, s.URL, told)
		time.Sleep(200*time.Millisecond + rand.N(600*time.Millisecond))
		l.stop()
		time.Sleep(rand.N(500 * time.Millisecond)) // also kills what is in progress after the last request
		s.Kill()
		s = serve(t, program, dbURL)
	}
	makeBuyersAccept(t, endpoints, rec) // and all waits expire
	s.Kill()
	expireWaits(t, dbURL)
	s = serve(t, program, dbURL)
	where := awaitSettled(t, dbURL)
	s.stopGracefully()
	checkIntegrity(t, dbURL)
	rec.judge(t, dbURL, where, told)
	report(t, "a lead has one buyer, whatever happens", "%d kills among %d buyers, %s acknowledged, 0 forgotten, %s messages; %d forwarded, %d held, %d locked",
		rounds+1, len(buyerSpecs), thousands(len(told.accepted)), thousands(rec.messages), where.count(lead.Forwarded), where.count(lead.Collected), where.count(lead.Errored))
}

// makeBuyersAccept makes every buyer accept from now on.
func makeBuyersAccept(t *testing.T, endpoints []*endpoint, rec *recorder) {
	t.Helper()
	for i, ep := range endpoints {
		ep.setHandler(rec.wrap(buyerSpecs[i].name, &sim.Buyer{Secrets: []string{secret}, Offer: behaviour(t, "accept")}))
	}
}

// recognize translates each buyer's own lead ids into ours.
func (rec *recorder) recognize(t *testing.T, dbURL string) {
	t.Helper()
	db := open(t, dbURL)
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
		maps.Copy(contacts[ours], rec.contacts[theirs])
		acked[ours] = acked[ours] || rec.acked[theirs]
		delete(rec.contacts, theirs)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for theirs := range rec.contacts {
		t.Errorf("a buyer was given the contact of %s, and no offer tells of it", theirs)
	}
	rec.contacts, rec.acked = contacts, acked
}

// judge compares what buyers saw with the final status of the leads.
func (rec *recorder) judge(t *testing.T, dbURL string, where leadStatuses, all ...*tally) {
	t.Helper()
	rec.mu.Lock()
	defer rec.mu.Unlock()
	rec.recognize(t, dbURL)
	accepted := make(map[string]string)
	for _, told := range all {
		maps.Copy(accepted, told.accepted)
	}
	for _, p := range rec.problems[:min(5, len(rec.problems))] {
		t.Errorf("one of %d problems: %s", len(rec.problems), p)
	}
	for mark, id := range accepted {
		switch status := where[id]; {
		case status != lead.Forwarded && status != lead.Collected && status != lead.Errored:
			t.Errorf("%s (%s) was acknowledged and is %q", id, mark, status)
		case status == lead.Forwarded && !rec.acked[id]:
			t.Errorf("%s is forwarded, but nobody acknowledged it", id)
		case status == lead.Collected && len(rec.contacts[id]) > 0:
			t.Errorf("%s is held, but %d buyers saw who it is from", id, len(rec.contacts[id]))
		}
	}
	for id, buyers := range rec.contacts {
		if len(buyers) > 1 {
			t.Errorf("%s was given to %d buyers: %v", id, len(buyers), buyers)
		}
	}
	if where.count(lead.Forwarded) == 0 || len(accepted) == 0 {
		t.Error("nothing was forwarded: the test proves nothing")
	}
	where.wantCharged(t, dbURL)
}

// wantCharged wants one charge for each lead whose contact was acknowledged, and nothing else in the ledger.
func (where leadStatuses) wantCharged(t *testing.T, dbURL string) {
	t.Helper()
	db := open(t, dbURL)
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), `SELECT COALESCE(l.id, ''), g.kind, g.amount_cents, g.buyer_id = COALESCE(o.buyer_id, '') AND COALESCE(o.state, '') = 'delivered'
		FROM ledger g LEFT JOIN offers o ON o.id = g.offer_id LEFT JOIN leads l ON l.seq = o.lead_seq`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	charges := make(map[string]int)
	for rows.Next() {
		var id, kind string
		var cents int
		var delivered bool
		if err := rows.Scan(&id, &kind, &cents, &delivered); err != nil {
			t.Fatal(err)
		}
		if kind != "charge" || cents != 7_33 || !delivered {
			t.Errorf("the ledger has a %s of %d cents for %s; its buyer has the contact: %v", kind, cents, id, delivered)
		}
		charges[id]++
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for id, status := range where {
		if n := charges[id]; n > 1 || (n == 1) != (status == lead.Forwarded) {
			t.Errorf("%s is %s, and was charged %d times", id, status, n)
		}
		delete(charges, id)
	}
	for id := range charges {
		t.Errorf("a lead %q was charged that is not there", id)
	}
}

// leadPrice is what every buyer pays for a lead, in dollars.
const leadPrice = "7.33"

func addBuyers(t *testing.T, dbURL string, rec *recorder) []*endpoint {
	t.Helper()
	var endpoints []*endpoint
	for i, c := range buyerSpecs {
		next := &sim.Buyer{Secrets: []string{secret}, Offer: behaviour(t, c.offers), Seed: uint64(i)}
		if c.deliveries != "" {
			next.Delivery = behaviour(t, c.deliveries)
		}
		ep, url := newEndpoint(t, rec.wrap(c.name, next))
		endpoints = append(endpoints, ep)
		foyer(t, append([]string{
			"buyers", "add", "--live", "--database", dbURL, "--allow-private-buyers",
			"--name", c.name, "--url", url, "--services", "hvac", "--price", leadPrice, "--secret", secret,
		}, c.flags...)...)
	}
	return endpoints
}

// newEndpoint starts an endpoint for a buyer, and returns its address.
func newEndpoint(t *testing.T, next http.Handler) (*endpoint, string) {
	t.Helper()
	ep := &endpoint{}
	ep.setHandler(next)
	server := httptest.NewServer(ep)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return ep, server.URL
}

// foyer runs an operator's command.
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

// expireWaits ends all waiting: retries that are hours away are due now, and every breaker has closed. A statement on all rows may
// lose a deadlock against the service, and then runs again.
func expireWaits(t *testing.T, dbURL string) {
	t.Helper()
	db := open(t, dbURL)
	defer db.Close()
	for _, statement := range []string{
		"UPDATE deliveries SET due_at = lead_seq", "UPDATE buyer_health SET failures = 0, opened = 0, open_until = 0",
		"UPDATE buyers SET state = 'active'", "UPDATE changes SET version = version + 1 WHERE topic = 'buyers'",
	} {
		_, err := db.ExecContext(t.Context(), statement)
		for tries := 1; err != nil && tries < 10 && strings.Contains(err.Error(), "40P01"); tries++ {
			_, err = db.ExecContext(t.Context(), statement)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// leadStatuses is the status of every lead.
type leadStatuses map[string]lead.Status

func (statuses leadStatuses) count(s lead.Status) (n int) {
	for _, status := range statuses {
		if status == s {
			n++
		}
	}
	return n
}

// awaitSettled waits until no lead is being forwarded anymore.
func awaitSettled(t *testing.T, dbURL string) leadStatuses {
	t.Helper()
	r := reader(t, dbURL)
	defer r.Close()
	var where leadStatuses
	for range 600 {
		list, err := r.Newest(t.Context(), math.MaxInt32)
		if err != nil {
			t.Fatal(err)
		}
		where = make(leadStatuses, len(list))
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
