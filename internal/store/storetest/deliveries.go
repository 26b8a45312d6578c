package storetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

func (c Contract) deliveries(t *testing.T) {
	t.Run("a received lead is queued in the transaction that keeps it", c.queuedWithLead)
	t.Run("of leads that are kept together each goes its own way", c.queuedInGroup)
	t.Run("every field of an errand comes back", c.deliveryFields)
	t.Run("what somebody has is nobody else's until the lease ends", c.deliveryLease)
	t.Run("the longest due comes first, lane by lane", c.dueOrder)
	t.Run("what is fresh is due since it came", c.newLeadsAreDue)
	t.Run("what damage left in both tables counts once", c.deliveryInBothTables)
	t.Run("turns in one transaction see what the one before left", c.deliveryInGroup)
	t.Run("what waits in a lane can be sent elsewhere", c.requeue)
	t.Run("a turn that fails leaves nothing behind", c.updateFails)
	t.Run("statuses move as they may, and no other way", c.statusChange)
	t.Run("leads of the same phone number are found", c.leadsOfPhone)
	t.Run("prints of older versions get a key", c.rekeyedFingerprints)
	t.Run("who accepted an earlier lead is remembered", c.soldTo)
	t.Run("leads are kept off the market", c.withheldLeads)
	t.Run("a lead is set aside", c.setAside)
	t.Run("what is held is listed in its order", c.heldList)
	t.Run("one service at a time is alone", c.onlyInstance)
	t.Run("who is alone takes all leases back", c.releaseLeases)
	t.Run("an erased lead leaves its way", c.eraseDuringDelivery)
}

// update runs one transaction.
func update(t *testing.T, s *store.Store, do func(*store.Tx) error) {
	t.Helper()
	if err := s.Update(t.Context(), do); err != nil {
		t.Fatal(err)
	}
}

// received keeps a lead that is to be passed on, and says in which row.
func received(t *testing.T, s *store.Store, id string, at time.Time) (seq int64) {
	t.Helper()
	l := Lead(id)
	l.Status, l.CreatedAt, l.UpdatedAt = lead.Received, at, at
	Save(t, s, l)
	update(t, s, func(p *store.Tx) (err error) { seq, err = p.SeqOf(id); return err })
	return seq
}

// deliveryOf is the errand of a lead, which has to have one.
func deliveryOf(t *testing.T, s *store.Store, seq int64) (e buyer.Delivery) {
	t.Helper()
	update(t, s, func(p *store.Tx) error {
		var found bool
		var err error
		if e, found, err = p.Delivery(seq); err == nil && !found {
			err = errors.New("the lead has no errand")
		}
		return err
	})
	return e
}

// due are the leads of a lane that may be taken, in their order.
func due(t *testing.T, s *store.Store, lane string, now time.Time, limit int) []int64 {
	t.Helper()
	var leads []int64
	update(t, s, func(p *store.Tx) error {
		leads = nil
		errands, err := p.Due(lane, now, limit)
		for _, e := range errands {
			leads = append(leads, e.Lead)
		}
		return err
	})
	return leads
}

// blockWriter keeps the writer of turns, and on SQLite that of leads, in a transaction until it may go on: what comes meanwhile makes a
// group.
func blockWriter(t *testing.T, s *store.Store, all *sync.WaitGroup) (goOn func()) {
	t.Helper()
	hold, held := make(chan struct{}), make(chan struct{})
	all.Go(func() {
		if err := s.Update(t.Context(), func(*store.Tx) error { close(held); <-hold; return nil }); err != nil {
			t.Error(err)
		}
	})
	<-held
	return func() { close(hold) }
}

