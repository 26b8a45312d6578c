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

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// trade is a forwarder on a real store, step by step and by a clock of its own.
type trade struct {
	t        *testing.T
	st       *store.Store
	f        *forward.Forwarder
	database string
	now      time.Time
	ids      int
	log      bytes.Buffer
	sent     []forward.Message
	answer   func(forward.Message) forward.Reply
}

func newTrade(t *testing.T) *trade {
	x := &trade{t: t, database: storetest.Database(t), now: storetest.Noon, answer: accepting}
	x.st = storetest.Open(t, x.database)
	x.f = x.process("proc_1")
	return x
}

// process is another process on the same store.
func (x *trade) process(owner string) *forward.Forwarder {
	f := alone(x.st)
	f.Owner, f.Now, f.Log = owner, func() time.Time { return x.now }, slog.New(slog.NewTextHandler(&x.log, nil))
	f.NewID = func(prefix string, _ time.Time) string { x.ids++; return fmt.Sprint(prefix, x.ids) }
	f.Consent = func(context.Context, string) (string, error) { return "agreed", nil }
	f.Persons.Rules = lead.RepeatRules{Window: 24 * time.Hour, MaxPerPeriod: 3, Period: 24 * time.Hour}
	if err := f.Start(x.t.Context()); err != nil {
		x.t.Fatal(err)
	}
	return f
}

func answered(status int, body string) forward.Reply {
	return forward.Reply{Answer: buyer.Answer{Sent: true, Status: status, Body: []byte(body)}}
}

func accepting(forward.Message) forward.Reply { return answered(200, `{"decision":"accept"}`) }

func declining(code string) func(forward.Message) forward.Reply {
	return func(forward.Message) forward.Reply { return answered(200, `{"decision":"reject","code":"`+code+`"}`) }
}

// add adds buyers of everything, each to be asked after the one before.
func (x *trade) add(ids ...string) {
	x.t.Helper()
	for i, id := range ids {
		b := covering(id, storetest.Lead("lead_1"))
		b.Terms.Name, b.Terms.Services, b.Terms.Priority, b.Terms.URL = "Buyer "+id, lead.Services, i, "https://"+id+".example.com/leads"
		b.CreatedAt, b.UpdatedAt = x.now, x.now
		x.turn(func(p *store.Tx) error { return p.PutBuyer(b) })
	}
}

func (x *trade) turn(do func(*store.Tx) error) {
	x.t.Helper()
	if err := x.st.Update(x.t.Context(), do); err != nil {
		x.t.Fatal(err)
	}
}

// submit takes a lead in: the same phone, service and ZIP, unless somebody changes it.
func (x *trade) submit(id string, change ...func(*lead.Lead)) {
	x.t.Helper()
	l := storetest.Lead(id)
	l.Status, l.CreatedAt, l.UpdatedAt = lead.Received, x.now, x.now
	for _, do := range change {
		do(&l)
	}
	storetest.Save(x.t, x.st, l)
	x.pass(time.Second)
}

func zip(code string) func(*lead.Lead) { return func(l *lead.Lead) { l.Request.ZIP = code } }

func (x *trade) pass(d time.Duration) { x.now = x.now.Add(d) }

// take claims what is due.
func (x *trade) take() []forward.Task {
	x.t.Helper()
	var all []forward.Task
	lanes, err := x.st.BuyerQueues(x.t.Context(), x.now)
	for _, lane := range append(lanes, "") {
		tasks, takeErr := x.f.Take(x.t.Context(), lane, 64)
		if err != nil || takeErr != nil {
			x.t.Fatal(err, takeErr)
		}
		all = append(all, tasks...)
	}
	return all
}

// send sends one message, and says what follows from the answer.
func (x *trade) send(task forward.Task) *forward.Task {
	x.t.Helper()
	letter, err := x.f.Letter(x.t.Context(), task)
	if err != nil {
		x.t.Fatal(err)
	}
	x.sent = append(x.sent, letter)
	next, err := x.f.Settle(x.t.Context(), task, x.answer(letter))
	if err != nil {
		x.t.Fatal(err)
	}
	return next
}

// work does everything that can be done now.
func (x *trade) work() {
	x.t.Helper()
	for idle := 0; idle < 3; idle++ { // what ended may have somebody follow
		if len(x.sent) > 1000 {
			x.t.Fatal("there is no end of work")
		}
		if err := x.f.Wake(hurry{x.t.Context()}); err != nil {
			x.t.Fatal(err)
		}
		if err := x.f.Follow(x.t.Context()); err != nil {
			x.t.Fatal(err)
		}
		tasks := x.take()
		for _, task := range tasks {
			for next := &task; next != nil; {
				next = x.send(*next)
			}
			x.f.GiveBack(task.Offer().Buyer)
		}
		x.pass(time.Millisecond)
		if len(tasks) > 0 {
			idle = 0
		}
	}
}

// is wants a lead to stand so, with these marks.
func (x *trade) is(id string, status lead.Status, marks ...lead.Mark) {
	x.t.Helper()
	l, err := storetest.Find(x.t, x.st, id)
	if err != nil || l.Status != status || !slices.Equal(l.Marks, marks) {
		x.t.Errorf("%s is %s with marks %v (%v), want %s and %v", id, l.Status, l.Marks, err, status, marks)
	}
}

// told is which buyers were told about which leads, and how: by the public id of the lead, in order.
func (x *trade) told(kind string) (told []string) {
	x.t.Helper()
	for _, letter := range x.sent {
		var body struct {
			Type string
			Data struct {
				OfferID string `json:"offer_id"`
			}
		}
		if err := json.Unmarshal(letter.Body, &body); err != nil {
			x.t.Fatal(err)
		}
		if body.Type == kind {
			told = append(told, letter.URL[len("https://"):len(letter.URL)-len(".example.com/leads")])
		}
	}
	return told
}

// wantTold wants these buyers to have got messages of a kind, in this order.
func (x *trade) wantTold(kind string, want ...string) {
	x.t.Helper()
	if got := x.told(kind); !slices.Equal(got, want) {
		x.t.Errorf("%s went to %v, want %v", kind, got, want)
	}
}
