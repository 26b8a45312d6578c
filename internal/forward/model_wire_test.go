package forward_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/webhook"
)

// flight is one message in flight: claimed by a process, until it is settled or lost.
type flight struct {
	p       *process
	task    forward.Task
	of      *modelLead
	on      *modelOffer
	kind    string
	plain   bool // a 2xx without a decision accepts
	before  bool // the buyer may have had the contact before
	url     string
	secrets []string
	step    int // the step in which it was claimed
	taken   time.Time
	answer  *answer
}

// sentMessage is a message as first sent.
type sentMessage struct {
	on   *modelOffer
	kind string
	body []byte
}

// response is what a buyer really answered.
type response struct {
	kind string
	meaning
}

// send sends a message and draws the buyer's answer.
func (w *world) send(f *flight) {
	msg, err := f.p.BuildMessage(w.t.Context(), f.task)
	w.must(err)
	w.checkMessage(f, msg)
	a := w.scripted
	if a == nil {
		a = pick(w, "answer", w.answerMix)
	}
	f.answer = a
	w.t.Logf("%s: %s to %s, which answers with %s", f.of.ID, f.kind, f.on.to, a.name)
	w.tally.count("%s answered with %s", f.kind, a.name)
	if a.reply.Sent && f.kind == forward.LeadDelivered {
		f.on.reached = true
	}
	if a.reply.Status != 0 {
		f.on.responses = append(f.on.responses, response{f.kind, a.means(f)})
	}
}

// checkMessage checks a message as the buyer's engineer would, and that it contains nothing it must not.
func (w *world) checkMessage(f *flight, msg webhook.Message) {
	var e struct {
		Type string
		Data struct {
			Lead  string `json:"lead_id"`
			Offer string `json:"offer_id"`
			Phone string `json:"customer_phone"`
		}
	}
	if err := json.Unmarshal(msg.Body, &e); err != nil {
		w.t.Fatal(err)
	}
	if e.Type != f.kind || e.Data.Offer != f.on.id || msg.URL != f.url || !slices.Equal(msg.Secrets, f.secrets) {
		w.t.Fatalf("%s of %s to %s was sent as %s to %s, signed with %v, not %v", f.kind, f.on.id, f.on.to, msg.Body, msg.URL, msg.Secrets, f.secrets)
	}
	w.checkLeadID(f, e.Data.Lead)
	first, repeated := w.messages[msg.ID]
	for id, m := range w.messages {
		if id != msg.ID && m.on == f.on && m.kind == f.kind {
			w.t.Fatalf("%s of %s has two ids: %s, %s", f.kind, f.on.id, id, msg.ID)
		}
	}
	switch {
	case !repeated:
		w.messages[msg.ID] = sentMessage{f.on, f.kind, msg.Body}
	case first.on != f.on || first.kind != f.kind:
		w.t.Fatalf("%s is the id of two messages: of %s and %s", msg.ID, first.on.id, f.on.id)
	case !bytes.Equal(first.body, msg.Body):
		w.t.Fatalf("%s reads differently in a later attempt:\n%s\n%s", msg.ID, first.body, msg.Body)
	}
	if f.kind == forward.LeadDelivered {
		if e.Data.Phone != f.of.Request.Contact.Phone {
			w.t.Fatalf("the contact of %s was delivered for %s", e.Data.Phone, f.of.ID)
		}
		w.checkContact(f)
	} else {
		w.checkAnonymous(f, msg.Body)
	}
	w.checkRecipient(f)
	w.checkMarket(f)
}

// checkLeadID checks that each buyer sees one id for a lead, which no other buyer sees.
func (w *world) checkLeadID(f *flight, id string) {
	whose := f.of.ID + " " + f.on.to
	if before, known := w.aliases[id]; known && before != whose || id == f.of.ID {
		w.t.Fatalf("%s is known to %s as %s, which is an id of %s", f.of.ID, f.on.to, id, before)
	}
	for other, who := range w.aliases {
		if who == whose && other != id {
			w.t.Fatalf("%s is known to %s as %s and as %s", f.of.ID, f.on.to, other, id)
		}
	}
	w.aliases[id] = whose
}

