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
)

// party is a buyer, as the model has it. Its terms are what processes know of it.
type party struct {
	id              string
	removed         bool
	gone            int // in which step it was removed or switched off, or 0
	asked           int // its turn among all that were asked
	failures, trips int
	shut            time.Time
	quiet           time.Time // until when it asked to be left alone
}

func (w *world) party(id string) *party {
	for _, x := range w.buyers {
		if x.id == id {
			return x
		}
	}
	w.t.Fatalf("there never was a buyer %q", id)
	return nil
}

func address(id string) string {
	return "https://" + strings.ReplaceAll(id, "_", "-") + ".example.com/leads"
}

// addBuyer and editBuyer write as the desk does. Not through it: it refuses terms that nobody should have, such as
// plumbing, and the forwarder must not rely on that.
func (w *world) addBuyer() {
	x := &party{id: fmt.Sprintf("buyer_%d", len(w.buyers)+1)}
	w.buyers = append(w.buyers, x)
	w.put(buyer.Buyer{ID: x.id, State: buyer.Active, Terms: w.terms(x.id), Secrets: []string{"whsec_"}, CreatedAt: w.now, UpdatedAt: w.now})
}

func (w *world) editBuyer() { w.edit(w.someBuyer()) }

func (w *world) edit(x *party) {
	var b buyer.Buyer
	w.must(w.st.Update(w.t.Context(), func(p *store.Tx) (err error) { b, err = p.Buyer(x.id); return err }))
	b.Terms, b.UpdatedAt = w.terms(x.id), w.now
	w.put(b)
}

func (w *world) put(b buyer.Buyer) {
	w.version++
	w.must(w.st.Update(w.t.Context(), func(p *store.Tx) error {
		if err := p.PutBuyer(b); err != nil {
			return err
		}
		s, err := p.Health(b.ID)
		if err != nil {
			return err
		}
		s.WakeAt = w.now
		return p.PutHealth(b.ID, s)
	}))
}

// hours are when buyers are open here, in their words and in code.
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

// zones are those of the hours, read once.
var zones = func() map[string]*time.Location {
	all := make(map[string]*time.Location)
	for _, x := range hours {
		zone, err := time.LoadLocation(x.Zone)
		if err != nil {
			panic(err)
		}
		all[x.Zone] = zone
	}
	return all
}()

func isOpen(h buyer.Hours, now time.Time) bool {
	for _, x := range hours {
		if x.Hours == h && x.open != nil {
			return x.open(now.In(zones[h.Zone]))
		}
	}
	return true
}

// terms draws what is agreed with a buyer. Most are plain, so that something happens.
func (w *world) terms(id string) buyer.Terms {
	odd := func(what string) bool { return rapid.IntRange(0, 9).Draw(w.t, what) == 9 }
	t := buyer.Terms{Name: id, URL: address(id), Services: []lead.Service{lead.HVAC, lead.Handyman, lead.Plumbing}}
	if odd("few services") {
		t.Services = []lead.Service{lead.Handyman}
	}
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
	if rapid.IntRange(0, 3).Draw(w.t, "demanding") == 3 {
		t.Demands = buyer.Demands{OwnForm: odd("own form"), PlausiblePhone: odd("plausible"), NoDuplicates: rapid.Bool().Draw(w.t, "no duplicates"), Street: odd("street")}
	}
	return t
}

// present are the buyers that were not removed.
func (w *world) present() []*party {
	return slices.DeleteFunc(slices.Clone(w.buyers), func(x *party) bool { return x.removed })
}

func (w *world) someBuyer() *party { return pick(w, "buyer", w.present()) }

func (w *world) pause() { w.pauseOne(w.someBuyer()) }

func (w *world) pauseOne(x *party) {
	_, err := w.operator.Pause(w.t.Context(), x.id, "")
	if w.roster()[x.id].State == buyer.Off { // one that is off stays off
		if err == nil {
			w.t.Fatalf("%s was off, and is paused", x.id)
		}
		return
	}
	w.must(err)
	w.version++
	x.gone = 0
	w.disperse(x.id)
}

