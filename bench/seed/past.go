package seed

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

const (
	span = 58 * 24 * time.Hour // how far the past reaches back
	held = 29 * 24 * time.Hour // what is older is not held any more, nor are its prints kept
)

var (
	consentText = lead.ConsentText{Version: "seeded", Text: "I agree to be contacted about this request."}
	consented   = consentText.Ref()
	buyers      = []string{"buyer_seeded1", "buyer_seeded2", "buyer_seeded3"}
	cities      = []struct{ name, state string }{{"Miami Beach", "FL"}, {"Boston", "MA"}, {"Tulsa", "OK"}, {"", ""}}
	agents      = []string{"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "curl/8.14.1", "assistant/2.0"}
)

// mix is how many of a thousand leads have each status.
type mix []struct {
	status lead.Status
	share  int
}

// Rejected leads are old ones: nobody covered them for as long as they were held. Theirs is the list that has to pass
// over the most others.
var (
	longAgo  = mix{{lead.Forwarded, 780}, {lead.CallToConnect, 100}, {lead.Rejected, 110}, {lead.Errored, 10}}
	recently = mix{{lead.Forwarded, 440}, {lead.Collected, 430}, {lead.CallToConnect, 100}, {lead.Errored, 20}, {lead.Received, 10}}
)

func (m mix) pick(n int) lead.Status {
	for _, part := range m {
		if n -= part.share; n < 0 {
			return part.status
		}
	}
	return m[0].status
}

// past makes up what a service has behind it: the same each time.
type past struct {
	chance *rand.Rand
	now    time.Time
	step   time.Duration // between two leads
	leads  int
}

func newPast(leads int, now time.Time) *past {
	return &past{chance: rand.New(rand.NewPCG(1, 2)), now: now, step: span / time.Duration(max(leads, 1)), leads: leads}
}

// live writes down one lead and what became of it.
func (p *past) live(b *books, seq int64) error {
	at := p.now.Add(-p.step * time.Duration(int64(p.leads)-seq+1))
	l := lead.Lead{ID: p.id("lead_", at), CreatedAt: at, UpdatedAt: at, Status: longAgo.pick(p.chance.IntN(1000))}
	if p.recent(l) {
		l.Status = recently.pick(p.chance.IntN(1000))
	}
	l.Request, l.Evidence = p.request(l.Status), p.evidence()
	var err error
	switch l.Status {
	case lead.Forwarded:
		l.UpdatedAt = at.Add(time.Second)
		err = p.forwarded(b, seq, l)
	case lead.Errored:
		l.UpdatedAt = at.Add(time.Hour)
		err = p.failed(b, seq, l)
	case lead.Rejected:
		l.UpdatedAt = at.Add(held)
		err = p.note(b, seq, l, "held for as long as hold-days says")
	case lead.Received: // before a buyer that is to be asked again tomorrow
		err = b.deliveries.add(seq, p.buyer(), p.now.Add(24*time.Hour).UnixMicro(), at.UnixMicro(), int64(3))
	}
	return errors.Join(err, p.keep(b, seq, l))
}

func (p *past) recent(l lead.Lead) bool { return l.CreatedAt.After(p.now.Add(-held)) }

// keep writes the lead's own row, as the intake would have.
func (p *past) keep(b *books, seq int64, l lead.Lead) error {
	job, err := json.Marshal(l.Request.Job)
	contact, contactErr := json.Marshal(l.Request.Contact)
	evidence, evidenceErr := json.Marshal(l.Evidence)
	if err := errors.Join(err, contactErr, evidenceErr); err != nil {
		return err
	}
	return b.leads.add(seq, l.ID, string(l.Status), l.CreatedAt.UnixMicro(), l.UpdatedAt.UnixMicro(), string(l.Request.Service), l.Request.ZIP, "",
		string(job), contact, string(evidence))
}

// forwarded is the story of a lead that somebody took. One in five was declined first.
func (p *past) forwarded(b *books, seq int64, l lead.Lead) error {
	var errs []error
	if p.chance.IntN(5) == 0 {
		offer := p.id("offer_", l.CreatedAt)
		errs = append(errs, b.offers.add(offer, seq, p.buyer(), l.CreatedAt.UnixMicro(), int64(0), string(buyer.OfferDeclined), "cap"),
			p.attempt(b, seq, offer, "lead.offered", l.CreatedAt, `{"decision":"reject","reason":"cap"}`, "reject cap"))
	}
	offer, to := p.id("offer_", l.UpdatedAt), p.buyer()
	errs = append(errs, b.offers.add(offer, seq, to, l.UpdatedAt.UnixMicro(), int64(0), string(buyer.OfferDelivered), ""),
		p.attempt(b, seq, offer, "lead.offered", l.UpdatedAt, `{"decision":"accept"}`, "accept"),
		p.attempt(b, seq, offer, "lead.delivered", l.UpdatedAt, `{"decision":"accept"}`, "accept"),
		p.note(b, seq, l, "accepted and acknowledged by "+to))
	if p.recent(l) {
		print := l.Request.Fingerprint(nil)
		errs = append(errs, b.prints.add(print, seq, l.CreatedAt.UnixMicro()), b.sold.add(print, to, l.UpdatedAt.UnixMicro()))
	}
	return errors.Join(errs...)
}

// failed is the story of a lead whose contact could not be handed over.
func (p *past) failed(b *books, seq int64, l lead.Lead) error {
	offer, to := p.id("offer_", l.CreatedAt), p.buyer()
	return errors.Join(
		b.offers.add(offer, seq, to, l.CreatedAt.UnixMicro(), int64(0), string(buyer.OfferLost), ""),
		p.attempt(b, seq, offer, "lead.offered", l.CreatedAt, `{"decision":"accept"}`, "accept"),
		p.attempt(b, seq, offer, "lead.delivered", l.UpdatedAt, "", "retry"),
		p.note(b, seq, l, "the contact could not be handed over in all attempts"))
}

func (p *past) attempt(b *books, seq int64, offer, kind string, at time.Time, answer, decision string) error {
	status, failure := int64(200), ""
	if answer == "" {
		status, failure = 0, "timeout"
	}
	return b.attempts.add(seq, offer, kind, at.UnixMicro(), int64(40_000+p.chance.IntN(200_000)), status, failure, answer, decision)
}

func (p *past) note(b *books, seq int64, l lead.Lead, reason string) error {
	return b.history.add(seq, l.UpdatedAt.UnixMicro(), string(l.Status), lead.ByService, reason)
}

func (p *past) buyer() string { return buyers[p.chance.IntN(len(buyers))] }

// request is what somebody asked for: plumbing where they dialled, anything else where they did not.
func (p *past) request(status lead.Status) lead.Request {
	services := []lead.Service{lead.HouseCleaning, lead.DeepCleaning, lead.MoveCleaning, lead.RecurringCleaning, lead.PestControl, lead.HVAC, lead.Handyman, lead.Other}
	service, city := services[p.chance.IntN(len(services))], cities[p.chance.IntN(len(cities))]
	if status == lead.CallToConnect {
		service = lead.Plumbing
	}
	rooms, feet, person := 1+p.chance.IntN(5), 400+10*p.chance.IntN(300), p.chance.IntN(70_000)
	return lead.Request{
		Job: lead.Job{
			Service: service, ZIP: fmt.Sprintf("%05d", 10_000+p.chance.IntN(89_000)), City: city.name, State: city.state,
			Home:      lead.Home{Type: "apartment", Bedrooms: &rooms, SquareFeet: &feet},
			Frequency: "one_time", FlexibleDates: true, Consent: true,
		},
		Contact: lead.Contact{
			Name: "Pat Example", Phone: fmt.Sprintf("+1%03d55501%02d", 201+person/100, person%100),
			Email: fmt.Sprintf("pat%d@example.com", person), Notes: "Two cats; please use unscented products.",
		},
	}
}

func (p *past) evidence() lead.Evidence {
	return lead.Evidence{
		Door: lead.DoorJSON, Client: fmt.Sprintf("192.0.2.%d", p.chance.IntN(256)), UserAgent: agents[p.chance.IntN(len(agents))],
		RequestID: "req_" + p.letters(26), Consent: consented,
	}
}

// id is made as the service makes it: a time, so that neighbours in time are neighbours in the index, and chance.
func (p *past) id(prefix string, at time.Time) string {
	const digits = "0123456789abcdefghijklmnopqrstuv"
	var clock [9]byte
	for i, ms := len(clock)-1, at.UnixMilli(); i >= 0; i, ms = i-1, ms>>5 {
		clock[i] = digits[ms&31]
	}
	return prefix + string(clock[:]) + p.letters(26)
}

func (p *past) letters(n int) string {
	const letters = "abcdefghijklmnopqrstuvwxyz234567"
	text := make([]byte, n)
	for i := 0; i < n; {
		for bits := p.chance.Uint64(); i < n && bits != 0; i, bits = i+1, bits>>5 {
			text[i] = letters[bits&31]
		}
	}
	return string(text)
}
