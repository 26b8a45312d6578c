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
	t.Run("a received lead is queued in the transaction that saves it", c.queuedWithLead)
	t.Run("of leads in one group, the received ones are queued", c.queuedInGroup)
	t.Run("every field of a delivery comes back", c.deliveryFields)
	t.Run("a leased delivery is not due until the lease ends", c.deliveryLease)
	t.Run("nothing below the start of the queue is lost", c.queueStart)
	t.Run("the longest due comes first, in each queue", c.dueOrder)
	t.Run("a new lead is due since it was created", c.newLeadsAreDue)
	t.Run("a lead that damage left in both tables counts once", c.deliveryInBothTables)
	t.Run("an update sees the updates before it in its transaction", c.deliveryInGroup)
	t.Run("leads that wait in a queue can be requeued", c.requeue)
	t.Run("an update that fails changes nothing", c.updateFails)
	t.Run("only allowed status changes succeed", c.statusChange)
	t.Run("leads of the same phone number are found", c.leadsOfPhone)
	t.Run("fingerprints of older versions get a key", c.rekeyedFingerprints)
	t.Run("buyers of an earlier lead are remembered", c.soldTo)
	t.Run("leads are withheld from the market", c.withheldLeads)
	t.Run("a lead is set aside", c.setAside)
	t.Run("held leads are listed in order", c.heldList)
	t.Run("only the first service is alone", c.onlyInstance)
	t.Run("leases are released", c.releaseLeases)
	t.Run("erasing a lead ends its delivery", c.eraseDuringDelivery)
}

// update runs do in a transaction, which must succeed.
func update(t *testing.T, s *store.Store, do func(*store.Tx) error) {
	t.Helper()
	if err := s.Update(t.Context(), do); err != nil {
		t.Fatal(err)
	}
}

// received saves a received lead and returns its number.
func received(t *testing.T, s *store.Store, id string, at time.Time) (seq int64) {
	t.Helper()
	l := Lead(id)
	l.Status, l.CreatedAt, l.UpdatedAt = lead.Received, at, at
	Save(t, s, l)
	update(t, s, func(tx *store.Tx) (err error) { seq, err = tx.LeadOf(id); return err })
	return seq
}

// deliveryOf returns the delivery of a lead, which must exist.
func deliveryOf(t *testing.T, s *store.Store, seq int64) (d buyer.Delivery) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error {
		var found bool
		var err error
		if d, found, err = tx.Delivery(seq); err == nil && !found {
			err = errors.New("the lead has no delivery")
		}
		return err
	})
	return d
}

// due returns the leads in a queue that are due, in order.
func due(t *testing.T, s *store.Store, queue string, now time.Time, limit int) []int64 {
	t.Helper()
	var leads []int64
	update(t, s, func(tx *store.Tx) error {
		leads = nil
		deliveries, err := tx.Due(queue, now, limit)
		for _, d := range deliveries {
			leads = append(leads, d.Lead)
		}
		return err
	})
	return leads
}

// blockWriter keeps the writer of updates, and on SQLite of leads too, in a transaction until release: requests that are
// submitted meanwhile form a group.
func blockWriter(t *testing.T, s *store.Store, all *sync.WaitGroup) (release func()) {
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

// queuedInGroup saves leads while the writer is blocked, so that all of them are in one group: some are received, some have an
// idempotency key, and some are held.
func (c Contract) queuedInGroup(t *testing.T) {
	s := c.store(t)
	var all sync.WaitGroup
	release := blockWriter(t, s, &all)
	var want []string
	for i := range 45 {
		l := Lead(fmt.Sprintf("lead_%02d", i))
		if i%3 == 1 {
			l.Status, want = lead.Received, append(want, l.ID)
		}
		var key *lead.Idempotency
		if i%7 == 0 {
			key = IdempotencyKey(l.ID, "request", "answer")
		}
		all.Go(func() {
			if _, err := s.SaveLead(t.Context(), &l, key, Noon); err != nil {
				t.Error(err)
			}
		})
	}
	time.Sleep(20 * time.Millisecond) // until all are queued: fewer make smaller groups, but no other outcome
	release()
	all.Wait()
	var found []string
	update(t, s, func(tx *store.Tx) error {
		found = nil
		deliveries, err := tx.Due("", Noon, 100)
		for _, d := range deliveries {
			l, err := tx.LeadBySeq(d.Lead)
			if err != nil {
				return err
			}
			found = append(found, l.ID)
		}
		return err
	})
	slices.Sort(found)
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("queued (-want +got):\n%s", diff)
	}
}

