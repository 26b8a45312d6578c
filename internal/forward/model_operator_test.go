package forward_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// modelBuyer is a buyer in the model. Its terms are in process.buyers.
type modelBuyer struct {
	id               string
	removed          bool
	goneStep         int // the step in which it was removed or switched off, or 0
	asked            int // its place in the order of all buyers asked
	failures, opened int
	openUntil        time.Time
	quietUntil       time.Time // until when it wants no new offers
	funds            buyer.Cents
}

func (w *world) buyer(id string) *modelBuyer {
	for _, mb := range w.buyers {
		if mb.id == id {
			return mb
		}
	}
	w.t.Fatalf("there never was a buyer %q", id)
	return nil
}

func address(id string) string {
	return "https://" + strings.ReplaceAll(id, "_", "-") + ".example.com/leads"
}

// addBuyer and editBuyer write as the operator does, but directly: package operator refuses terms such as plumbing, and the
// forwarder must not rely on that.
func (w *world) addBuyer() {
	mb := &modelBuyer{id: fmt.Sprintf("buyer_%d", len(w.buyers)+1)}
	w.buyers = append(w.buyers, mb)
	terms := w.terms(mb.id)
	terms.Practice = rapid.IntRange(0, 5).Draw(w.t, "practice") == 5
	w.put(buyer.Buyer{ID: mb.id, State: buyer.Active, Terms: terms, Secrets: []string{"whsec_"}, CreatedAt: w.now, UpdatedAt: w.now})
}

func (w *world) editBuyer() { w.edit(w.someBuyer()) }

func (w *world) edit(mb *modelBuyer) {
	var b buyer.Buyer
	w.must(w.st.Update(w.t.Context(), func(tx *store.Tx) (err error) { b, err = tx.Buyer(mb.id); return err }))
	practice := b.Terms.Practice
	b.Terms, b.UpdatedAt = w.terms(mb.id), w.now
	b.Terms.Practice = practice
	w.put(b)
}

func (w *world) put(b buyer.Buyer) {
	w.version++
	w.must(w.st.Update(w.t.Context(), func(tx *store.Tx) error {
		if err := tx.PutBuyer(b); err != nil {
			return err
		}
		h, err := tx.Health(b.ID)
		if err != nil {
			return err
		}
		h.WakeAt = w.now
		return tx.PutHealth(b.ID, h)
	}))
}

// hours are the opening hours of these buyers, as text and as code.
var hours = []struct {
	buyer.Hours
	open func(local time.Time) bool
}{
	{buyer.Hours{}, nil},
	{buyer.Hours{}, nil},
	{buyer.Hours{Zone: "America/Los_Angeles"}, nil},
	{buyer.Hours{Zone: "America/New_York"}, nil},
	{buyer.Hours{Text: "mon-fri 08:00-18:00", Zone: "America/New_York"}, func(t time.Time) bool {
		return t.Weekday() != time.Saturday && t.Weekday() != time.Sunday && t.Hour() >= 8 && t.Hour() < 18
	}},
	{buyer.Hours{Text: "sat-sun 01:30-24:00, wed 12:00-13:00", Zone: "America/New_York"}, func(t time.Time) bool {
		weekend := t.Weekday() == time.Saturday || t.Weekday() == time.Sunday
		return weekend && t.Hour()*60+t.Minute() >= 90 || t.Weekday() == time.Wednesday && t.Hour() == 12
	}},
}

// zones are the time zones of hours, loaded once.
var zones = func() map[string]*time.Location {
	all := make(map[string]*time.Location)
	for _, h := range hours {
		zone, err := time.LoadLocation(h.Zone)
		if err != nil {
			panic(err)
		}
		all[h.Zone] = zone
	}
	return all
}()

func isOpen(h buyer.Hours, now time.Time) bool {
	for _, known := range hours {
		if known.Hours == h && known.open != nil {
			return known.open(now.In(zones[h.Zone]))
		}
	}
	return true
}

