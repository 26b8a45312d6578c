package forward_test

import (
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// Of several requests of one person for the same work, one is on the market at a time.
func TestOneOfAPersonIsOnTheMarket(t *testing.T) {
	x := newTrade(t)
	x.add("a", "b")
	x.submit("lead_1")
	x.submit("lead_2")
	x.submit("lead_3")
	x.answer = declining("other")
	tasks := x.take()
	if len(tasks) != 1 {
		t.Fatalf("%d of them are on the market", len(tasks))
	}
	x.is("lead_1", lead.Received)
	x.is("lead_2", lead.Collected, lead.Duplicate)
	x.is("lead_3", lead.Collected, lead.Duplicate)
	x.send(tasks[0])
	x.f.GiveBack("a")
	x.work() // it ends unsold: the newest follows, and then the one that is left
	x.is("lead_1", lead.Collected)
	x.is("lead_2", lead.Collected, lead.Duplicate)
	x.is("lead_3", lead.Collected, lead.Duplicate)
	x.wantTold(forward.LeadOffered, "a", "b", "a", "b", "a", "b")
}

// Once a buyer has the contact, what repeats it within a day stays held; what comes later goes to others.
func TestARepeatAfterASale(t *testing.T) {
	x := newTrade(t)
	x.add("a", "b")
	x.submit("lead_1")
	x.submit("lead_2")
	x.work()
	x.is("lead_1", lead.Forwarded)
	x.is("lead_2", lead.Collected, lead.Duplicate)
	x.pass(12 * time.Hour)
	x.submit("lead_3")
	x.work()
	x.is("lead_3", lead.Collected, lead.Duplicate)
	x.add("c") // coverage changed: what is held as a duplicate stays
	x.work()
	x.is("lead_2", lead.Collected, lead.Duplicate)
	x.pass(13 * time.Hour)
	x.submit("lead_4")
	x.work()
	x.is("lead_4", lead.Forwarded, lead.Duplicate)
	x.wantTold(forward.LeadDelivered, "a", "c")
}

// The order in which twins arrive at the forwarder does not matter.
func TestAnEarlierRepeatThatComesLater(t *testing.T) {
	x := newTrade(t)
	x.add("a", "b")
	x.now = x.now.Add(time.Hour)
	x.submit("lead_late")
	x.work()
	x.submit("lead_early", func(l *lead.Lead) { l.CreatedAt = l.CreatedAt.Add(-2 * time.Hour) })
	x.work()
	x.is("lead_late", lead.Forwarded)
	x.is("lead_early", lead.Collected, lead.Duplicate)
}

// What was held for want of a buyer is offered once when there is one, whoever walks through it.
func TestHeldTwinsAreReleasedOneAtATime(t *testing.T) {
	x := newTrade(t)
	x.submit("lead_1")
	x.submit("lead_2")
	x.work()
	x.is("lead_1", lead.Collected)
	x.is("lead_2", lead.Collected, lead.Duplicate) // it had its own round when the first had left the market
	x.add("a")
	x.turn(func(p *store.Tx) error {
		s, err := p.Health("a")
		if err != nil {
			return err
		}
		return p.PutHealth("a", s.Wake(x.now))
	})
	x.work()
	x.wantTold(forward.LeadDelivered, "a")
}

// Nobody who is erased has a repeat of the request sold instead.
func TestNoRepeatFollowsWhatWasErased(t *testing.T) {
	x := newTrade(t)
	x.add("a")
	x.submit("lead_1")
	x.submit("lead_2")
	x.answer = func(forward.Message) forward.Reply { return answered(500, "") }
	x.work()
	x.is("lead_2", lead.Collected, lead.Duplicate)
	if err := x.st.Erase(t.Context(), "lead_1", erasing); err != nil {
		t.Fatal(err)
	}
	x.answer = accepting
	x.pass(time.Hour)
	x.work()
	x.is("lead_2", lead.Collected, lead.Duplicate)
}

// Nor has whoever takes consent back: what repeats the request is closed with it.
func TestAWithdrawalClosesTheRepeats(t *testing.T) {
	x := newTrade(t)
	x.add("a", "b")
	x.submit("lead_1")
	x.submit("lead_2")
	x.work()
	x.is("lead_1", lead.Forwarded)
	x.is("lead_2", lead.Collected, lead.Duplicate)
	l, err := storetest.Find(t, x.st, "lead_1")
	if err != nil {
		t.Fatal(err)
	}
	wish := lead.PrivacyRequest{ID: "wish_1", At: x.now, Kind: lead.Withdraw, Phone: l.Request.Contact.Phone, LeadID: "lead_1", State: lead.PrivacyOpen}
	if err := x.st.SavePrivacyRequest(t.Context(), wish, lead.Change{At: x.now, Status: lead.Rejected, Actor: lead.ByService, Reason: "withdrawn"}); err != nil {
		t.Fatal(err)
	}
	x.is("lead_2", lead.Rejected, lead.Duplicate)
}

// A release by the operator lasts, also where nobody can be asked at that moment.
func TestAReleaseLasts(t *testing.T) {
	x := newTrade(t)
	x.add("a", "b")
	x.submit("lead_1")
	x.submit("lead_2")
	x.work()
	x.is("lead_2", lead.Collected, lead.Duplicate)
	x.turn(func(p *store.Tx) error { return p.PutHealth("b", buyer.Health{QuietUntil: x.now.Add(time.Hour)}) })
	if _, err := x.office().Release(t.Context(), "lead_2"); err != nil {
		t.Fatal(err)
	}
	x.work()
	x.is("lead_2", lead.Collected, lead.Duplicate, lead.Released)
	x.pass(2 * time.Hour)
	x.work()
	x.is("lead_2", lead.Forwarded, lead.Duplicate, lead.Released)
	x.wantTold(forward.LeadDelivered, "a", "b")
}

// More requests of one number than are passed on in a day are held for the operator.
func TestFloodingOnePhone(t *testing.T) {
	x := newTrade(t)
	x.add("a")
	for i, code := range []string{"33101", "33102", "33103", "33104", "33105"} {
		x.submit("lead_"+string(rune('1'+i)), zip(code))
	}
	x.work()
	for _, id := range []string{"lead_1", "lead_2", "lead_3"} {
		x.is(id, lead.Forwarded)
	}
	for _, id := range []string{"lead_4", "lead_5"} {
		x.is(id, lead.Collected, lead.ManyRequests)
	}
	x.add("b") // coverage changed: they stay
	x.pass(48 * time.Hour)
	x.work()
	x.is("lead_4", lead.Collected, lead.ManyRequests)
	x.submit("lead_6", zip("33106"))
	x.work()
	x.is("lead_6", lead.Forwarded)
}

// Whoever switches the limits off gets everything at once, but never one lead of a person twice.
func TestLimitsSwitchedOff(t *testing.T) {
	x := newTrade(t)
	x.f.Persons.Rules = lead.RepeatRules{}
	x.add("a", "b")
	for i := range 5 {
		x.submit("lead_"+string(rune('1'+i)), zip("3310"+string(rune('1'+i))))
	}
	x.submit("lead_again", zip("33101"))
	x.submit("lead_once_more", zip("33101"))
	x.work()
	for i := range 5 {
		x.is("lead_"+string(rune('1'+i)), lead.Forwarded)
	}
	x.is("lead_again", lead.Collected, lead.Duplicate)
	x.is("lead_once_more", lead.Forwarded, lead.Duplicate) // the newest follows, to the buyer that does not have it
	x.wantTold(forward.LeadDelivered, "a", "a", "a", "a", "a", "b")
}
