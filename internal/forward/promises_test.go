package forward_test

import (
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
)

// An alarm that is asked for while somebody walks through what is held rings after the walk.
func TestAnAlarmDuringAWalkIsKept(t *testing.T) {
	x := newTrade(t)
	x.add("a")
	midnight := x.now.Add(12 * time.Hour)
	x.turn(func(p *store.Tx) error { return p.PutHealth("a", buyer.Health{WakeAt: x.now}) })
	if walking, err := x.f.Begin(t.Context(), "a"); !walking || err != nil {
		t.Fatal(walking, err)
	}
	x.turn(func(p *store.Tx) error { // a lead is held until midnight
		s, err := p.Health("a")
		if err != nil {
			return err
		}
		return p.PutHealth("a", s.Wake(midnight))
	})
	if err := x.f.Done(t.Context(), "a", time.Time{}); err != nil {
		t.Fatal(err)
	}
	x.turn(func(p *store.Tx) error {
		s, err := p.Health("a")
		if !s.WakeAt.Equal(midnight) {
			t.Errorf("the alarm rings at %v, want %v", s.WakeAt, midnight)
		}
		return err
	})
}

// A walk whose process died is taken over within seconds, and by one process.
func TestAWalkIsTakenOver(t *testing.T) {
	x := newTrade(t)
	x.add("a")
	x.turn(func(p *store.Tx) error { return p.PutHealth("a", buyer.Health{WakeAt: x.now}) })
	other := x.process("proc_2")
	if walking, err := x.f.Begin(t.Context(), "a"); !walking || err != nil {
		t.Fatal(walking, err)
	}
	if walking, err := other.Begin(t.Context(), "a"); walking || err != nil {
		t.Fatal("two walk at a time", err)
	}
	woken := func() int {
		ids, err := x.st.BuyersToWake(t.Context(), x.now)
		if err != nil {
			t.Fatal(err)
		}
		return len(ids)
	}
	if woken() != 0 {
		t.Error("somebody else is to walk while a walk is under way")
	}
	x.pass(20 * time.Second)
	if woken() != 1 {
		t.Error("twenty seconds after a process died, nobody is to take its walk over")
	}
	if walking, err := other.Begin(t.Context(), "a"); !walking || err != nil {
		t.Error(walking, err)
	}
}

// A buyer that is removed or switched off while it is asked does not get the contact, whatever it answers.
func TestNoContactForARemovedBuyer(t *testing.T) {
	for what, remove := range map[string]func(*store.Tx) error{
		"removed": func(p *store.Tx) error { return p.RemoveBuyer("a", storetest.Noon) },
		"off": func(p *store.Tx) error {
			b, err := p.Buyer("a")
			if err != nil {
				return err
			}
			b.State = buyer.Off
			return p.PutBuyer(b)
		},
	} {
		t.Run(what, func(t *testing.T) {
			x := newTrade(t)
			x.add("a", "b")
			x.submit("lead_1")
			tasks := x.take()
			x.turn(remove)
			if next := x.send(tasks[0]); next != nil {
				t.Fatal("the contact is to be sent")
			}
			x.f.GiveBack("a")
			x.work()
			x.is("lead_1", lead.Forwarded)
			x.wantTold(forward.LeadDelivered, "b")
		})
	}
}

// A contact that may have reached a buyer before it was removed goes to nobody else; one that certainly did not goes on.
func TestARemovedBuyerThatMayHaveTheContact(t *testing.T) {
	for what, c := range map[string]struct {
		sent bool
		want lead.Status
	}{"sent": {true, lead.Errored}, "not sent": {false, lead.Forwarded}} {
		t.Run(what, func(t *testing.T) {
			x := newTrade(t)
			x.add("a", "b")
			x.submit("lead_1")
			x.answer = func(l forward.Message) forward.Reply {
				if strings.Contains(string(l.Body), forward.LeadDelivered) && strings.Contains(l.URL, "//a.") {
					return forward.Reply{Answer: buyer.Answer{Failure: "timeout", Sent: c.sent}}
				}
				return accepting(l)
			}
			x.work()
			x.is("lead_1", lead.Received)
			x.turn(func(p *store.Tx) error { return p.RemoveBuyer("a", x.now) })
			x.pass(time.Minute)
			x.work()
			x.is("lead_1", c.want)
		})
	}
}

// A lead that cannot be read stops nobody else, and the log names it.
func TestABadLeadIsSetAside(t *testing.T) {
	x := newTrade(t)
	x.add("a")
	x.submit("lead_bad", zip("33101"))
	x.submit("lead_good", zip("33102"))
	raw := x.raw()
	if _, err := raw.Exec(`UPDATE leads SET job = '{' WHERE id = 'lead_bad'`); err != nil {
		t.Fatal(err)
	}
	x.work()
	x.is("lead_good", lead.Forwarded)
	if log := x.log.String(); strings.Count(log, "level=ERROR") != 1 || !strings.Contains(log, "lead=lead_bad") {
		t.Errorf("the log says %s", log)
	}
	if _, err := raw.Exec(`UPDATE leads SET job = (SELECT job FROM leads WHERE id = 'lead_good') WHERE id = 'lead_bad'`); err != nil {
		t.Fatal(err)
	}
	x.pass(time.Hour)
	x.work()
	x.is("lead_bad", lead.Collected, lead.Duplicate) // with the job of the other one it is its repeat
}