func (c Contract) queuedWithLead(t *testing.T) {
	s := c.store(t)
	seq := received(t, s, "lead_1", Noon)
	want := buyer.Delivery{Lead: seq, Step: buyer.StepAsk, DueAt: Noon, Since: Noon}
	if got := deliveryOf(t, s, seq); got != want {
		t.Errorf("the delivery is %+v, want %+v", got, want)
	}
	Save(t, s, Lead("lead_held"))
	if _, err := s.SaveLead(t.Context(), new(FullLead("lead_1")), nil, Noon); err == nil {
		t.Fatal("a taken id was accepted")
	}
	if got := due(t, s, "", Noon, 10); !cmp.Equal(got, []int64{seq}) {
		t.Errorf("due are %v, want the received lead alone", got)
	}
	update(t, s, func(tx *store.Tx) error { return tx.EndDelivery(seq) })
	update(t, s, func(tx *store.Tx) error {
		_, found, err := tx.Delivery(seq)
		if found {
			t.Error("a delivery that was ended still exists")
		}
		return err
	})
	update(t, s, func(tx *store.Tx) error { return tx.Queue(seq, Noon.Add(time.Hour)) })
	want.DueAt, want.Since, want.Token = Noon.Add(time.Hour), Noon.Add(time.Hour), Noon.Add(time.Hour).UnixMicro()
	if got := deliveryOf(t, s, seq); got != want { // no earlier token can occur again
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
	update(t, s, func(tx *store.Tx) error { return tx.PutDelivery(want) })
	if got := deliveryOf(t, s, seq); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// deliveryLease lets two processes lease the same delivery, one after the other.
func (c Contract) deliveryLease(t *testing.T) {
	database := c.NewDatabase(t)
	first, second := Open(t, database), Open(t, database)
	seq := received(t, first, "lead_1", Noon)
	lease := func(s *store.Store, owner string, now time.Time) (d buyer.Delivery, leased bool) {
		update(t, s, func(tx *store.Tx) error {
			leased = false
			deliveries, err := tx.Due("", now, 10)
			if err != nil || len(deliveries) == 0 {
				return err
			}
			d, leased = deliveries[0], true
			d.Owner, d.DueAt = owner, now.Add(buyer.Lease)
			d.Token++
			return tx.PutDelivery(d)
		})
		return d, leased
	}
	if got := due(t, second, "", Noon, 10); !cmp.Equal(got, []int64{seq}) { // without leasing it
		t.Fatalf("due are %v", got)
	}
	mine, leased := lease(first, "proc_1", Noon)
	if !leased || mine.Token != 1 {
		t.Fatalf("the first process took %+v, %v", mine, leased)
	}
	if _, leased := lease(second, "proc_2", Noon.Add(buyer.Lease-time.Microsecond)); leased {
		t.Error("a second process took what the first has")
	}
	theirs, leased := lease(second, "proc_2", Noon.Add(buyer.Lease))
	if !leased || theirs.Token != 2 || theirs.Owner != "proc_2" {
		t.Errorf("when the lease was over, the second process took %+v, %v", theirs, leased)
	}
	if now := deliveryOf(t, first, seq); now.Token == mine.Token {
		t.Error("the first process cannot see that its lease was lost")
	}
}

func (c Contract) dueOrder(t *testing.T) {
	s := c.store(t)
	var seqs []int64
	put := func(queue string, minute int) {
		d := deliveryOf(t, s, received(t, s, fmt.Sprint("lead_", len(seqs)), Noon))
		d.BuyerQueue, d.DueAt = queue, Noon.Add(time.Duration(minute)*time.Minute)
		update(t, s, func(tx *store.Tx) error { return tx.PutDelivery(d) })
		seqs = append(seqs, d.Lead)
	}
	for _, minute := range []int{3, 1, 2, 9} {
		put("", minute)
	}
	put("buyer_1", 5)
	update(t, s, func(tx *store.Tx) error { return tx.PutBuyer(Buyer("buyer_1")) })
	now := Noon.Add(5 * time.Minute)
	if got, want := due(t, s, "", now, 10), []int64{seqs[1], seqs[2], seqs[0]}; !cmp.Equal(got, want) {
		t.Errorf("due are %v, want %v", got, want)
	}
	if got, want := due(t, s, "", now, 2), []int64{seqs[1], seqs[2]}; !cmp.Equal(got, want) {
		t.Errorf("the first two are %v, want %v", got, want)
	}
	if got := due(t, s, "buyer_1", now, 10); !cmp.Equal(got, []int64{seqs[4]}) {
		t.Errorf("in the buyer's queue: %v", got)
	}
	for at, want := range map[time.Time][]string{Noon: nil, now.Add(-time.Microsecond): nil, now: {"buyer_1"}} {
		if got, err := s.Pending(t.Context(), at); err != nil || !cmp.Equal(got.Queues, want) {
			t.Errorf("queues at %v: %q, %v; want %q", at, got.Queues, err, want)
		}
	}
}

// requeue checks that Requeue does not move a delivery whose offer was made or that is leased.
func (c Contract) requeue(t *testing.T) {
	s := c.store(t)
	put := func(id string, change func(*buyer.Delivery)) int64 {
		d := deliveryOf(t, s, received(t, s, id, Noon))
		d.BuyerQueue = "buyer_1"
		change(&d)
		update(t, s, func(tx *store.Tx) error { return tx.PutDelivery(d) })
		return d.Lead
	}
	waits := put("lead_waits", func(*buyer.Delivery) {})
	offered := put("lead_offered", func(d *buyer.Delivery) { d.Step = buyer.StepOffer })
	leased := put("lead_taken", func(d *buyer.Delivery) { d.Owner = "proc_1" })
	other := put("lead_other", func(d *buyer.Delivery) { d.BuyerQueue = "buyer_2" })
	update(t, s, func(tx *store.Tx) error { return tx.Requeue("buyer_1") })
	for seq, queue := range map[int64]string{waits: "", offered: "buyer_1", leased: "buyer_1", other: "buyer_2"} {
		if got := deliveryOf(t, s, seq).BuyerQueue; got != queue {
			t.Errorf("delivery %d is in the queue %q, want %q", seq, got, queue)
		}
	}
}

func (c Contract) updateFails(t *testing.T) {
	s := c.store(t)
	seq := received(t, s, "lead_1", Noon)
	failure := errors.New("a change of mind")
	err := s.Update(t.Context(), func(tx *store.Tx) error {
		return errors.Join(tx.EndDelivery(seq), tx.PutBuyer(buyer.Buyer{ID: "buyer_1", CreatedAt: Noon, UpdatedAt: Noon}),
			tx.Change(seq, lead.Received, lead.Change{At: Noon, Status: lead.Collected, Actor: lead.ByService}), failure)
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

// statusChange checks that the store enforces the transitions that package lead allows.
func (c Contract) statusChange(t *testing.T) {
	database := c.NewDatabase(t)
	s, r := Open(t, database), OpenReader(t, database)
	seq := received(t, s, "lead_1", Noon)
	change := lead.Change{At: Noon.Add(time.Minute), Status: lead.Forwarded, Actor: lead.ByService, Reason: "acknowledged"}
	if err := s.Update(t.Context(), func(tx *store.Tx) error { return tx.Change(seq, lead.Collected, change) }); err == nil {
		t.Error("a held lead was forwarded without being received")
	}
	update(t, s, func(tx *store.Tx) error { return tx.Change(seq, lead.Received, change) })
	if l, err := s.LeadSummary(t.Context(), "lead_1"); err != nil || l.Status != lead.Forwarded || !l.UpdatedAt.Equal(change.At) {
		t.Errorf("the lead is %s since %v, %v", l.Status, l.UpdatedAt, err)
	}
	if history, err := r.History(t.Context(), "lead_1"); err != nil || !cmp.Equal(history, []lead.Change{change}) {
		t.Errorf("its history is %+v, %v", history, err)
	}
	update(t, s, func(tx *store.Tx) error { return tx.Mark(seq, []lead.Mark{lead.PastDate, lead.Duplicate}) })
	update(t, s, func(tx *store.Tx) error {
		l, err := tx.LeadBySeq(seq)
		if !cmp.Equal(l.Marks, []lead.Mark{lead.PastDate, lead.Duplicate}) {
			t.Errorf("its marks are %v", l.Marks)
		}
		return err
	})
	for what, err := range map[string]error{
		"a row": s.Update(t.Context(), func(tx *store.Tx) error { _, err := tx.LeadBySeq(seq + 1); return err }),
		"an id": s.Update(t.Context(), func(tx *store.Tx) error { _, err := tx.LeadOf("lead_none"); return err }),
	} {
		if KindOf(err) != lead.NotFound {
			t.Errorf("%s that does not exist: %v", what, err)
		}
	}
}

func (c Contract) eraseDuringDelivery(t *testing.T) {
	s := c.store(t)
	seq := received(t, s, "lead_1", Noon)
	var fingerprint string
	update(t, s, func(tx *store.Tx) error {
		l, err := tx.LeadBySeq(seq)
		if fingerprint = l.Request.Fingerprint(nil); err != nil {
			return err
		}
		return errors.Join(tx.EnterMarket(fingerprint, seq, Noon), tx.RecordSale(fingerprint, "buyer_1", Noon))
	})
	Erase(t, s, "lead_1")
	update(t, s, func(tx *store.Tx) error {
		_, found, err := tx.Delivery(seq)
		others, _, phoneErr := tx.LeadsOfPhone(fingerprint, fingerprint+"0", seq+1, Noon.Add(-time.Hour))
		soldTo, soldToErr := tx.SoldTo(fingerprint, Noon.Add(-time.Hour))
		if found || len(others) > 0 || len(soldTo) > 0 {
			t.Errorf("an erased lead has a delivery: %v; its fingerprint is known: %v, %v", found, others, soldTo)
		}
		return errors.Join(err, phoneErr, soldToErr)
	})
}
