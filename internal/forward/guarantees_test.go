package forward_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
)

// A wake-up that is scheduled during a scan takes effect after the scan.
func TestWakeDuringScanIsKept(t *testing.T) {
	fx := newFixture(t)
	fx.add("a")
	midnight := fx.now.Add(12 * time.Hour)
	fx.update(func(tx *store.Tx) error { return tx.PutHealth("a", buyer.Health{WakeAt: fx.now}) })
	end, err := fx.f.BeginScan(t.Context(), "a")
	if end == nil || err != nil {
		t.Fatal(err)
	}
	fx.update(func(tx *store.Tx) error { // a lead is held until midnight
		s, err := tx.Health("a")
		if err != nil {
			return err
		}
		return tx.PutHealth("a", s.Wake(midnight))
	})
	if err := end(); err != nil {
		t.Fatal(err)
	}
	fx.update(func(tx *store.Tx) error {
		s, err := tx.Health("a")
		if !s.WakeAt.Equal(midnight) {
			t.Errorf("the next scan is at %v, want %v", s.WakeAt, midnight)
		}
		return err
	})
}

// A scan whose process died is taken over within seconds, by one process.
func TestScanIsTakenOver(t *testing.T) {
	fx := newFixture(t)
	fx.add("a")
	fx.update(func(tx *store.Tx) error { return tx.PutHealth("a", buyer.Health{WakeAt: fx.now}) })
	other := fx.process("proc_2")
	end, err := fx.f.BeginScan(t.Context(), "a")
	if end == nil || err != nil {
		t.Fatal(err)
	}
	if end, err := other.BeginScan(t.Context(), "a"); end != nil || err != nil {
		t.Fatal("two scans at a time", err)
	}
	woken := func() int {
		ids, err := fx.st.BuyersToWake(t.Context(), fx.now)
		if err != nil {
			t.Fatal(err)
		}
		return len(ids)
	}
	if woken() != 0 {
		t.Error("another scan is due while one is running")
	}
	fx.advance(20 * time.Second)
	if woken() != 1 {
		t.Error("twenty seconds after a process died, no process may take over its scan")
	}
	if end, err := other.BeginScan(t.Context(), "a"); end == nil || err != nil {
		t.Error(err)
	}
}

// A buyer that is removed or switched off during an offer does not get the contact, whatever it answers.
func TestNoContactForRemovedBuyer(t *testing.T) {
	for what, remove := range map[string]func(*store.Tx) error{
		"removed": func(tx *store.Tx) error { return tx.RemoveBuyer("a", storetest.Noon) },
		"off": func(tx *store.Tx) error {
			b, err := tx.Buyer("a")
			if err != nil {
				return err
			}
			b.State = buyer.Off
			return tx.PutBuyer(b)
		},
	} {
		t.Run(what, func(t *testing.T) {
			fx := newFixture(t)
			fx.add("a", "b")
			fx.submit("lead_1")
			tasks := fx.claim()
			fx.update(remove)
			if next := fx.send(tasks[0]); next != nil {
				t.Fatal("the contact is to be sent")
			}
			fx.f.ReleaseSlot("a")
			fx.work()
			fx.wantLead("lead_1", lead.Forwarded)
			fx.wantRecipients(forward.LeadDelivered, "b")
		})
	}
}

// A contact that may have reached a buyer before its removal goes to no other buyer; one that certainly did not goes to the next.
func TestRemovedBuyerMayHaveContact(t *testing.T) {
	for what, c := range map[string]struct {
		sent bool
		want lead.Status
	}{"sent": {true, lead.Errored}, "not sent": {false, lead.Forwarded}} {
		t.Run(what, func(t *testing.T) {
			fx := newFixture(t)
			fx.add("a", "b")
			fx.submit("lead_1")
			fx.answer = func(msg webhook.Message) webhook.Outcome {
				if strings.Contains(string(msg.Body), forward.LeadDelivered) && strings.Contains(msg.URL, "//a.") {
					return webhook.Outcome{Failure: "timeout", Sent: c.sent}
				}
				return accepting(msg)
			}
			fx.work()
			fx.wantLead("lead_1", lead.Received)
			fx.update(func(tx *store.Tx) error { return tx.RemoveBuyer("a", fx.now) })
			fx.advance(time.Minute)
			fx.work()
			fx.wantLead("lead_1", c.want)
		})
	}
}