// terms draws the terms of a buyer. Most are simple, so that leads get forwarded.
func (w *world) terms(id string) buyer.Terms {
	odd := func(what string) bool { return rapid.IntRange(0, 9).Draw(w.t, what) == 9 }
	t := buyer.Terms{Name: id, URL: address(id), Services: []lead.Service{lead.HVAC, lead.Handyman, lead.Plumbing}}
	if odd("few services") {
		t.Services = []lead.Service{lead.Handyman}
	}
	t.MaxInFlight = pick(w, "at the same time", []int{0, 0, 1, 2})
	t.Priority = pick(w, "priority", []int{buyer.DefaultPriority, 10, 20})
	t.Area.ZIPs = pick(w, "zips", []string{"", "*", "331*", "33139,90210", "33*,1*"})
	t.Area.Excluded = pick(w, "excluded", []string{"", "", "", "33101", "90*"})
	if odd("states") {
		t.Area.States = []string{"FL", "NY"}
	}
	t.Hours = pick(w, "hours", hours).Hours
	t.OneStep = rapid.IntRange(0, 2).Draw(w.t, "one-step") == 2
	t.PlainAccept = t.OneStep && rapid.Bool().Draw(w.t, "plain")
	if rapid.IntRange(0, 2).Draw(w.t, "capped") == 2 {
		few := rapid.SampledFrom([]int{0, 0, 1, 2, 3})
		t.Caps = buyer.Caps{Hour: few.Draw(w.t, "hour"), Day: few.Draw(w.t, "day"), Month: few.Draw(w.t, "month"), Total: few.Draw(w.t, "total")}
	}
	if rapid.IntRange(0, 2).Draw(w.t, "priced") == 2 {
		w.setPrices(&t)
	}
	t.Returns.Approve = pick(w, "approved", [][]lead.ReturnCode{nil, {lead.ReturnDuplicate}})
	t.Returns.Deny = pick(w, "denied", [][]lead.ReturnCode{nil, {lead.ReturnOther}})
	if rapid.IntRange(0, 3).Draw(w.t, "demanding") == 3 {
		t.Demands = buyer.Demands{OwnForm: odd("own form"), PlausiblePhone: odd("plausible"), NoDuplicates: rapid.Bool().Draw(w.t, "no duplicates"), Street: odd("street")}
	}
	return t
}

// present returns the buyers that were not removed.
func (w *world) present() []*modelBuyer {
	return slices.DeleteFunc(slices.Clone(w.buyers), func(mb *modelBuyer) bool { return mb.removed })
}

func (w *world) someBuyer() *modelBuyer { return pick(w, "buyer", w.present()) }

func (w *world) pause() { w.pauseOne(w.someBuyer()) }

func (w *world) pauseOne(mb *modelBuyer) {
	_, err := w.operator.Pause(w.t.Context(), ada, mb.id, "")
	if w.currentBuyers()[mb.id].State == buyer.Off { // one that is off stays off
		if err == nil {
			w.t.Fatalf("%s was off, and is paused", mb.id)
		}
		return
	}
	w.must(err)
	w.version++
	mb.goneStep = 0
	w.requeue(mb.id)
}

func (w *world) resume() {
	mb := w.someBuyer()
	_, err := w.operator.Resume(w.t.Context(), ada, mb.id)
	w.must(err)
	w.version++
	mb.failures, mb.opened, mb.openUntil, mb.quietUntil, mb.goneStep = 0, 0, time.Time{}, time.Time{}, 0
}

// switchOff switches a buyer off, as a 410 from its address does.
func (w *world) switchOff() {
	mb := w.someBuyer()
	b := w.currentBuyers()[mb.id]
	b.State, b.Why, b.UpdatedAt = buyer.Off, "gone", w.now
	w.put(b)
	w.must(w.st.Update(w.t.Context(), func(tx *store.Tx) error { return tx.Requeue(mb.id) }))
	w.requeue(mb.id)
	mb.goneStep = w.step
}

