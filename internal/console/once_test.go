package console_test

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"foyer/internal/app/apptest"
	"foyer/internal/catalog"
	"foyer/internal/store/storetest"
)

// TestSentTwiceDoneOnce repeats changes with an idempotency key, one after the other and all at once: each happens once, and each is
// answered with the first answer.
func TestSentTwiceDoneOnce(t *testing.T) {
	for name, database := range storetest.Engines {
		t.Run(name, func(t *testing.T) {
			s := apptest.StartOn(t, database(t))
			c := newClient(t, s, true, true)
			const body = `{"name":"Cool Air","url":"https://buyer.example.com/","services":"hvac","price_cents":{"hvac":4500}}`
			first := c.send("POST", "/buyers", body, "Idempotency-Key", "add-1")
			again := c.send("POST", "/buyers", body, "Idempotency-Key", "add-1")
			if first.Status != 201 || again.Status != 201 || string(first.Body) != string(again.Body) || again.Header.Get("Idempotent-Replayed") != "true" || first.Header.Get("Idempotent-Replayed") != "" {
				t.Errorf("first %d %s\nagain %d %s %v", first.Status, first.Body, again.Status, again.Body, again.Header)
			}
			if e := c.want(422, "POST", "/buyers", strings.Replace(body, "Cool", "Hot", 1), "Idempotency-Key", "add-1"); e.text("error") != "idempotency_key_reused" {
				t.Errorf("another request with the key: %v", e)
			}
			var all sync.WaitGroup
			for range 20 {
				all.Go(func() {
					r := c.send("POST", "/buyers/Cool%20Air/top-up", `{"amount_cents":100}`, "Idempotency-Key", "pay-1")
					if r.Status != 200 { // the others wait for the answer of the first
						t.Errorf("%d %s", r.Status, r.Body)
					}
				})
			}
			all.Wait()
			if r := c.send("POST", "/buyers/Cool%20Air/top-up", `{"amount_cents":100}`, "Idempotency-Key", "pay-1"); r.Status != 200 {
				t.Errorf("in the end: %d %s", r.Status, r.Body)
			}
			if owed := c.get("/accounts").list("data")[0]["owed_cents"]; owed != -100.0 {
				t.Errorf("20 payments with one key: it owes %v", owed)
			}
			other := newClient(t, s, true, false)
			if r := other.send("POST", "/buyers/Cool%20Air/top-up", `{"amount_cents":100}`, "Idempotency-Key", "pay-1"); r.Status != 200 || r.Header.Get("Idempotent-Replayed") != "" {
				t.Errorf("the same key of another token: %d %s", r.Status, r.Body)
			}
			if e := c.want(http.StatusConflict, "POST", "/buyers/Cool%20Air/resume", "", "Idempotency-Key", "resume-1"); !strings.Contains(e.text("message"), "in test") {
				t.Errorf("refused: %v", e)
			}
			c.want(200, "POST", "/buyers/Cool%20Air/start", `{"held":"none"}`)
			c.want(200, "POST", "/buyers/Cool%20Air/resume", "", "Idempotency-Key", "resume-1") // what was refused is tried again
			if e := c.want(422, "POST", "/buyers/Cool%20Air/pause", "", "Idempotency-Key", strings.Repeat("x", 300)); e.text("error") != "invalid_request" {
				t.Errorf("a long key: %v", e)
			}
		})
	}
}

// TestNamesStayUnique adds buyers of one name all at once: one is added.
func TestNamesStayUnique(t *testing.T) {
	for name, database := range storetest.Engines {
		t.Run(name, func(t *testing.T) {
			s := apptest.StartOn(t, database(t))
			c := newClient(t, s, true, true)
			var all sync.WaitGroup
			var added atomic.Int32
			for range 8 {
				all.Go(func() {
					r := c.send("POST", "/buyers", `{"name":"Cool Air","url":"https://buyer.example.com/","services":"hvac"}`)
					if r.Status == 201 {
						added.Add(1)
					} else if r.Status != 422 {
						t.Errorf("%d %s", r.Status, r.Body)
					}
				})
			}
			all.Wait()
			if list := c.get("/buyers").list("data"); added.Load() != 1 || len(list) != 1 {
				t.Errorf("%d were added, and %d are there", added.Load(), len(list))
			}
		})
	}
}