// A lead that cannot be read does not block the others, and the log names it.
func TestUnreadableLeadIsSetAside(t *testing.T) {
	fx := newFixture(t)
	fx.add("a")
	fx.submit("lead_bad", zip("33101"))
	fx.submit("lead_good", zip("33102"))
	raw := fx.raw()
	if _, err := raw.Exec(`UPDATE leads SET job = '{' WHERE id = 'lead_bad'`); err != nil {
		t.Fatal(err)
	}
	fx.work()
	fx.wantLead("lead_good", lead.Forwarded)
	if log := fx.log.String(); strings.Count(log, "level=ERROR") != 1 || !strings.Contains(log, "lead=lead_bad") {
		t.Errorf("the log says %s", log)
	}
	if _, err := raw.Exec(`UPDATE leads SET job = (SELECT job FROM leads WHERE id = 'lead_good') WHERE id = 'lead_bad'`); err != nil {
		t.Fatal(err)
	}
	fx.advance(time.Hour)
	fx.work()
	fx.wantLead("lead_bad", lead.Collected, lead.Duplicate) // it has the job of the other lead now, so it is a repeat
}

// A lead that was claimed before another one failed is sent, also if the other cannot be set aside.
func TestClaimedLeadIsSentAfterAnError(t *testing.T) {
	fx := newFixture(t)
	fx.add("a")
	fx.submit("lead_good", zip("33102"))
	fx.submit("lead_bad", zip("33101"))
	if _, err := fx.raw().Exec(`UPDATE leads SET job = '{' WHERE id = 'lead_bad'`); err != nil {
		t.Fatal(err)
	}
	commits := 0
	fx.f.Store = testStore{fx.st, func() error {
		if commits++; commits == 2 { // the first claims lead_good, the second sets lead_bad aside
			return &lead.Error{Kind: lead.Unavailable}
		}
		return nil
	}}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
	defer stop()
	sent := 0
	fx.f.Send = func(context.Context, webhook.Message) webhook.Outcome {
		sent++
		stop()
		return webhook.Outcome{}
	}
	fx.f.Assign(ctx, 64)
	if sent != 1 {
		t.Errorf("%d messages were sent", sent)
	}
}

// raw opens the database directly.
func (fx *fixture) raw() *sql.DB {
	fx.t.Helper()
	db, err := sql.Open("sqlite", strings.TrimPrefix(fx.database, "sqlite:"))
	if err != nil {
		fx.t.Fatal(err)
	}
	fx.t.Cleanup(func() { db.Close() })
	return db
}

// A held lead that cannot be read does not stop the scan, and an unreadable buyer does not block the others.
func TestUnreadableRowsDoNotBlockOthers(t *testing.T) {
	fx := newFixture(t)
	fx.submit("lead_bad", zip("33101"))
	fx.submit("lead_good", zip("33102"))
	fx.work()
	fx.wantLead("lead_good", lead.Collected)
	fx.add("a", "b")
	raw := fx.raw()
	for _, damage := range []string{`UPDATE leads SET evidence = '[' WHERE id = 'lead_bad'`, `UPDATE buyers SET terms = '{' WHERE id = 'a'`, `UPDATE changes SET version = version + 1 WHERE topic = 'buyers'`} {
		if _, err := raw.Exec(damage); err != nil {
			t.Fatal(err)
		}
	}
	fx.update(func(tx *store.Tx) error { return tx.PutHealth("b", buyer.Health{WakeAt: fx.now}) })
	fx.work()
	fx.wantLead("lead_good", lead.Forwarded)
	fx.wantRecipients(forward.LeadDelivered, "b")
}

