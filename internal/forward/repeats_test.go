package forward_test

import (
	"context"
	"errors"
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

// Of several requests of one person for the same work, only one is on the market at a time.
func TestOneRequestPerPersonOnMarket(t *testing.T) {
	fx := newFixture(t)
	fx.add("a", "b")
	fx.submit("lead_1")
	fx.submit("lead_2")
	fx.submit("lead_3")
	fx.answer = declining("other")
	tasks := fx.claim()
	if len(tasks) != 1 {
		t.Fatalf("%d of them are on the market", len(tasks))
	}
	fx.wantLead("lead_1", lead.Received)
	fx.wantLead("lead_2", lead.Collected, lead.Duplicate)
	fx.wantLead("lead_3", lead.Collected, lead.Duplicate)
	fx.send(tasks[0])
	fx.f.ReleaseSlot("a")
	fx.work() // it ends unsold: the newest goes on the market, and then the remaining one
	fx.wantLead("lead_1", lead.Collected)
	fx.wantLead("lead_2", lead.Collected, lead.Duplicate)
	fx.wantLead("lead_3", lead.Collected, lead.Duplicate)
	fx.wantRecipients(forward.LeadOffered, "a", "b", "a", "b", "a", "b")
}

// A repeat that cannot be read stays held, and the others are checked without it.
func TestUnreadableRepeatDoesNotBlockOthers(t *testing.T) {
	fx := newFixture(t)
	fx.add("a")
	fx.submit("lead_1")
	fx.submit("lead_2")
	fx.submit("lead_3")
	fx.answer = declining("other")
	tasks := fx.claim()
	if _, err := fx.raw().Exec(`UPDATE leads SET job = '{' WHERE id = 'lead_3'`); err != nil { // the newest is checked first
		t.Fatal(err)
	}
	fx.send(tasks[0])
	fx.f.ReleaseSlot("a")
	fx.work()
	fx.wantLead("lead_2", lead.Collected, lead.Duplicate)
	fx.wantRecipients(forward.LeadOffered, "a", "a")
	if log := fx.log.String(); !strings.Contains(log, "cannot check a repeated request") {
		t.Errorf("the log says %s", log)
	}
}

// commitFails is a store that refuses, at the commit, to have a lead on the market again.
type commitFails struct {
	testStore
	id string
}

func (b commitFails) Update(ctx context.Context, do func(*store.Tx) error) error {
	return b.testStore.Update(ctx, func(tx *store.Tx) error {
		err := do(tx)
		if l, readErr := tx.Lead(b.id); err == nil && readErr == nil && l.Status == lead.Received {
			err = errors.New("refused")
		}
		return err
	})
}

// A repeat that fails at the commit stays held, and no other one in its place.
func TestRepeatThatFailsAtTheCommit(t *testing.T) {
	fx := newFixture(t)
	fx.add("a")
	fx.submit("lead_1")
	fx.submit("lead_2")
	fx.submit("lead_3", zip("33140"))
	fx.submit("lead_4", zip("33140"))
	fx.answer = declining("other")
	tasks := fx.claim()
	fx.f.Store = commitFails{testStore{fx.st, func() error { return nil }}, "lead_4"} // the newest is checked first
	for _, task := range tasks {
		fx.send(task)
		fx.f.ReleaseSlot("a")
	}
	fx.work()
	fx.wantLead("lead_2", lead.Collected, lead.Duplicate)
	fx.wantLead("lead_4", lead.Collected, lead.Duplicate)
	fx.wantRecipients(forward.LeadOffered, "a", "a", "a")
	if log := fx.log.String(); strings.Count(log, "cannot check a repeated request") != 1 {
		t.Errorf("the log says %s", log)
	}
}

// Once a buyer has the contact, repeats within a day stay held; later ones go to other buyers.
func TestRepeatAfterSale(t *testing.T) {
	fx := newFixture(t)
	fx.add("a", "b")
	fx.submit("lead_1")
	fx.submit("lead_2")
	fx.work()
	fx.wantLead("lead_1", lead.Forwarded)
	fx.wantLead("lead_2", lead.Collected, lead.Duplicate)
	fx.advance(12 * time.Hour)
	fx.submit("lead_3")
	fx.work()
	fx.wantLead("lead_3", lead.Collected, lead.Duplicate)
	fx.add("c") // coverage changed: leads held as duplicates stay held
	fx.work()
	fx.wantLead("lead_2", lead.Collected, lead.Duplicate)
	fx.advance(13 * time.Hour)
	fx.submit("lead_4")
	fx.work()
	fx.wantLead("lead_4", lead.Forwarded, lead.Duplicate)
	fx.wantRecipients(forward.LeadDelivered, "a", "c")
}

// The order in which the forwarder processes duplicates does not matter.
func TestEarlierRepeatProcessedLater(t *testing.T) {
	fx := newFixture(t)
	fx.add("a", "b")
	fx.now = fx.now.Add(time.Hour)
	fx.submit("lead_late")
	fx.work()
	fx.submit("lead_early", func(l *lead.Lead) { l.CreatedAt = l.CreatedAt.Add(-2 * time.Hour) })
	fx.work()
	fx.wantLead("lead_late", lead.Forwarded)
	fx.wantLead("lead_early", lead.Collected, lead.Duplicate)
}

// Duplicates that were held without a buyer are offered one at a time once there is one, whichever buyer the scan is for.
func TestHeldDuplicatesAreReleasedOneAtATime(t *testing.T) {
	fx := newFixture(t)
	fx.submit("lead_1")
	fx.submit("lead_2")
	fx.work()
	fx.wantLead("lead_1", lead.Collected)
	fx.wantLead("lead_2", lead.Collected, lead.Duplicate) // it was offered after the first had left the market
	fx.add("a")
	fx.update(func(tx *store.Tx) error {
		s, err := tx.Health("a")
		if err != nil {
			return err
		}
		return tx.PutHealth("a", s.Wake(fx.now))
	})
	fx.work()
	fx.wantRecipients(forward.LeadDelivered, "a")
}

// After an erasure, no repeat of the request is sold instead.
func TestErasureEndsRepeats(t *testing.T) {
	fx := newFixture(t)
	fx.add("a")
	fx.submit("lead_1")
	fx.submit("lead_2")
	fx.answer = func(webhook.Message) webhook.Outcome { return answered(500, "") }
	fx.work()
	fx.wantLead("lead_2", lead.Collected, lead.Duplicate)
	if _, err := fx.operator().Erase(t.Context(), ada, "lead_1"); err != nil {
		t.Fatal(err)
	}
	fx.answer = accepting
	fx.advance(time.Hour)
	fx.work()
	fx.wantLead("lead_2", lead.Collected, lead.Duplicate)
}

// Withdrawing consent closes the repeats of the request too, whichever of them the person names.
func TestWithdrawalClosesRepeats(t *testing.T) {
	for _, named := range []string{"lead_1", "lead_2", "lead_3"} {
		t.Run(named, func(t *testing.T) {
			fx := newFixture(t)
			fx.add("a", "b")
			fx.submit("lead_1")
			fx.submit("lead_2")
			fx.submit("lead_3")
			fx.work()
			fx.wantLead("lead_1", lead.Forwarded)
			fx.wantLead("lead_2", lead.Collected, lead.Duplicate)
			fx.takeBack(named)
			fx.wantLead("lead_1", lead.Forwarded)
			fx.wantLead("lead_2", lead.Rejected, lead.Duplicate)
			fx.wantLead("lead_3", lead.Rejected, lead.Duplicate)
		})
	}
}

// takeBack withdraws consent on the privacy page, as the person of a lead.
func (fx *fixture) takeBack(id string) {
	fx.t.Helper()
	l, err := storetest.Find(fx.t, fx.st, id)
	if err != nil {
		fx.t.Fatal(err)
	}
	wish := lead.PrivacyRequest{ID: "wish_1", At: fx.now, Kind: lead.Withdraw, Phone: l.Request.Contact.Phone, LeadID: id, State: lead.PrivacyOpen}
	op := fx.operator()
	op.Persons = fx.f.Persons
	if err := op.SavePrivacyRequest(fx.t.Context(), wish, "withdrawn"); err != nil {
		fx.t.Fatal(err)
	}
}

// Withdrawing consent also closes the repeats that nothing withholds. Those for other work stay.
func TestWithdrawalClosesRepeatsThatNothingWithholds(t *testing.T) {
	full := func(fx *fixture) { // both were on the market
		fx.add("a")
		fx.answer = declining("cap")
		fx.submit("lead_1")
		fx.work()
		fx.submit("lead_2")
		fx.work()
	}
	waiting := func(fx *fixture) { // the first waits for a retry, and the second is withheld
		fx.add("a")
		fx.answer = func(webhook.Message) webhook.Outcome { return answered(500, "") }
		fx.submit("lead_1")
		fx.submit("lead_2")
		fx.work()
	}
	collected := func(l *lead.Lead) { l.Status = lead.Collected }
	uncovered := func(fx *fixture) { // neither was ever on the market
		fx.submit("lead_1", collected)
		fx.submit("lead_2", collected)
	}
	indexed := func(fx *fixture) {
		uncovered(fx)
		storetest.Index(t, fx.st, storetest.SearchKey)
		fx.submit("lead_3", collected) // too new for the index
	}
	unread := func(fx *fixture) { // the forwarder has not seen them yet
		fx.submit("lead_1")
		fx.submit("lead_2")
	}
	for name, c := range map[string]struct {
		prepare func(*fixture)
		named   string
		closed  []string
	}{
		"a full buyer":                 {full, "lead_1", []string{"lead_1", "lead_2"}},
		"a full buyer, the other":      {full, "lead_2", []string{"lead_1", "lead_2"}},
		"the withheld one is named":    {waiting, "lead_2", []string{"lead_1", "lead_2"}},
		"no buyer":                     {uncovered, "lead_1", []string{"lead_1", "lead_2"}},
		"no buyer, the other":          {uncovered, "lead_2", []string{"lead_1", "lead_2"}},
		"some are in the search index": {indexed, "lead_1", []string{"lead_1", "lead_2", "lead_3"}},
		"just received":                {unread, "lead_1", []string{"lead_1", "lead_2"}},
	} {
		t.Run(name, func(t *testing.T) {
			fx := newFixture(t)
			fx.f.Persons.Key = storetest.SearchKey
			fx.submit("lead_elsewhere", collected, zip("33140"))
			c.prepare(fx)
			fx.takeBack(c.named)
			fx.answer = accepting
			fx.advance(2 * time.Hour)
			fx.add("b")
			fx.update(func(tx *store.Tx) error { return tx.PutHealth("b", buyer.Health{}.Wake(fx.now)) })
			fx.work()
			for _, id := range c.closed {
				if l, err := storetest.Find(t, fx.st, id); err != nil || l.Status != lead.Rejected {
					t.Errorf("%s is %s (%v)", id, l.Status, err)
				}
			}
			fx.wantLead("lead_elsewhere", lead.Forwarded)
		})
	}
}

// A held lead whose repeat was sold says so in its history: reports count it as withheld from then on, and its source is not paid for it.
func TestHistorySaysThatHeldLeadIsWithheld(t *testing.T) {
	fx := newFixture(t)
	fx.add("a")
	fx.answer = declining("cap")
	fx.submit("lead_1")
	fx.work()
	fx.answer = accepting
	fx.submit("lead_2")
	fx.work()
	fx.wantLead("lead_2", lead.Forwarded, lead.Duplicate)
	for range 30 {
		fx.advance(time.Hour)
		fx.work()
	}
	fx.wantLead("lead_1", lead.Collected, lead.Duplicate)
	var entries []store.HistoryEntry
	if err := fx.st.View(t.Context(), func(tx *store.Tx) (err error) { entries, err = tx.Timeline().History("lead_1"); return err }); err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, e := range entries {
		if e.Reason == lead.WithholdReasons[lead.Duplicate] {
			told++
		}
	}
	if told != 1 || entries[len(entries)-1].Reason != lead.WithholdReasons[lead.Duplicate] {
		t.Errorf("it was told %d times: %+v", told, entries)
	}
}

// A release by the operator is permanent, even if no buyer can be asked at that time.
func TestReleaseIsPermanent(t *testing.T) {
	fx := newFixture(t)
	fx.add("a", "b")
	fx.submit("lead_1")
	fx.submit("lead_2")
	fx.work()
	fx.wantLead("lead_2", lead.Collected, lead.Duplicate)
	fx.update(func(tx *store.Tx) error { return tx.PutHealth("b", buyer.Health{QuietUntil: fx.now.Add(time.Hour)}) })
	if _, err := fx.operator().Release(t.Context(), ada, "lead_2"); err != nil {
		t.Fatal(err)
	}
	fx.work()
	fx.wantLead("lead_2", lead.Collected, lead.Duplicate, lead.Released)
	fx.advance(2 * time.Hour)
	fx.work()
	fx.wantLead("lead_2", lead.Forwarded, lead.Duplicate, lead.Released)
	fx.wantRecipients(forward.LeadDelivered, "a", "b")
}

// Requests beyond the daily limit of a phone number are held for the operator.
func TestPhoneLimit(t *testing.T) {
	fx := newFixture(t)
	fx.add("a")
	for i, code := range []string{"33101", "33102", "33103", "33104", "33105"} {
		fx.submit("lead_"+string(rune('1'+i)), zip(code))
	}
	fx.work()
	for _, id := range []string{"lead_1", "lead_2", "lead_3"} {
		fx.wantLead(id, lead.Forwarded)
	}
	for _, id := range []string{"lead_4", "lead_5"} {
		fx.wantLead(id, lead.Collected, lead.ManyRequests)
	}
	fx.add("b") // coverage changed: they stay held
	fx.advance(48 * time.Hour)
	fx.work()
	fx.wantLead("lead_4", lead.Collected, lead.ManyRequests)
	fx.submit("lead_6", zip("33106"))
	fx.work()
	fx.wantLead("lead_6", lead.Forwarded)
}

// Without limits every request is forwarded immediately, but no buyer gets two for the same work of one person.
func TestLimitsSwitchedOff(t *testing.T) {
	fx := newFixture(t)
	fx.f.Persons.Rules = lead.RepeatRules{}
	fx.add("a", "b")
	for i := range 5 {
		fx.submit("lead_"+string(rune('1'+i)), zip("3310"+string(rune('1'+i))))
	}
	fx.submit("lead_again", zip("33101"))
	fx.submit("lead_once_more", zip("33101"))
	fx.work()
	for i := range 5 {
		fx.wantLead("lead_"+string(rune('1'+i)), lead.Forwarded)
	}
	fx.wantLead("lead_again", lead.Collected, lead.Duplicate)
	fx.wantLead("lead_once_more", lead.Forwarded, lead.Duplicate) // the newest goes to the buyer that does not have one
	fx.wantRecipients(forward.LeadDelivered, "a", "a", "a", "a", "a", "b")
}