// rotate gives a buyer a second secret, or removes the old one. Held leads are not affected.
func (w *world) rotate() {
	w.compare("before") // the tables may not have been compared yet
	mb := w.someBuyer()
	before := w.currentBuyers()[mb.id]
	var err error
	if len(before.Secrets) > 1 {
		_, err = w.operator.EndRotation(w.t.Context(), ada, mb.id)
	} else {
		_, _, err = w.operator.Rotate(w.t.Context(), ada, mb.id, fmt.Sprint("whsec_", w.step))
	}
	w.must(err)
	w.version++
	after, wake := w.currentBuyers()[mb.id], w.nextWake
	if w.compare("rotate"); !w.nextWake.Equal(wake) || !after.UpdatedAt.Equal(before.UpdatedAt) || slices.Equal(after.Secrets, before.Secrets) {
		w.t.Fatalf("a change of a secret wakes %s at %v, before at %v", mb.id, w.nextWake, wake)
	}
}

func (w *world) remove() {
	mb := w.someBuyer()
	_, _, err := w.operator.Remove(w.t.Context(), ada, mb.id, true)
	w.must(err)
	w.version++
	w.requeue(mb.id)
	underWay := 0
	for _, l := range w.leads {
		switch {
		case l.status != lead.Received || l.queue != mb.id:
		case !l.leased:
			l.due, l.latest = w.now, w.now.Add(3*time.Second) // when every process knows that the buyer is gone
		case l.due.After(w.now):
			underWay++
		}
	}
	if n, err := w.st.Sending(w.t.Context(), mb.id, w.now, w.now); err != nil || n != underWay {
		w.t.Fatalf("the removal of %s waits for %d messages (%v), but the model says that %d are under way", mb.id, n, err, underWay)
	}
	*mb = modelBuyer{id: mb.id, removed: true, goneStep: w.step, funds: mb.funds}
}

// suppress suppresses a phone number, and closes its held leads.
func (w *world) suppress() {
	phone := somePhone.Draw(w.t, "phone")
	if _, before := w.suppressed[phone]; !before {
		w.suppressed[phone] = w.step
	}
	_, err := w.operator.Suppress(w.t.Context(), ada, phone, "asked")
	w.must(err)
	w.refreshStores()
	for _, l := range w.leads {
		if l.status == lead.Collected && l.Request.Contact.Phone == phone && !l.erased {
			w.endDelivery(l, lead.Rejected)
		}
	}
}

// someLead draws a lead that meets a condition.
func (w *world) someLead(which func(*modelLead) bool) *modelLead {
	return pick(w, "lead", slices.DeleteFunc(slices.Clone(w.leads), func(l *modelLead) bool { return !which(l) }))
}

// erase erases the person of a lead.
func (w *world) erase() {
	l := pick(w, "lead", w.leads)
	_, err := w.operator.Erase(w.t.Context(), ada, l.ID)
	w.must(err)
	first, who := !l.erased, l.fingerprint()
	if first {
		delete(w.sold, who)
		w.erasedSales[who] = true
	}
	l.erased = true
	if l.status == lead.Received || l.status == lead.Collected {
		w.reject(l)
	}
	if first {
		w.checkTogether(who)
	}
}

// checkTogether makes all duplicates under a fingerprint due for a check if one of them is.
func (w *world) checkTogether(f fingerprint) {
	all := slices.DeleteFunc(slices.Clone(w.leads), func(l *modelLead) bool { return l.withheld != lead.Duplicate || l.fingerprint() != f })
	var due time.Time
	for _, l := range all {
		if !l.checkAt.IsZero() && (due.IsZero() || l.checkAt.Before(due)) {
			due = l.checkAt
		}
	}
	for _, l := range all {
		l.checkAt = due
	}
}

func locked(l *modelLead) bool { return l.status == lead.Errored && !l.erased }

// releasable reports whether an operator can put a lead on the market.
func (w *world) releasable(l *modelLead) bool {
	return locked(l) || l.status == lead.Collected && !l.erased && l.Request.Contact.Phone != "" && w.isCovered(l.Lead)
}

func (l *modelLead) lost() *modelOffer {
	for _, o := range slices.Backward(l.offers) {
		if o.state == buyer.OfferLost {
			return o
		}
	}
	return nil
}