// checkAnonymous checks that an offer does not identify the person.
func (w *world) checkAnonymous(f *flight, body []byte) {
	if told := forward.Told(f.of.Request.Contact, body); told != nil {
		w.t.Fatalf("an offer tells who the person is (%v): %s", told, body)
	}
}

// checkContact checks that a contact goes to only one buyer: one that accepted this very offer, or a one-step buyer.
func (w *world) checkContact(f *flight) {
	if !f.on.oneStep {
		if last := f.on.last(forward.LeadOffered); !f.on.accepted || last != yes {
			w.t.Fatalf("%s went to %s, whose last word on %s was %q", f.of.ID, f.on.to, f.on.id, last)
		}
	}
	for _, o := range f.of.offers {
		if o == f.on || o.unlocks != f.of.unlocks || !o.reached {
			continue
		}
		if last := o.last(forward.LeadDelivered); !o.oneStep || last != no && last != pauses && last != ends {
			w.t.Fatalf("the contact of %s went to %s and to %s, whose last word was %q", f.of.ID, o.to, f.on.to, last)
		}
	}
}

// checkRecipient checks the rules by which a buyer gets no message about a lead at all.
func (w *world) checkRecipient(f *flight) {
	r := f.of.Request
	if r.Service.Live() || !r.Consent {
		w.t.Fatalf("%s (%s, consent %v) was sent to %s", f.of.ID, r.Service, r.Consent, f.on.to)
	}
	if at, barred := w.suppressed[r.Contact.Phone]; barred && at < f.step {
		w.t.Fatalf("%s was taken to be sent to %s after its number was suppressed", f.of.ID, f.on.to)
	}
	if b := w.currentBuyers()[f.on.to]; b.Terms.Practice {
		w.tally.count("a practice buyer gets a message")
		if r.Contact.Phone == normalPhone {
			w.t.Fatalf("%s was sent to %s, which is for practice", f.of.ID, f.on.to)
		}
	}
	if mb := w.buyer(f.on.to); mb.goneStep != 0 && mb.goneStep < f.step {
		w.t.Fatalf("%s was taken to be sent to %s after that was removed or switched off", f.of.ID, f.on.to)
	}
	for _, o := range f.of.offers {
		switch {
		case o != f.on && o.accepted && o.unlocks == f.of.unlocks:
			w.t.Fatalf("%s was shown to %s after %s accepted it", f.of.ID, f.on.to, o.to)
		case o.to == f.on.to && o.refused && (o == f.on || o.code.ForGood()):
			w.t.Fatalf("%s was offered %s again by %s, after it declined %s with %s", f.on.to, f.of.ID, f.on.id, o.id, o.code)
		}
	}
}

// last returns a buyer's last answer on an offer, to a kind of message.
func (o *modelOffer) last(kind string) meaning {
	var last meaning
	for _, r := range o.responses {
		if r.kind == kind {
			last = r.meaning
		}
	}
	return last
}

// pickFlight draws a flight that meets a condition.
func (w *world) pickFlight(which func(*flight) bool) *flight {
	return pick(w, "flight", slices.DeleteFunc(slices.Clone(w.flights), func(f *flight) bool { return !which(f) }))
}

// endFlight ends a flight, and releases its slot.
func (w *world) endFlight(f *flight) {
	f.p.ReleaseSlot(f.on.to)
	f.p.inUse[f.on.to]--
	w.forgetFlight(f)
}

// leaseExpired reports whether the lease ended before anything was sent. A process suspended for so long is as good as dead.
func (w *world) leaseExpired(f *flight) bool {
	return f.answer == nil && w.step != f.step && !w.now.Before(f.taken.Add(buyer.Lease))
}
