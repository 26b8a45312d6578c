package main_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"foyer/internal/store/storetest"
	"foyer/test/binary"
)

// TestReturnAnswers makes the binary give every answer that a buyer can get, and compares them with the table in
// docs/buyers.md and the OpenAPI document. The only documented answer not seen here is 500, a bug of ours.
func TestReturnAnswers(t *testing.T) {
	storetest.Parallel(t)
	p := serve(t, t.TempDir(), "--rate-limit", "2/day burst 2") // and ten times as many attempts
	p.sell(p.Submit())
	const good = `{"offer_id":"offer_1","reason":"The number is not in service"}`
	seen := map[string]bool{"500 internal": true}
	send := func(change func(*http.Request), id, body string) {
		t.Helper()
		status, code := p.returnAs(id, body, change)
		seen[strings.TrimSpace(fmt.Sprint(status, " ", code))] = true
	}
	same := func(*http.Request) {}
	unlock := p.lockWriter()
	send(same, "msg_0", good)
	unlock()
	p.awaitWritable()
	send(same, "msg_1", good)
	send(same, "msg_1", `{"offer_id":"offer_1","reason":"something else"}`)
	send(same, "msg_2", `{"reason":"The number is not in service"}`)
	send(func(r *http.Request) { r.Header.Set("webhook-signature", "v1,AAAA") }, "msg_3", good)
	send(func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, "msg_4", good)
	send(same, "msg_5", good+strings.Repeat(" ", 65<<10))
	p.undoDelivery()
	send(same, "msg_6", good)
	for range 20 {
		send(same, "msg_7", good)
	}
	told := slices.Sorted(maps.Keys(seen))
	if diff := cmp.Diff(answersInTheDocs(t), told); diff != "" {
		t.Errorf("docs/buyers.md and the answers (-docs +answers):\n%s", diff)
	}
	statuses := map[string]bool{}
	for _, x := range told {
		statuses[x[:3]] = true
	}
	if diff := cmp.Diff(p.documentedStatuses(), slices.Sorted(maps.Keys(statuses))); diff != "" {
		t.Errorf("the OpenAPI document and the answers (-document +answers):\n%s", diff)
	}
}

// answersInTheDocs returns the rows of the table of answers.
func answersInTheDocs(t *testing.T) (rows []string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/buyers.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| answer | `error` | when | send it again |")
	table, _, _ = strings.Cut(table, "\n\n")
	for _, row := range regexp.MustCompile("(?m)^\\| (\\d{3}) \\| (?:`(\\w+)`)? ?\\|").FindAllStringSubmatch(table, -1) {
		rows = append(rows, strings.TrimSpace(row[1]+" "+row[2]))
	}
	slices.Sort(rows)
	return rows
}

// documentedStatuses returns the statuses that the service's own OpenAPI document lists for a return.
func (p *process) documentedStatuses() []string {
	p.T.Helper()
	_, text := p.Get("/openapi.json")
	var document struct {
		Paths map[string]map[string]struct{ Responses map[string]any }
	}
	if err := json.Unmarshal(text, &document); err != nil {
		p.T.Fatal(err)
	}
	return slices.Sorted(maps.Keys(document.Paths["/v1/offers/{offer_id}/returned"]["post"].Responses))
}

// returnAs sends a signed return of offer_1, changed after signing, and returns the status and code of the answer.
func (p *process) returnAs(id, body string, change func(*http.Request)) (int, string) {
	p.T.Helper()
	req, err := http.NewRequest(http.MethodPost, p.URL+"/v1/offers/offer_1/returned", strings.NewReader(body))
	if err != nil {
		p.T.Fatal(err)
	}
	key, err := standard.NewWebhook(canarySecret)
	if err != nil {
		p.T.Fatal(err)
	}
	now := time.Now()
	signature, err := key.Sign(id, now, []byte(body))
	if err != nil {
		p.T.Fatal(err)
	}
	for name, value := range map[string]string{"Content-Type": "application/json", "webhook-id": id, "webhook-timestamp": fmt.Sprint(now.Unix()), "webhook-signature": signature} {
		req.Header.Set(name, value)
	}
	change(req)
	res, err := binary.Client.Do(req)
	if err != nil {
		p.T.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		p.T.Fatal(err)
	}
	var told struct{ Error string }
	if err := json.Unmarshal(text, &told); err != nil {
		p.T.Fatalf("%d %s", res.StatusCode, text)
	}
	return res.StatusCode, told.Error
}

// execSQL runs statements on the database of the running service, whose jobs may be writing.
func (p *process) execSQL(statements ...string) *sql.DB {
	p.T.Helper()
	db, err := sql.Open("sqlite", "file:"+strings.TrimPrefix(p.Database, "sqlite:")+"?_pragma=busy_timeout(10000)")
	if err != nil {
		p.T.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, x := range statements {
		if _, err := db.ExecContext(p.T.Context(), x); err != nil {
			p.T.Fatal(err)
		}
	}
	return db
}

// lockWriter keeps the service from writing until unlock is called.
func (p *process) lockWriter() (unlock func()) {
	db := p.execSQL("BEGIN IMMEDIATE")
	return func() { _ = db.Close() }
}

// awaitWritable waits until the service can write again.
func (p *process) awaitWritable() {
	p.T.Helper()
	for until := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		if status, _ := p.Get("/health"); status == http.StatusOK {
			return
		}
		if time.Now().After(until) {
			p.T.Fatal("the service does not recover")
		}
	}
}

// undoDelivery marks the one offer as never delivered.
func (p *process) undoDelivery() {
	_ = p.execSQL("UPDATE offers SET state = 'declined', returned_at = 0").Close()
}