// release unlocks a lead in error, because the operator has found out that the buyer does not have it, or puts a held one on
// the market, whatever the reason it was held.
func (w *world) release() {
	l := w.someLead(w.releasable)
	now, err := w.operator.Release(w.t.Context(), ada, l.ID)
	w.must(err)
	w.tally.count("an operator releases a lead that is %s (%s)", l.status, l.withheld)
	l.entered, l.byOperator, l.withheld, l.checkAt = true, true, "", time.Time{}
	if o := l.lost(); o != nil {
		if o.state = buyer.OfferFailed; o.code != "" {
			o.state = buyer.OfferDeclined
		}
	}
	l.unlocks++
	if want := w.isCovered(l.Lead); want != (now.Status == lead.Received) {
		w.t.Fatalf("%s was released, and is %s, but it is covered: %v", l.ID, now.Status, want)
	}
	if l.status = now.Status; l.status == lead.Received {
		l.modelDelivery = modelDelivery{step: buyer.StepAsk, since: w.now}
		l.isDue(w.now)
	}
}

func (w *world) replayable(l *modelLead) bool {
	o := l.lost()
	return locked(l) && o != nil && !w.buyer(o.to).removed && !w.mustReject(l)
}

// replay sends a contact again to the buyer that accepted it.
func (w *world) replay() {
	l := w.someLead(w.replayable)
	o := l.lost()
	_, err := w.operator.Replay(w.t.Context(), ada, l.ID)
	w.must(err)
	if o.state, o.code = buyer.OfferAccepted, ""; o.oneStep {
		o.state = buyer.OfferOpen
	}
	l.unlocks++
	l.byOperator = true
	o.unlocks = l.unlocks
	l.status, l.modelDelivery = lead.Received, modelDelivery{step: buyer.StepDeliver, queue: o.to, offer: o, mayHaveContact: true, since: w.now}
	l.isDue(w.now)
}

func forSale(l *modelLead) bool { return l.status == lead.Received || l.status == lead.Collected }

// closeOne takes a lead off the market, unless a buyer has the contact or is about to get it.
func (w *world) closeOne() {
	l := w.someLead(forSale)
	closed, err := w.operator.CloseLead(w.t.Context(), ada, l.ID, "sold elsewhere")
	w.must(err)
	underWay := l.mayHaveContact || l.offer != nil && l.offer.state == buyer.OfferAccepted
	if underWay != (closed.Left != "") {
		w.t.Fatalf("%s is left as it is because %q, but the model says that its contact is under way: %v", l.ID, closed.Left, underWay)
	}
	if w.tally.count("a lead is closed: %v", !underWay); !underWay {
		w.reject(l)
	}
}

// mayTakeBack reports whether a person can still take a lead back. After a few attempts in a day, nobody can.
func mayTakeBack(l *modelLead) bool { return !l.erased && l.takenBack < lead.MaxPrivacyRequests }

// takeBack is a person who takes a request back on the privacy page, and all its repeats with it.
func (w *world) takeBack() {
	l := w.someLead(mayTakeBack)
	l.takenBack++
	w.must(w.operator.SavePrivacyRequest(w.t.Context(), lead.PrivacyRequest{
		ID: fmt.Sprint("wish_", w.step), At: w.now, Kind: lead.Withdraw, Phone: l.Request.Contact.Phone, LeadID: l.ID, State: lead.PrivacyOpen,
	}, "taken back"))
	w.tally.count("a person takes a lead back that is %s (%s)", l.status, l.withheld)
	if forSale(l) && !l.mayHaveContact {
		w.reject(l)
	}
	for _, other := range w.leads {
		if forSale(other) && !other.mayHaveContact && other.fingerprint() == l.fingerprint() {
			w.tally.count("a repeat of a lead that is taken back is %s (%s)", other.status, other.withheld)
			w.reject(other)
		}
	}
}

const holdDays = 30 * 24 * time.Hour

// closeHeld closes leads that were held too long.
func (w *world) closeHeld() {
	_, err := storetest.Job(w.t, w.st).CloseHeld(w.t.Context(), w.now.Add(-holdDays), lead.Change{At: w.now, Status: lead.Rejected, Actor: lead.ByService, Reason: "held for as long as hold-days says"})
	w.must(err)
	for _, l := range w.leads {
		if l.status == lead.Collected && l.CreatedAt.Before(w.now.Add(-holdDays)) {
			w.endDelivery(l, lead.Rejected)
		}
	}
}