func (w *world) resume() {
	x := w.someBuyer()
	_, err := w.operator.Resume(w.t.Context(), x.id)
	w.must(err)
	w.version++
	x.failures, x.trips, x.shut, x.quiet, x.gone = 0, 0, time.Time{}, time.Time{}, 0
}

// switchOff is what an address brings about that says that it is gone.
func (w *world) switchOff() {
	x := w.someBuyer()
	b := w.roster()[x.id]
	b.State, b.Why, b.UpdatedAt = buyer.Off, "gone", w.now
	w.put(b)
	w.must(w.st.Update(w.t.Context(), func(p *store.Tx) error { return p.Requeue(x.id) }))
	w.disperse(x.id)
	x.gone = w.step
}

// rotate gives a buyer a second secret, or takes the old one away. Nothing about it is new for what is held.
func (w *world) rotate() {
	w.compare("before") // it may not have been looked at yet
	x := w.someBuyer()
	before := w.roster()[x.id]
	var err error
	if len(before.Secrets) > 1 {
		_, err = w.operator.EndRotation(w.t.Context(), x.id)
	} else {
		_, _, err = w.operator.Rotate(w.t.Context(), x.id, fmt.Sprint("whsec_", w.step))
	}
	w.must(err)
	w.version++
	after, alarm := w.roster()[x.id], w.alarm
	if w.compare("rotate"); !w.alarm.Equal(alarm) || !after.UpdatedAt.Equal(before.UpdatedAt) || slices.Equal(after.Secrets, before.Secrets) {
		w.t.Fatalf("a change of a secret wakes %s at %v, before at %v", x.id, w.alarm, alarm)
	}
}

func (w *world) remove() {
	x := w.someBuyer()
	_, _, err := w.operator.Remove(w.t.Context(), x.id, true)
	w.must(err)
	w.version++
	w.disperse(x.id)
	underWay := 0
	for _, l := range w.leads {
		switch {
		case l.status != lead.Received || l.lane != x.id:
		case !l.leased:
			l.due, l.latest = w.now, w.now.Add(3*time.Second) // when everybody knows that the buyer is gone
		case l.due.After(w.now):
			underWay++
		}
	}
	if n, err := w.st.Sending(w.t.Context(), x.id, w.now, w.now); err != nil || n != underWay {
		w.t.Fatalf("the removal of %s waits for %d messages (%v), but the model says that %d are under way", x.id, n, err, underWay)
	}
	*x = party{id: x.id, removed: true, gone: w.step}
}

// suppress keeps a number from being contacted, and closes what is held of it.
func (w *world) suppress() {
	phone := somePhone.Draw(w.t, "phone")
	if _, before := w.barred[phone]; !before {
		w.barred[phone] = w.step
	}
	w.must(w.st.Suppress(w.t.Context(), store.Suppression{Phone: phone, Reason: "asked", CreatedAt: w.now}))
	w.refreshStores()
	_, err := w.st.CloseHeldOf(w.t.Context(), phone, lead.Change{At: w.now, Status: lead.Rejected, Actor: lead.ByOperator, Reason: "number suppressed"})
	w.must(err)
	for _, l := range w.leads {
		if l.status == lead.Collected && l.Request.Contact.Phone == phone && !l.erased {
			w.stop(l, lead.Rejected)
		}
	}
}

// someLead draws a lead that a condition holds for.
func (w *world) someLead(which func(*request) bool) *request {
	return pick(w, "lead", slices.DeleteFunc(slices.Clone(w.leads), func(l *request) bool { return !which(l) }))
}