// raw is the database below.
func (x *trade) raw() *sql.DB {
	x.t.Helper()
	db, err := sql.Open("sqlite", strings.TrimPrefix(x.database, "sqlite:"))
	if err != nil {
		x.t.Fatal(err)
	}
	x.t.Cleanup(func() { db.Close() })
	return db
}

// A held lead that cannot be read does not stop the walk, nor a buyer's row the other buyers.
func TestBadRowsDoNotStopTheOthers(t *testing.T) {
	x := newTrade(t)
	x.submit("lead_bad", zip("33101"))
	x.submit("lead_good", zip("33102"))
	x.work()
	x.is("lead_good", lead.Collected)
	x.add("a", "b")
	raw := x.raw()
	for _, damage := range []string{`UPDATE leads SET evidence = '[' WHERE id = 'lead_bad'`, `UPDATE buyers SET terms = '{' WHERE id = 'a'`, `UPDATE changes SET version = version + 1 WHERE topic = 'buyers'`} {
		if _, err := raw.Exec(damage); err != nil {
			t.Fatal(err)
		}
	}
	x.turn(func(p *store.Tx) error { return p.PutHealth("b", buyer.Health{WakeAt: x.now}) })
	x.work()
	x.is("lead_good", lead.Forwarded)
	x.wantTold(forward.LeadDelivered, "b")
}

// A buyer that is full is asked again later each time, and not for ever.
func TestReoffersEnd(t *testing.T) {
	x := newTrade(t)
	x.add("a")
	x.answer = declining("cap")
	x.submit("lead_1")
	var asked []time.Duration
	for began, n := x.now, 0; x.now.Sub(began) < 30*24*time.Hour; x.pass(10 * time.Minute) {
		x.work()
		if len(x.sent) > n {
			asked, n = append(asked, x.now.Sub(began).Truncate(10*time.Minute)), len(x.sent)
		}
	}
	if len(asked) != buyer.MaxOffers {
		t.Errorf("offered %d times: %v", len(asked), asked)
	}
	if asked[1] < time.Hour || asked[2]-asked[1] < 4*time.Hour || asked[11]-asked[10] < 24*time.Hour {
		t.Errorf("offered after %v", asked)
	}
}

// A buyer that asks for time is sent no new offers until then.
func TestABuyerIsLeftAloneForAsLongAsItAsked(t *testing.T) {
	x := newTrade(t)
	x.add("a")
	x.answer = func(forward.Message) forward.Reply {
		r := answered(429, "")
		r.RetryAfter = time.Hour
		return r
	}
	x.submit("lead_1", zip("33101"))
	x.work()
	offered := len(x.sent)
	x.answer = accepting
	x.submit("lead_2", zip("33102"))
	x.pass(30 * time.Minute)
	x.work()
	if len(x.sent) != offered {
		t.Fatalf("it was sent %d messages more", len(x.sent)-offered)
	}
	x.pass(31 * time.Minute)
	x.work()
	x.is("lead_1", lead.Forwarded)
	x.is("lead_2", lead.Forwarded)
}

// What was being sent when a process was killed is in the history: when, where to, and that nobody knows what came of it.
func TestAMessageThatAKillCutOff(t *testing.T) {
	x := newTrade(t)
	x.add("a")
	x.submit("lead_1")
	at := x.now
	next := x.send(x.take()[0]) // it accepted, and the contact is being sent: here the process dies
	if next == nil || next.Kind() != forward.LeadDelivered {
		t.Fatal("no contact is to be sent")
	}
	x.pass(time.Minute)
	x.f = x.process("proc_2")
	x.work()
	attempts, err := storetest.OpenReader(t, x.database).Attempts(t.Context(), "lead_1")
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
	x.is("lead_1", lead.Forwarded)
}

// Each buyer knows a lead by an id of its own, always the same; nobody but the person knows the lead's.
func TestBuyersKnowLeadsByIDsOfTheirOwn(t *testing.T) {
	x := newTrade(t)
	x.f.LeadIDKey = []byte("key")
	x.add("a", "b")
	id := "lead_1jpqr3456" + "abcdefghijklmnopqrstuvwxyz"
	x.submit(id)
	x.answer = func(l forward.Message) forward.Reply {
		if strings.Contains(l.URL, "//a.") {
			return declining("other")(l)
		}
		return accepting(l)
	}
	x.work()
	var ids []string
	for _, letter := range x.sent {
		if strings.Contains(string(letter.Body), id) {
			t.Errorf("a buyer is told the lead's id: %s", letter.Body)
		}
		var body struct {
			Data struct {
				LeadID string `json:"lead_id"`
			}
		}
		if err := json.Unmarshal(letter.Body, &body); err != nil || !strings.HasPrefix(body.Data.LeadID, "lead_1jpqr3456") || len(body.Data.LeadID) != len(id) {
			t.Errorf("the id is %q, %v", body.Data.LeadID, err)
		}
		ids = append(ids, body.Data.LeadID)
	}
	if len(ids) != 3 || ids[0] == ids[1] || ids[1] != ids[2] {
		t.Errorf("offer to a, offer to b, delivery to b: %v", ids)
	}
}
