package forward_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
)

const (
	concurrentLeads     = 400
	concurrentPersons   = 150 // each sends the same request two or three times
	concurrentProcesses = 3
	concurrentCap       = 30
	concurrentPrice     = 7_33
	concurrentMoney     = 20*concurrentPrice - 1 // a cent less than what 20 leads cost
)

// Three processes find buyers and settle answers at the same time, and everything that must be exact is: caps, money, counts, one buyer for a
// contact, one message of each kind for an offer, one sale for a person and a job.
func TestProcessesForwardAtTheSameTime(t *testing.T) {
	for name, newDatabase := range map[string]func(*testing.T) string{"SQLite": storetest.SQLite, "PostgreSQL": storetest.PostgreSQL} {
		t.Run(name, func(t *testing.T) { forwardConcurrently(t, newDatabase(t)) })
	}
}

func forwardConcurrently(t *testing.T, database string) {
	stores := []*store.Store{storetest.Open(t, database)}
	for range concurrentProcesses - 1 {
		if strings.HasPrefix(database, "sqlite") {
			stores = append(stores, stores[0]) // one process, several forwarders
		} else {
			stores = append(stores, storetest.Open(t, database))
		}
	}
	for i, id := range []string{"capped", "prepaid", "budget", "slow", "quick", "other"} {
		b := newBuyer(id, storetest.Lead("lead_1"))
		b.Terms.Name, b.Terms.Services, b.Terms.URL, b.Terms.MaxInFlight = id, lead.Services, "https://"+id+".example.com/leads", 2+i*4
		if id == "capped" {
			b.Terms.Priority, b.Terms.Caps, b.Terms.MaxInFlight = -1, buyer.Caps{Total: concurrentCap}, 64
		}
		if b.Terms.Prices = map[lead.Service]buyer.Cents{storetest.Lead("lead_1").Request.Service: concurrentPrice}; id == "prepaid" {
			b.Terms.Priority, b.Terms.CreditLimit, b.Terms.MaxInFlight = -1, new(buyer.Cents), 64
		} else if id == "budget" {
			b.Terms.Priority, b.Terms.Caps, b.Terms.MaxInFlight = -1, buyer.Caps{MoneyMonth: concurrentMoney}, 64
		}
		if err := stores[0].Update(t.Context(), func(tx *store.Tx) error {
			if err := tx.PutBuyer(b); err != nil || id != "prepaid" {
				return err
			}
			return tx.AddFunds(buyer.Entry{Buyer: id, At: time.Now(), Kind: buyer.EntryPayment, Amount: -concurrentMoney})
		}); err != nil {
			t.Fatal(err)
		}
	}
	// All leads are there before the processes start, so that each claims many at a time.
	for i := range concurrentLeads {
		l := storetest.Lead(fmt.Sprintf("lead_%04d", i))
		l.Status, l.CreatedAt, l.UpdatedAt = lead.Received, time.Now(), time.Now()
		l.Request.Contact.Phone = fmt.Sprintf("+1305555%04d", i%concurrentPersons)
		storetest.Save(t, stores[i%len(stores)], l)
	}
	raw := storetest.Raw(t, database)
	heard := &heardMessages{t: t, raw: raw, sent: make(map[string]int), contacts: make(map[string]string)}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var running sync.WaitGroup
	for i, st := range stores {
		f := newForwarder(st)
		f.Owner, f.Send = fmt.Sprint("proc_", i), heard.answer
		f.NewID = func(prefix string, _ time.Time) string {
			return prefix + lead.IDForBuyer([]byte("k"), fmt.Sprint(i, time.Now().UnixNano()), prefix)
		}
		f.Consent = func(context.Context, string) (string, error) { return "agreed", nil }
		f.Persons = forward.PersonRules{Key: []byte("key"), Rules: lead.RepeatRules{Window: 24 * time.Hour}}
		if err := f.Start(ctx); err != nil {
			t.Fatal(err)
		}
		running.Go(func() { f.Run(ctx) })
	}
	running.Go(func() { topUp(ctx, t, stores[0]) })
	for began, left := time.Now(), 1; left > 0; time.Sleep(10 * time.Millisecond) {
		left = storetest.QueryInt(t, raw, `SELECT (SELECT count(*) FROM new_leads) + (SELECT count(*) FROM deliveries)`)
		if time.Since(began) > time.Minute {
			t.Fatalf("%d leads are neither forwarded nor held", left)
		}
	}
	stop()
	running.Wait()
	heard.check()
	counts := func(query string) int { return storetest.QueryInt(t, raw, query) }
	if n := counts(`SELECT COUNT(*) FROM offers WHERE buyer_id = 'capped' AND state NOT IN ('declined', 'failed')`); n > concurrentCap {
		t.Errorf("%d leads were offered to the buyer whose cap is %d", n, concurrentCap)
	}
	for id, money := range map[string]int{"prepaid": counts(`SELECT funds_cents FROM buyers WHERE id = 'prepaid'`), "budget": concurrentMoney} {
		if n := counts(`SELECT CAST(SUM(price_cents) AS BIGINT) FROM offers WHERE buyer_id = '` + id + `' AND state NOT IN ('declined', 'failed')`); n > money || n == 0 {
			t.Errorf("%s: leads for %d cents, with money for %d", id, n, money)
		}
	}
	if charged, sold := counts(`SELECT CAST(SUM(amount_cents) AS BIGINT) FROM ledger WHERE kind = 'charge'`), counts(`SELECT CAST(SUM(price_cents) AS BIGINT) FROM offers WHERE state = 'delivered'`); charged != sold || sold != counts(`SELECT CAST(SUM(charged_cents) AS BIGINT) FROM offer_counts`) {
		t.Errorf("charged are %d cents for leads that cost %d", charged, sold)
	}
	for column, states := range map[string]string{"used": `state NOT IN ('declined', 'failed')`, "offered": `1 = 1`, "accepted": `state IN ('accepted', 'delivered')`, "delivered": `state = 'delivered'`} {
		counted, offers := counts(`SELECT CAST(SUM(`+column+`) AS BIGINT) FROM offer_counts`), counts(`SELECT COUNT(*) FROM offers WHERE `+states)
		if counted != offers {
			t.Errorf("%d offers are counted as %s, and there are %d", counted, column, offers)
		}
	}
	if n := counts(`SELECT COUNT(*) FROM leads WHERE status = 'forwarded'`); n != len(heard.contacts) || n == 0 {
		t.Errorf("%d leads are forwarded, and buyers have %d contacts", n, len(heard.contacts))
	}
}