// TestAnswerLost says that a change was made if the process died before its answer was stored, and does not make it again.
func TestAnswerLost(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t)
	c := newClient(t, s, true, true)
	c.want(201, "POST", "/sources", `{"name":"Letter"}`, "Idempotency-Key", "k")
	exec(t, s, `UPDATE idempotency_keys SET answer = ''`)
	if e := c.want(http.StatusConflict, "POST", "/sources", `{"name":"Letter"}`, "Idempotency-Key", "k"); e.text("message") != catalog.StillChanging.Message {
		t.Errorf("%v", e)
	}
}

// TestRepeatedAnswerNamesNobody denies returns with notes that name the person: no repeat has the note, and it is kept nowhere once the
// person is erased.
func TestRepeatedAnswerNamesNobody(t *testing.T) {
	for name, database := range storetest.Engines {
		t.Run(name, func(t *testing.T) {
			s := apptest.StartOn(t, database(t))
			c := newClient(t, s, true, true)
			id := s.ViaJSON(t, apptest.Request{}).LeadID
			exec(t, s, giveBack)
			const path, body = "/returns/offer_1/deny", `{"note":"Quillfeather answered us"}`
			first := c.send("POST", path, body, "Idempotency-Key", "deny-1")
			if first.Status != 200 || !strings.Contains(string(first.Body), `"note":"Quillfeather answered us"`) {
				t.Fatalf("first: %d %s", first.Status, first.Body)
			}
			again := c.send("POST", path, body, "Idempotency-Key", "deny-1")
			if want := strings.Replace(string(first.Body), `"Quillfeather answered us"`, "null", 1); again.Status != 200 || string(again.Body) != want || again.Header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("again: %d %s, want %s", again.Status, again.Body, want)
			}
			c.want(200, "POST", "/leads/"+id+"/erase", "")
			for _, column := range []string{"note FROM returns", "answer FROM idempotency_keys"} {
				if text := queryText(t, s, "SELECT "+column); strings.Contains(text, "Quillfeather") {
					t.Errorf("after the erasure, %s is %s", column, text)
				}
			}
		})
	}
}

// queryText is the first column of the first row.
func queryText(t *testing.T, s *apptest.Service, query string) string {
	t.Helper()
	var text []byte
	if err := storetest.Raw(t, s.Database).QueryRow(query).Scan(&text); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// giveBack has a buyer give every lead back.
const giveBack = `INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, returned_at) SELECT 'offer_' || seq, seq, 'buyer_1', 1, 0, 'delivered', 5 FROM leads;
	INSERT INTO returns (offer_id, buyer_id, at, code, state) SELECT 'offer_' || seq, 'buyer_1', CASE WHEN seq = 1 THEN 4 ELSE 5 END, 'other', 'waiting' FROM leads`

// TestPages follows cursors to the end: every item once.
func TestPages(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t)
	c := newClient(t, s, true, true)
	for _, name := range []string{"One", "Two", "Three", "Four", "Five"} {
		c.want(201, "POST", "/sources", `{"name":"`+name+`"}`)
	}
	for i := range 5 {
		s.ViaJSON(t, apptest.Request{With: map[string]any{"customer_phone": "305-555-010" + string(rune('0'+i))}})
	}
	exec(t, s, giveBack) // four of them at the same time
	for path, key := range map[string]string{"/sources?": "source", "/leads?": "lead_id", "/returns?": "offer_id", "/returns?state=all&": "offer_id"} {
		seen, pages, cursor := map[string]bool{}, 0, ""
		for {
			a := c.get(path + "limit=2" + cursor)
			for _, x := range a.list("data") {
				seen[x.text(key)] = true
			}
			pages++
			if a["next_cursor"] == nil {
				break
			}
			cursor = "&cursor=" + a.text("next_cursor")
		}
		if len(seen) != 5 || pages != 3 {
			t.Errorf("%s: %d items on %d pages", path, len(seen), pages)
		}
		if e := c.want(422, "GET", path+"cursor=nonsense", ""); e["fields"].(map[string]any)["cursor"] == nil {
			t.Errorf("%s: %v", path, e)
		}
	}
}