// queuedInGroup keeps leads while the writer is held up, so that all of them are in one group: some are to be passed on,
// some have a key, and some just stay.
func (c Contract) queuedInGroup(t *testing.T) {
	s := c.store(t)
	var all sync.WaitGroup
	goOn := blockWriter(t, s, &all)
	var going []string
	for i := range 45 {
		l := Lead(fmt.Sprintf("lead_%02d", i))
		if i%3 == 1 {
			l.Status, going = lead.Received, append(going, l.ID)
		}
		var ticket *lead.Idempotency
		if i%7 == 0 {
			ticket = Ticket(l.ID, "request", "answer")
		}
		all.Go(func() {
			if _, err := s.SaveLead(t.Context(), &l, ticket, Noon); err != nil {
				t.Error(err)
			}
		})
	}
	time.Sleep(20 * time.Millisecond) // for all to stand in line: fewer make smaller groups, and no other outcome
	goOn()
	all.Wait()
	var found []string
	update(t, s, func(p *store.Tx) error {
		found = nil
		errands, err := p.Due("", Noon, 100)
		for _, e := range errands {
			l, err := p.LeadBySeq(e.Lead)
			if err != nil {
				return err
			}
			found = append(found, l.ID)
		}
		return err
	})
	slices.Sort(found)
	if diff := cmp.Diff(going, found); diff != "" {
		t.Errorf("on their way (-are to go +go):\n%s", diff)
	}
}

func (c Contract) queuedWithLead(t *testing.T) {
	s := c.store(t)
	seq := received(t, s, "lead_1", Noon)
	want := buyer.Delivery{Lead: seq, Step: buyer.StepAsk, DueAt: Noon, Since: Noon}
	if got := deliveryOf(t, s, seq); got != want {
		t.Errorf("the errand is %+v, want %+v", got, want)
	}
	Save(t, s, Lead("lead_held"))
	if _, err := s.SaveLead(t.Context(), new(FullLead("lead_1")), nil, Noon); err == nil {
		t.Fatal("a taken id was accepted")
	}
	if got := due(t, s, "", Noon, 10); !cmp.Equal(got, []int64{seq}) {
		t.Errorf("due are %v, want the received lead alone", got)
	}
	update(t, s, func(p *store.Tx) error { return p.EndDelivery(seq) })
	update(t, s, func(p *store.Tx) error {
		_, found, err := p.Delivery(seq)
		if found {
			t.Error("an errand that was ended is still there")
		}
		return err
	})
	update(t, s, func(p *store.Tx) error { return p.Queue(seq, Noon.Add(time.Hour)) })
	want.DueAt, want.Since, want.Token = Noon.Add(time.Hour), Noon.Add(time.Hour), Noon.Add(time.Hour).UnixMicro()
	if got := deliveryOf(t, s, seq); got != want { // no token of the first time can be met again
		t.Errorf("queued again it is %+v, want %+v", got, want)
	}
}