// topUp pays for the prepaid buyer in small amounts, as an operator does beside the forwarders.
func topUp(ctx context.Context, t *testing.T, st *store.Store) {
	for range 40 {
		if err := st.Update(t.Context(), func(tx *store.Tx) error {
			return tx.AddFunds(buyer.Entry{Buyer: "prepaid", At: time.Now(), Kind: buyer.EntryPayment, Amount: -100})
		}); err != nil {
			t.Error(err)
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return
		}
	}
}

// beyond counts buyers with more open offers and leads than a cap or their money allows, now.
var beyond = fmt.Sprintf(`SELECT COUNT(*) FROM buyers b JOIN (SELECT buyer_id, COUNT(*) AS leads, SUM(price_cents) AS cents FROM offers WHERE state NOT IN ('declined', 'failed') GROUP BY buyer_id) AS o
	ON o.buyer_id = b.id WHERE b.id = 'capped' AND o.leads > %d OR b.id = 'prepaid' AND o.cents > b.funds_cents OR b.id = 'budget' AND o.cents > %d`, concurrentCap, concurrentMoney)

// heardMessages is what buyers heard.
type heardMessages struct {
	t        *testing.T
	raw      *sql.DB
	mu       sync.Mutex
	sent     map[string]int    // by message id
	contacts map[string]string // by phone: the offer with which it came
}

// answer accepts half of the offers, and every contact. At each message, no cap is exceeded, and no buyer has more than it paid for.
func (h *heardMessages) answer(_ context.Context, msg webhook.Message) webhook.Outcome {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(msg.ID))
	time.Sleep(time.Duration(hash.Sum32()%5) * time.Millisecond)
	if n := storetest.QueryInt(h.t, h.raw, beyond); n > 0 {
		h.t.Errorf("when %s came, %d buyers had more than a cap or their money allows", msg.ID, n)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sent[msg.ID]++
	var body struct {
		Type string
		Data struct {
			OfferID string `json:"offer_id"`
			Phone   string `json:"customer_phone"`
		}
	}
	if err := json.Unmarshal(msg.Body, &body); err != nil {
		h.t.Error(err)
	}
	if body.Type == forward.LeadDelivered {
		if earlier, sold := h.contacts[body.Data.Phone]; sold {
			h.t.Errorf("a person was sold twice: with %s and with %s", earlier, body.Data.OfferID)
		}
		h.contacts[body.Data.Phone] = body.Data.OfferID
		return answered(200, `{"decision":"accept"}`)
	}
	if hash.Sum32()%2 == 0 {
		return answered(200, `{"decision":"reject","code":"other"}`)
	}
	return answered(200, `{"decision":"accept"}`)
}

func (h *heardMessages) check() {
	for id, times := range h.sent {
		if times != 1 {
			h.t.Errorf("%s was sent %d times", id, times)
		}
	}
}

// A buyer that another process stops while a claim waits for the buyer's lock gets no offer.
func TestBuyerStoppedWhileClaimWaits(t *testing.T) {
	database := storetest.PostgreSQL(t)
	st := storetest.Open(t, database)
	b := newBuyer("buyer_1", storetest.Lead("lead_1"))
	b.Terms.Services = lead.Services
	if err := st.Update(t.Context(), func(tx *store.Tx) error { return tx.PutBuyer(b) }); err != nil {
		t.Fatal(err)
	}
	l := storetest.Lead("lead_1")
	l.Status = lead.Received
	storetest.Save(t, st, l)
	f := newForwarder(st)
	if err := f.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	raw := storetest.Raw(t, database)
	other, err := raw.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(b.ID))
	if _, err := other.Exec(`SELECT pg_advisory_xact_lock(1718581506, $1)`, int32(hash.Sum32())); err != nil { // 0x666f7902: see store.LockBuyers
		t.Fatal(err)
	}
	var tasks []forward.Task
	var claimed sync.WaitGroup
	claimed.Go(func() { tasks, err = f.ClaimDue(t.Context(), "", 10) })
	storetest.Eventually(t, "the claim waits", func() bool {
		return storetest.QueryInt(t, raw, `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`) == 1
	})
	for _, statement := range []string{`UPDATE buyers SET state = 'paused'`, `UPDATE changes SET version = version + 1 WHERE topic = 'buyers'`} {
		if _, err := other.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := other.Commit(); err != nil {
		t.Fatal(err)
	}
	claimed.Wait()
	if len(tasks) != 0 || err != nil {
		t.Errorf("%d offers for a buyer that is paused, %v", len(tasks), err)
	}
}
