package main_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/internal/store/storetest"
	"foyer/test/binary"
	"foyer/test/postgres"
)

// serveDatabase starts the service on a database.
func serveDatabase(t *testing.T, database string) *process {
	t.Helper()
	p := serve(t, t.TempDir(), "--database", database, "--allow-private-buyers", "--rate-limit", "off")
	p.Database = database
	return p
}

// submitWithKey sends a request for a service with an idempotency key, and returns its lead_id.
func (p *process) submitWithKey(service, phone, key string) string {
	p.T.Helper()
	body := strings.NewReplacer("hvac", service, "305-555-0123", phone).Replace(binary.GoodLead)
	status, id, err := p.sendWithKey(body, key)
	if err != nil || id == "" {
		p.T.Fatalf("got %d: %v", status, err)
	}
	return id
}

// sendWithKey sends a request with an idempotency key, and returns the status and the lead_id, if the answer has one.
func (p *process) sendWithKey(body, key string) (status int, id string, err error) {
	req, err := http.NewRequest(http.MethodPost, p.URL+"/v1/intake", strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", key)
	res, err := binary.Client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	var receipt struct {
		LeadID string `json:"lead_id"`
	}
	err = json.NewDecoder(res.Body).Decode(&receipt)
	return res.StatusCode, receipt.LeadID, err
}

// leadIDs returns the ids of all leads, in the order in which they were received.
func (o cli) leadIDs() (ids []string) {
	o.t.Helper()
	for line := range strings.Lines(o.run("leads", "list", "--json", "--limit", "1000")) {
		var l struct {
			ID string `json:"lead_id"`
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			o.t.Fatal(err)
		}
		ids = append([]string{l.ID}, ids...)
	}
	return ids
}

// mover is a service that moves from one database to another.
type mover struct {
	*process
	cli
	*testBuyer
	sold   []string
	held   string // a lead without coverage, for the service that the next buyer covers
	secret string
}

// TestFromSQLiteToPostgreSQLAndBack moves a service with a buyer, sold leads and a held one to the other engine and back.
// Each time it continues as if nothing had happened.
func TestFromSQLiteToPostgreSQLAndBack(t *testing.T) {
	server := postgres.Start(t, postgres.Options{}) // first, because without a server the test skips
	first, last := filepath.Join(t.TempDir(), "first.db"), filepath.Join(t.TempDir(), "last.db")
	m := &mover{testBuyer: newTestBuyer(t)}
	m.serveOn(t, "sqlite:"+first)
	m.addBuyerFor("handyman")
	m.sell("handyman", "305-555-0101")
	m.hold("hvac", "305-555-0102")
	m.moveTo(t, server.Database(t))
	m.addBuyerFor("hvac")
	m.wantContinues("house_cleaning", "305-555-0103", "305-555-0104")
	m.moveTo(t, "sqlite:"+last)
	m.addBuyerFor("house_cleaning")
	m.wantContinues("pest_control", "305-555-0105", "305-555-0106")
	for _, id := range m.sold {
		if all := m.messagesAbout(id); len(all) != 2 {
			t.Errorf("about %s the buyer heard %+v", id, all)
		}
	}
}

// TestMovedDatabaseRefused runs commands on a database that was moved, as an operator might by mistake.
func TestMovedDatabaseRefused(t *testing.T) {
	storetest.Parallel(t)
	old, target := newCLI(t), "sqlite:"+filepath.Join(t.TempDir(), "new.db")
	p := serveDatabase(t, old.database)
	id := p.submitWithKey("hvac", "305-555-0123", "key")
	p.Stop()
	runCopy(t, old.database, target)
	for _, args := range [][]string{{"serve", "--addr", "127.0.0.1:0"}, {"suppress", "add", "305-555-0123"}, {"leads", "erase", id}} {
		if line := old.runFailing(1, args...); !strings.Contains(line, "it was moved to "+target+": use that one. foyer db reopen") {
			t.Errorf("%v: %q", args, line)
		}
	}
	if list := old.run("leads", "list"); !strings.Contains(list, id) {
		t.Errorf("it cannot be read:\n%s", list)
	}
	if status := old.run("db", "status"); !strings.Contains(status, target) {
		t.Errorf("the status does not say where it went:\n%s", status)
	}
	wantOutput(t, old.run("db", "reopen"), "OLD is in use again. Do not start a service on NEW again.\n", old.database, "OLD", target, "NEW")
	wantOutput(t, old.run("db", "reopen"), "OLD was not moved. Nothing to do.\n", old.database, "OLD")
	old.run("suppress", "add", "305-555-0123")
}

func (m *mover) serveOn(t *testing.T, database string) {
	m.process, m.cli = serveDatabase(t, database), cli{t, database}
}

// addBuyerFor adds a buyer for a service, at the test buyer's address, and waits until the service knows it.
func (m *mover) addBuyerFor(service string) {
	m.t.Helper()
	args := []string{"--name", "Buyer of " + service, "--url", m.testBuyer.URL, "--services", service, "--allow-private-buyers"}
	if m.secret != "" {
		args = append(args, "--secret", m.secret)
	}
	if _, made := m.addBuyer(args...); made != "" {
		m.secret = made
	}
	m.answerWith(m.answer, m.secret)
	time.Sleep(2 * time.Second)
}

func (m *mover) sell(service, phone string) {
	m.t.Helper()
	id := m.submitWithKey(service, phone, phone)
	m.awaitStatus(id, "forwarded", 10*time.Second)
	m.sold = append(m.sold, id)
}

func (m *mover) hold(service, phone string) {
	m.t.Helper()
	m.held = m.submitWithKey(service, phone, "the key of what is held")
	m.awaitStatus(m.held, "collected", time.Second)
}

// moveTo stops the service, copies its database and starts the service on the copy. All leads are there, in their order.
func (m *mover) moveTo(t *testing.T, to string) {
	t.Helper()
	from, before := m.database, m.leadIDs()
	if _, stderr, code := run(t, "db", "copy", "--from", from, "--to", to); code != 1 || !strings.Contains(stderr, "a service is on "+from) {
		t.Errorf("beside a service: %d %s", code, stderr)
	}
	m.Stop()
	said := runCopy(t, from, to)
	if !strings.Contains(said, "The key file is not copied, and the service needs the same one: ") {
		t.Errorf("the key file is not mentioned:\n%s", said)
	}
	if line := (cli{t, to}).runFailing(1, "serve", "--addr", "127.0.0.1:0"); !strings.Contains(line, "copy it there from") {
		t.Errorf("without the key file: %q", line)
	}
	moveKeys(t, from, to)
	m.serveOn(t, to)
	m.awaitStatus(m.held, "collected", time.Second)
	for _, id := range m.sold {
		m.awaitStatus(id, "forwarded", time.Second)
	}
	if after := m.leadIDs(); !slices.Equal(before, after) {
		t.Errorf("before the move %v, after it %v", before, after)
	}
}

// moveKeys copies the key file to where the program looks for the keys of the other database.
func moveKeys(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(binary.KeyFile(binary.Program, from))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(binary.KeyFile(binary.Program, to), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// wantContinues wants the held lead to go to a buyer added after the move, a used key to be recognized, and new leads to be
// accepted, sold and held after the old ones.
func (m *mover) wantContinues(uncovered, sold, held string) {
	m.t.Helper()
	before, first := m.leadIDs(), m.held
	m.awaitStatus(first, "forwarded", 10*time.Second)
	m.sold = append(m.sold, first)
	m.sell("handyman", sold)
	if again := m.submitWithKey("handyman", sold, sold); again != m.sold[len(m.sold)-1] {
		m.t.Errorf("the key of %s was used again for %s", m.sold[len(m.sold)-1], again)
	}
	if again := m.submitWithKey("handyman", "305-555-0101", "305-555-0101"); again != m.sold[0] {
		m.t.Errorf("a key from before the move was used again: %s, and then %s", m.sold[0], again)
	}
	m.held = m.submitWithKey(uncovered, held, held)
	if after := m.leadIDs(); len(after) != len(before)+2 || !slices.Equal(after[:len(before)], before) {
		m.t.Errorf("before %v, now %v", before, after)
	}
	if sound := m.run("db", "check"); !strings.Contains(sound, "is sound") {
		m.t.Error(sound)
	}
}