// erase forgets who sent a lead.
func (w *world) erase() {
	l := pick(w, "lead", w.leads)
	w.must(w.st.Erase(w.t.Context(), l.ID, lead.Change{At: w.now, Status: lead.Rejected, Actor: lead.ByOperator, Reason: "erased"}))
	if !l.erased {
		delete(w.sold, l.print())
		w.forgot[l.print()] = true
	}
	l.erased = true
	if l.status == lead.Received || l.status == lead.Collected {
		w.bar(l)
	}
}

func locked(l *request) bool { return l.status == lead.Errored && !l.erased }

// releasable says that an operator can put a lead on the market.
func (w *world) releasable(l *request) bool {
	return locked(l) || l.status == lead.Collected && !l.erased && l.Request.Contact.Phone != "" && w.isCovered(l.Lead)
}

func (l *request) lost() *proposal {
	for _, o := range slices.Backward(l.offers) {
		if o.state == buyer.OfferLost {
			return o
		}
	}
	return nil
}

// release unlocks a lead in error, because the operator has found out that the buyer does not have it, or puts a held one on
// the market, whatever kept it off.
func (w *world) release() {
	l := w.someLead(w.releasable)
	now, err := w.operator.Release(w.t.Context(), l.ID)
	w.must(err)
	w.seen.count("an operator releases a lead that is %s (%s)", l.status, l.withheld)
	l.entered, l.freed, l.withheld, l.lookAt = true, true, "", time.Time{}
	if o := l.lost(); o != nil {
		if o.state = buyer.OfferFailed; o.code != "" {
			o.state = buyer.OfferDeclined
		}
	}
	l.era++
	if want := w.isCovered(l.Lead); want != (now.Status == lead.Received) {
		w.t.Fatalf("%s was released, and is %s, but it is covered: %v", l.ID, now.Status, want)
	}
	if l.status = now.Status; l.status == lead.Received {
		l.errand = errand{step: buyer.StepAsk, since: w.now}
		l.isDue(w.now)
	}
}

func (w *world) replayable(l *request) bool {
	o := l.lost()
	return locked(l) && o != nil && !w.party(o.to).removed && !w.isBarred(l)
}

// replay sends a contact to the buyer that accepted it, again.
func (w *world) replay() {
	l := w.someLead(w.replayable)
	o := l.lost()
	_, err := w.operator.Replay(w.t.Context(), l.ID)
	w.must(err)
	if o.state, o.code = buyer.OfferAccepted, ""; o.oneStep {
		o.state = buyer.OfferOpen
	}
	l.era++
	l.freed = true
	o.era = l.era
	l.status, l.errand = lead.Received, errand{step: buyer.StepDeliver, lane: o.to, offer: o, unsure: true, since: w.now}
	l.isDue(w.now)
}

func forSale(l *request) bool { return l.status == lead.Received || l.status == lead.Collected }

// closeOne takes a lead out of sale, unless a buyer has the contact or is about to have it.
func (w *world) closeOne() {
	l := w.someLead(forSale)
	closed, err := w.operator.CloseLead(w.t.Context(), l.ID, "sold elsewhere")
	w.must(err)
	underWay := l.unsure || l.offer != nil && l.offer.state == buyer.OfferAccepted
	if underWay != (closed.Left != "") {
		w.t.Fatalf("%s is left as it is because %q, but the model says that its contact is under way: %v", l.ID, closed.Left, underWay)
	}
	if w.seen.count("a lead is closed: %v", !underWay); !underWay {
		w.bar(l)
	}
}

const holdDays = 30 * 24 * time.Hour

// closeHeld gives up on what was held too long.
func (w *world) closeHeld() {
	_, err := w.st.CloseHeld(w.t.Context(), w.now.Add(-holdDays), lead.Change{At: w.now, Status: lead.Rejected, Actor: lead.ByService, Reason: "held for as long as hold-days says"})
	w.must(err)
	for _, l := range w.leads {
		if l.status == lead.Collected && l.CreatedAt.Before(w.now.Add(-holdDays)) {
			w.stop(l, lead.Rejected)
		}
	}
}
