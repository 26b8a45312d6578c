package forward_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
)

// fixture is a forwarder on a real store, run step by step with a manual clock.
type fixture struct {
	t        *testing.T
	st       *store.Store
	f        *forward.Forwarder
	database string
	now      time.Time
	ids      int
	log      bytes.Buffer
	sent     []webhook.Message
	answer   func(webhook.Message) webhook.Outcome
}

func newFixture(t *testing.T) *fixture {
	fx := &fixture{t: t, database: storetest.Database(t), now: storetest.Noon, answer: accepting}
	fx.st = storetest.Open(t, fx.database)
	fx.f = fx.process("proc_1")
	return fx
}

// process starts another process on the same store.
func (fx *fixture) process(owner string) *forward.Forwarder {
	f := newForwarder(fx.st)
	f.Owner, f.Now, f.Log = owner, func() time.Time { return fx.now }, slog.New(slog.NewTextHandler(&fx.log, nil))
	f.NewID = func(prefix string, _ time.Time) string { fx.ids++; return fmt.Sprint(prefix, fx.ids) }
	f.Consent = func(context.Context, string) (string, error) { return "agreed", nil }
	f.Persons.Rules = lead.RepeatRules{Window: 24 * time.Hour, MaxPerPeriod: 3, Period: 24 * time.Hour}
	if err := f.Start(fx.t.Context()); err != nil {
		fx.t.Fatal(err)
	}
	return f
}

func answered(status int, body string) webhook.Outcome {
	return webhook.Outcome{Sent: true, Status: status, Answer: []byte(body)}
}

func accepting(webhook.Message) webhook.Outcome { return answered(200, `{"decision":"accept"}`) }

func declining(code string) func(webhook.Message) webhook.Outcome {
	return func(webhook.Message) webhook.Outcome { return answered(200, `{"decision":"reject","code":"`+code+`"}`) }
}

// add adds buyers that cover everything, with descending priority.
func (fx *fixture) add(ids ...string) {
	fx.t.Helper()
	for i, id := range ids {
		b := newBuyer(id, storetest.Lead("lead_1"))
		b.Terms.Name, b.Terms.Services, b.Terms.Priority, b.Terms.URL = "Buyer "+id, lead.Services, i, "https://"+id+".example.com/leads"
		b.CreatedAt, b.UpdatedAt = fx.now, fx.now
		fx.update(func(tx *store.Tx) error { return tx.PutBuyer(b) })
	}
}

func (fx *fixture) update(do func(*store.Tx) error) {
	fx.t.Helper()
	if err := fx.st.Update(fx.t.Context(), do); err != nil {
		fx.t.Fatal(err)
	}
}

// submit saves a lead: always the same phone, service and ZIP code, unless change says otherwise.
func (fx *fixture) submit(id string, change ...func(*lead.Lead)) {
	fx.t.Helper()
	l := storetest.Lead(id)
	l.Status, l.CreatedAt, l.UpdatedAt = lead.Received, fx.now, fx.now
	for _, do := range change {
		do(&l)
	}
	storetest.Save(fx.t, fx.st, l)
	fx.advance(time.Second)
}

func zip(code string) func(*lead.Lead) { return func(l *lead.Lead) { l.Request.ZIP = code } }

func (fx *fixture) advance(d time.Duration) { fx.now = fx.now.Add(d) }

// claim claims the due deliveries of all queues.
func (fx *fixture) claim() []forward.Task {
	fx.t.Helper()
	var all []forward.Task
	pending, err := fx.st.Pending(fx.t.Context(), fx.now)
	for _, queue := range append(pending.Queues, "") {
		tasks, claimErr := fx.f.ClaimDue(fx.t.Context(), queue, 64)
		if err != nil || claimErr != nil {
			fx.t.Fatal(err, claimErr)
		}
		all = append(all, tasks...)
	}
	return all
}

// send sends one message, and returns the task that follows from the answer.
func (fx *fixture) send(task forward.Task) *forward.Task {
	fx.t.Helper()
	msg, err := fx.f.BuildMessage(fx.t.Context(), task)
	if err != nil {
		fx.t.Fatal(err)
	}
	fx.sent = append(fx.sent, msg)
	next, err := fx.f.Settle(fx.t.Context(), task, fx.answer(msg))
	if err != nil {
		fx.t.Fatal(err)
	}
	return next
}

// work does everything that is due now.
func (fx *fixture) work() {
	fx.t.Helper()
	for idle := 0; idle < 3; idle++ { // a lead that ended may have a repeat that goes on the market
		if len(fx.sent) > 1000 {
			fx.t.Fatal("there is no end of work")
		}
		if err := fx.f.Wake(noPause{fx.t.Context()}); err != nil {
			fx.t.Fatal(err)
		}
		if err := fx.f.CheckRepeats(fx.t.Context()); err != nil {
			fx.t.Fatal(err)
		}
		tasks := fx.claim()
		for _, task := range tasks {
			for next := &task; next != nil; {
				next = fx.send(*next)
			}
			fx.f.ReleaseSlot(task.Offer().Buyer)
		}
		fx.advance(time.Millisecond)
		if len(tasks) > 0 {
			idle = 0
		}
	}
}

// wantLead checks the status and the marks of a lead.
func (fx *fixture) wantLead(id string, status lead.Status, marks ...lead.Mark) {
	fx.t.Helper()
	l, err := storetest.Find(fx.t, fx.st, id)
	if err != nil || l.Status != status || !slices.Equal(l.Marks, marks) {
		fx.t.Errorf("%s is %s with marks %v (%v), want %s and %v", id, l.Status, l.Marks, err, status, marks)
	}
}

// recipients lists the buyers that got messages of a kind, in order.
func (fx *fixture) recipients(kind string) (buyers []string) {
	fx.t.Helper()
	for _, msg := range fx.sent {
		var body struct {
			Type string
			Data struct {
				OfferID string `json:"offer_id"`
			}
		}
		if err := json.Unmarshal(msg.Body, &body); err != nil {
			fx.t.Fatal(err)
		}
		if body.Type == kind {
			buyers = append(buyers, msg.URL[len("https://"):len(msg.URL)-len(".example.com/leads")])
		}
	}
	return buyers
}

// wantRecipients checks which buyers got messages of a kind, in order.
func (fx *fixture) wantRecipients(kind string, want ...string) {
	fx.t.Helper()
	if got := fx.recipients(kind); !slices.Equal(got, want) {
		fx.t.Errorf("%s went to %v, want %v", kind, got, want)
	}
}