// A buyer that is full is asked again after longer waits, and not forever.
func TestReoffersEnd(t *testing.T) {
	storetest.Long(t)
	fx := newFixture(t)
	fx.add("a")
	fx.answer = declining("cap")
	fx.submit("lead_1")
	var asked []time.Duration
	for began, n := fx.now, 0; fx.now.Sub(began) < 30*24*time.Hour; fx.advance(10 * time.Minute) {
		fx.work()
		if len(fx.sent) > n {
			asked, n = append(asked, fx.now.Sub(began).Truncate(10*time.Minute)), len(fx.sent)
		}
	}
	if len(asked) != buyer.MaxOffers {
		t.Errorf("offered %d times: %v", len(asked), asked)
	}
	if asked[1] < time.Hour || asked[2]-asked[1] < 4*time.Hour || asked[11]-asked[10] < 24*time.Hour {
		t.Errorf("offered after %v", asked)
	}
}

// A buyer that answers 429 with Retry-After gets no new offers until then.
func TestRetryAfterStopsNewOffers(t *testing.T) {
	fx := newFixture(t)
	fx.add("a")
	fx.answer = func(webhook.Message) webhook.Outcome {
		r := answered(429, "")
		r.RetryAfter = time.Hour
		return r
	}
	fx.submit("lead_1", zip("33101"))
	fx.work()
	offered := len(fx.sent)
	fx.answer = accepting
	fx.submit("lead_2", zip("33102"))
	fx.advance(30 * time.Minute)
	fx.work()
	if len(fx.sent) != offered {
		t.Fatalf("it was sent %d messages more", len(fx.sent)-offered)
	}
	fx.advance(31 * time.Minute)
	fx.work()
	fx.wantLead("lead_1", lead.Forwarded)
	fx.wantLead("lead_2", lead.Forwarded)
}

// A message that was in flight when its process was killed is in the history: when, where to, and with an unknown outcome.
func TestMessageInterruptedByKill(t *testing.T) {
	fx := newFixture(t)
	fx.add("a")
	fx.submit("lead_1")
	at := fx.now
	next := fx.send(fx.claim()[0]) // the buyer accepted, and the process dies while it sends the contact
	if next == nil || next.Kind() != forward.LeadDelivered {
		t.Fatal("no contact is to be sent")
	}
	fx.advance(time.Minute)
	fx.f = fx.process("proc_2")
	fx.work()
	attempts, err := storetest.OpenReader(t, fx.database).Attempts(t.Context(), "lead_1")
	if err != nil {
		t.Fatal(err)
	}
	cut := slices.IndexFunc(attempts, func(a buyer.Attempt) bool { return a.Decision == buyer.Unknown })
	if len(attempts) != 3 || cut < 0 {
		t.Fatalf("the attempts are %+v", attempts)
	}
	if a := attempts[cut]; a.Kind != forward.LeadDelivered || a.At.Sub(at) > time.Second || a.URL != "https://a.example.com/leads" {
		t.Errorf("%+v", a)
	}
	fx.wantLead("lead_1", lead.Forwarded)
}

// Each buyer sees its own id for a lead, always the same; only the person sees the id of the lead.
func TestEachBuyerSeesItsOwnLeadID(t *testing.T) {
	fx := newFixture(t)
	fx.f.LeadIDKey = []byte("key")
	fx.add("a", "b")
	id := "lead_1jpqr3456" + "abcdefghijklmnopqrstuvwxyz"
	fx.submit(id)
	fx.answer = func(msg webhook.Message) webhook.Outcome {
		if strings.Contains(msg.URL, "//a.") {
			return declining("other")(msg)
		}
		return accepting(msg)
	}
	fx.work()
	var ids []string
	for _, msg := range fx.sent {
		if strings.Contains(string(msg.Body), id) {
			t.Errorf("a message has the lead's own id: %s", msg.Body)
		}
		var body struct {
			Data struct {
				LeadID string `json:"lead_id"`
			}
		}
		if err := json.Unmarshal(msg.Body, &body); err != nil || !strings.HasPrefix(body.Data.LeadID, "lead_1jpqr3456") || len(body.Data.LeadID) != len(id) {
			t.Errorf("the id is %q, %v", body.Data.LeadID, err)
		}
		ids = append(ids, body.Data.LeadID)
	}
	if len(ids) != 3 || ids[0] == ids[1] || ids[1] != ids[2] {
		t.Errorf("offer to a, offer to b, delivery to b: %v", ids)
	}
}
