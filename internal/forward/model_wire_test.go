package forward_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
)

// flight is one message that a process took to send, up to its end.
type flight struct {
	p       *process
	task    forward.Task
	of      *request
	on      *proposal
	kind    string
	plain   bool // whether a 2xx without a decision accepts
	before  bool // whether the buyer may have had the contact before
	url     string
	secrets []string
	step    int // in which it was taken
	taken   time.Time
	said    *answer
}

// letter is a message as it was sent first.
type letter struct {
	on   *proposal
	kind string
	body []byte
}

// word is what a buyer really answered.
type word struct {
	kind string
	meaning
}

// send puts a message on the wire, and lets the buyer answer.
func (w *world) send(f *flight) {
	letter, err := f.p.Letter(w.t.Context(), f.task)
	w.must(err)
	w.inspect(f, letter)
	a := w.script
	if a == nil {
		a = pick(w, "answer", w.weather)
	}
	f.said = a
	w.t.Logf("%s: %s to %s, which answers with %s", f.of.ID, f.kind, f.on.to, a.name)
	w.seen.count("%s answered with %s", f.kind, a.name)
	if a.reply.Sent && f.kind == forward.LeadDelivered {
		f.on.reached = true
	}
	if a.reply.Status != 0 {
		f.on.words = append(f.on.words, word{f.kind, a.means(f)})
	}
}

// inspect looks at a message as the buyer's engineer would, and at what may not be in it.
func (w *world) inspect(f *flight, l forward.Message) {
	var e struct {
		Type string
		Data struct {
			Lead  string `json:"lead_id"`
			Offer string `json:"offer_id"`
			Phone string `json:"customer_phone"`
		}
	}
	if err := json.Unmarshal(l.Body, &e); err != nil {
		w.t.Fatal(err)
	}
	if e.Type != f.kind || e.Data.Offer != f.on.id || l.URL != f.url || !slices.Equal(l.Secrets, f.secrets) {
		w.t.Fatalf("%s of %s to %s was sent as %s to %s, signed with %v, not %v", f.kind, f.on.id, f.on.to, l.Body, l.URL, l.Secrets, f.secrets)
	}
	w.knownAs(f, e.Data.Lead)
	first, repeated := w.messages[l.ID]
	for id, m := range w.messages {
		if id != l.ID && m.on == f.on && m.kind == f.kind {
			w.t.Fatalf("%s of %s has two ids: %s, %s", f.kind, f.on.id, id, l.ID)
		}
	}
	switch {
	case !repeated:
		w.messages[l.ID] = letter{f.on, f.kind, l.Body}
	case first.on != f.on || first.kind != f.kind:
		w.t.Fatalf("%s is the id of two messages: of %s and %s", l.ID, first.on.id, f.on.id)
	case !bytes.Equal(first.body, l.Body):
		w.t.Fatalf("%s reads differently in a later attempt:\n%s\n%s", l.ID, first.body, l.Body)
	}
	if f.kind == forward.LeadDelivered {
		if e.Data.Phone != f.of.Request.Contact.Phone {
			w.t.Fatalf("the contact of %s was delivered for %s", e.Data.Phone, f.of.ID)
		}
		w.mayHaveContact(f)
	} else {
		w.keepsSecret(f, l.Body)
	}
	w.mayHear(f)
	w.mayBeOnMarket(f)
}

// knownAs holds that a buyer knows a lead by one id, which is its own alone.
func (w *world) knownAs(f *flight, id string) {
	whose := f.of.ID + " " + f.on.to
	if before, known := w.aliases[id]; known && before != whose || id == f.of.ID {
		w.t.Fatalf("%s is told to %s as %s, which is an id of %s", f.of.ID, f.on.to, id, before)
	}
	for other, who := range w.aliases {
		if who == whose && other != id {
			w.t.Fatalf("%s is told to %s as %s and as %s", f.of.ID, f.on.to, other, id)
		}
	}
	w.aliases[id] = whose
}

// keepsSecret holds that an offer does not tell who the person is.
func (w *world) keepsSecret(f *flight, body []byte) {
	c := f.of.Request.Contact
	for _, canary := range []string{c.Name, strings.TrimPrefix(c.Phone, "+1"), c.Email, c.Street, c.Notes} {
		if canary != "" && bytes.Contains(body, []byte(canary)) {
			w.t.Fatalf("an offer tells who the person is (%q): %s", canary, body)
		}
	}
}

// mayHaveContact holds that a contact goes to one buyer: one that accepted this very offer, or a one-step buyer.
func (w *world) mayHaveContact(f *flight) {
	if !f.on.oneStep {
		if last := f.on.last(forward.LeadOffered); !f.on.accepted || last != yes {
			w.t.Fatalf("%s went to %s, whose last word on %s was %q", f.of.ID, f.on.to, f.on.id, last)
		}
	}
	for _, o := range f.of.offers {
		if o == f.on || o.era != f.of.era || !o.reached {
			continue
		}
		if last := o.last(forward.LeadDelivered); !o.oneStep || last != no && last != pauses && last != ends {
			w.t.Fatalf("the contact of %s went to %s and to %s, whose last word was %q", f.of.ID, o.to, f.on.to, last)
		}
	}
}

// mayHear holds what makes that a buyer is not told about a lead at all.
func (w *world) mayHear(f *flight) {
	r := f.of.Request
	if r.Service.Live() || !r.Consent {
		w.t.Fatalf("%s (%s, consent %v) was sent to %s", f.of.ID, r.Service, r.Consent, f.on.to)
	}
	if at, barred := w.barred[r.Contact.Phone]; barred && at < f.step {
		w.t.Fatalf("%s was taken to be sent to %s after its number was suppressed", f.of.ID, f.on.to)
	}
	if x := w.party(f.on.to); x.gone != 0 && x.gone < f.step {
		w.t.Fatalf("%s was taken to be sent to %s after that was removed or switched off", f.of.ID, f.on.to)
	}
	for _, o := range f.of.offers {
		switch {
		case o != f.on && o.accepted && o.era == f.of.era:
			w.t.Fatalf("%s was shown to %s after %s accepted it", f.of.ID, f.on.to, o.to)
		case o.to == f.on.to && o.refused && (o == f.on || o.code.ForGood()):
			w.t.Fatalf("%s heard of %s again by %s, after it declined %s with %s", f.on.to, f.of.ID, f.on.id, o.id, o.code)
		}
	}
}

// last is a buyer's last word on an offer, to a kind of message.
func (o *proposal) last(kind string) meaning {
	var last meaning
	for _, x := range o.words {
		if x.kind == kind {
			last = x.meaning
		}
	}
	return last
}

// flying draws one of the flights that a condition holds for.
func (w *world) flying(which func(*flight) bool) *flight {
	return pick(w, "flight", slices.DeleteFunc(slices.Clone(w.flights), func(f *flight) bool { return !which(f) }))
}

// drop ends a flight, and gives its slot back.
func (w *world) drop(f *flight) {
	f.p.GiveBack(f.on.to)
	f.p.inside[f.on.to]--
	w.forget(f)
}

// late says that a lease is over before anything was sent. A process that sleeps so long is as good as dead.
func (w *world) late(f *flight) bool {
	return f.said == nil && w.step != f.step && !w.now.Before(f.taken.Add(buyer.Lease))
}