func (c Contract) deliveryFields(t *testing.T) {
	s := c.store(t)
	seq := received(t, s, "lead_1", Noon)
	want := buyer.Delivery{
		Lead: seq, BuyerQueue: "buyer_1", Step: buyer.StepDeliver, DueAt: Noon.Add(time.Microsecond), Token: 7, Owner: "proc_1",
		Since: Noon.Add(-time.Hour), Offer: "offer_1", Attempts: 3, MayHaveContact: true,
	}
	update(t, s, func(p *store.Tx) error { return p.PutDelivery(want) })
	if got := deliveryOf(t, s, seq); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// deliveryLease lets two processes take the same errand, one after the other.
func (c Contract) deliveryLease(t *testing.T) {
	database := c.NewDatabase(t)
	first, second := Open(t, database), Open(t, database)
	seq := received(t, first, "lead_1", Noon)
	take := func(s *store.Store, owner string, now time.Time) (e buyer.Delivery, taken bool) {
		update(t, s, func(p *store.Tx) error {
			taken = false
			errands, err := p.Due("", now, 10)
			if err != nil || len(errands) == 0 {
				return err
			}
			e, taken = errands[0], true
			e.Owner, e.DueAt = owner, now.Add(buyer.Lease)
			e.Token++
			return p.PutDelivery(e)
		})
		return e, taken
	}
	if got := due(t, second, "", Noon, 10); !cmp.Equal(got, []int64{seq}) { // it looks, and leaves it
		t.Fatalf("due are %v", got)
	}
	mine, taken := take(first, "proc_1", Noon)
	if !taken || mine.Token != 1 {
		t.Fatalf("the first process took %+v, %v", mine, taken)
	}
	if _, taken := take(second, "proc_2", Noon.Add(buyer.Lease-time.Microsecond)); taken {
		t.Error("a second process took what the first has")
	}
	theirs, taken := take(second, "proc_2", Noon.Add(buyer.Lease))
	if !taken || theirs.Token != 2 || theirs.Owner != "proc_2" {
		t.Errorf("when the lease was over, the second process took %+v, %v", theirs, taken)
	}
	if now := deliveryOf(t, first, seq); now.Token == mine.Token {
		t.Error("the first process cannot see that its lease was lost")
	}
}

func (c Contract) dueOrder(t *testing.T) {
	s := c.store(t)
	var seqs []int64
	put := func(lane string, minute int) {
		e := deliveryOf(t, s, received(t, s, fmt.Sprint("lead_", len(seqs)), Noon))
		e.BuyerQueue, e.DueAt = lane, Noon.Add(time.Duration(minute)*time.Minute)
		update(t, s, func(p *store.Tx) error { return p.PutDelivery(e) })
		seqs = append(seqs, e.Lead)
	}
	for _, minute := range []int{3, 1, 2, 9} {
		put("", minute)
	}
	put("buyer_1", 5)
	now := Noon.Add(5 * time.Minute)
	if got, want := due(t, s, "", now, 10), []int64{seqs[1], seqs[2], seqs[0]}; !cmp.Equal(got, want) {
		t.Errorf("due are %v, want %v", got, want)
	}
	if got, want := due(t, s, "", now, 2), []int64{seqs[1], seqs[2]}; !cmp.Equal(got, want) {
		t.Errorf("the first two are %v, want %v", got, want)
	}
	if got := due(t, s, "buyer_1", now, 10); !cmp.Equal(got, []int64{seqs[4]}) {
		t.Errorf("in the lane of the buyer: %v", got)
	}
	for at, want := range map[time.Time][]string{Noon: nil, now.Add(-time.Microsecond): nil, now: {"buyer_1"}} {
		if got, err := s.BuyerQueues(t.Context(), at); err != nil || !cmp.Equal(got, want) {
			t.Errorf("lanes at %v: %q, %v; want %q", at, got, err, want)
		}
	}
}

// requeue keeps an offer that was made, and what somebody has, where it is.
func (c Contract) requeue(t *testing.T) {
	s := c.store(t)
	put := func(id string, change func(*buyer.Delivery)) int64 {
		e := deliveryOf(t, s, received(t, s, id, Noon))
		e.BuyerQueue = "buyer_1"
		change(&e)
		update(t, s, func(p *store.Tx) error { return p.PutDelivery(e) })
		return e.Lead
	}
	waits := put("lead_waits", func(*buyer.Delivery) {})
	offered := put("lead_offered", func(e *buyer.Delivery) { e.Step = buyer.StepOffer })
	taken := put("lead_taken", func(e *buyer.Delivery) { e.Owner = "proc_1" })
	other := put("lead_other", func(e *buyer.Delivery) { e.BuyerQueue = "buyer_2" })
	update(t, s, func(p *store.Tx) error { return p.Requeue("buyer_1") })
	for seq, lane := range map[int64]string{waits: "", offered: "buyer_1", taken: "buyer_1", other: "buyer_2"} {
		if got := deliveryOf(t, s, seq).BuyerQueue; got != lane {
			t.Errorf("errand %d is in the lane %q, want %q", seq, got, lane)
		}
	}
}

func (c Contract) updateFails(t *testing.T) {
	s := c.store(t)
	seq := received(t, s, "lead_1", Noon)
	failure := errors.New("a change of mind")
	err := s.Update(t.Context(), func(p *store.Tx) error {
		return errors.Join(p.EndDelivery(seq), p.PutBuyer(buyer.Buyer{ID: "buyer_1", CreatedAt: Noon, UpdatedAt: Noon}),
			p.Change(seq, lead.Received, lead.Change{At: Noon, Status: lead.Collected, Actor: lead.ByService}), failure)
	})
	if !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
	deliveryOf(t, s, seq)
	if l, err := s.LeadSummary(t.Context(), "lead_1"); err != nil || l.Status != lead.Received {
		t.Errorf("the lead is %s, %v", l.Status, err)
	}
	if buyers, _, err := s.Buyers(t.Context()); err != nil || len(buyers) != 0 {
		t.Errorf("there are %d buyers, %v", len(buyers), err)
	}
}

// statusChange leaves it to lead which moves there are; the store holds to them.
func (c Contract) statusChange(t *testing.T) {
	database := c.NewDatabase(t)
	s, r := Open(t, database), OpenReader(t, database)
	seq := received(t, s, "lead_1", Noon)
	change := lead.Change{At: Noon.Add(time.Minute), Status: lead.Forwarded, Actor: lead.ByService, Reason: "acknowledged"}
	if err := s.Update(t.Context(), func(p *store.Tx) error { return p.Change(seq, lead.Collected, change) }); err == nil {
		t.Error("a held lead was forwarded without being received")
	}
	update(t, s, func(p *store.Tx) error { return p.Change(seq, lead.Received, change) })
	if l, err := s.LeadSummary(t.Context(), "lead_1"); err != nil || l.Status != lead.Forwarded || !l.UpdatedAt.Equal(change.At) {
		t.Errorf("the lead is %s since %v, %v", l.Status, l.UpdatedAt, err)
	}
	if history, err := r.History(t.Context(), "lead_1"); err != nil || !cmp.Equal(history, []lead.Change{change}) {
		t.Errorf("its history is %+v, %v", history, err)
	}
	update(t, s, func(p *store.Tx) error { return p.Mark(seq, []lead.Mark{lead.PastDate, lead.Duplicate}) })
	update(t, s, func(p *store.Tx) error {
		l, err := p.LeadBySeq(seq)
		if !cmp.Equal(l.Marks, []lead.Mark{lead.PastDate, lead.Duplicate}) {
			t.Errorf("its marks are %v", l.Marks)
		}
		return err
	})
	for what, err := range map[string]error{
		"a row": s.Update(t.Context(), func(p *store.Tx) error { _, err := p.LeadBySeq(seq + 1); return err }),
		"an id": s.Update(t.Context(), func(p *store.Tx) error { _, err := p.SeqOf("lead_none"); return err }),
	} {
		if KindOf(err) != lead.NotFound {
			t.Errorf("%s that does not exist: %v", what, err)
		}
	}
}

func (c Contract) eraseDuringDelivery(t *testing.T) {
	s := c.store(t)
	seq := received(t, s, "lead_1", Noon)
	var print string
	update(t, s, func(p *store.Tx) error {
		l, err := p.LeadBySeq(seq)
		if print = s.Fingerprint(l.Request); err != nil {
			return err
		}
		return errors.Join(p.EnterMarket(print, seq, Noon), p.RecordSale(print, "buyer_1", Noon))
	})
	if err := s.Erase(t.Context(), "lead_1", closing); err != nil {
		t.Fatal(err)
	}
	update(t, s, func(p *store.Tx) error {
		_, found, err := p.Delivery(seq)
		others, _, passedErr := p.LeadsOfPhone(print, print, print+"0", "", seq+1, Noon.Add(-time.Hour))
		owners, ownersErr := p.SoldTo(print, "", Noon.Add(-time.Hour))
		if found || len(others) > 0 || len(owners) > 0 {
			t.Errorf("an erased lead has an errand: %v; its print is known: %v, %v", found, others, owners)
		}
		return errors.Join(err, passedErr, ownersErr)
	})
}
