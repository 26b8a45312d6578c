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
	historySpan = 58 * 24 * time.Hour // age of the oldest lead
	holdTime    = 29 * 24 * time.Hour // older leads are no longer held, and their fingerprints are deleted
)

var (
	consentText = lead.ConsentText{Version: "seeded", Text: "I agree to be contacted about this request."}
	consented   = consentText.Ref()
	buyers      = []string{"buyer_seeded1", "buyer_seeded2", "buyer_seeded3"}
	cities      = []struct{ name, state string }{{"Miami Beach", "FL"}, {"Boston", "MA"}, {"Tulsa", "OK"}, {"", ""}}
	agents      = []string{"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "curl/8.14.1", "assistant/2.0"}
)

// What some leads of every seeded store have.
const (
	Phone = "+13055550107"
	Email = "pat10407@example.com"
	Buyer = "buyer_seeded1"
)

// mix is how many of a thousand leads have each status.
type mix []struct {
	status lead.Status
	share  int
}

// Rejected leads are old ones that no buyer covered for as long as they were held. Listing them has to skip the most
// others.
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

// generator makes up the history of a service, the same each time.
type generator struct {
	rng   *rand.Rand
	now   time.Time
	step  time.Duration // between two leads
	leads int
}

func newGenerator(leads int, now time.Time) *generator {
	return &generator{rng: rand.New(rand.NewPCG(1, 2)), now: now, step: historySpan / time.Duration(max(leads, 1)), leads: leads}
}

// addLead writes one lead and its history.
func (g *generator) addLead(t *tables, seq int64) error {
	at := g.now.Add(-g.step * time.Duration(int64(g.leads)-seq+1))
	l := lead.Lead{ID: g.id("lead_", at), CreatedAt: at, UpdatedAt: at, Status: longAgo.pick(g.rng.IntN(1000))}
	if g.recent(l) {
		l.Status = recently.pick(g.rng.IntN(1000))
	}
	l.Request, l.Evidence = g.request(l.Status), g.evidence()
	var err error
	switch l.Status {
	case lead.Forwarded:
		l.UpdatedAt = at.Add(time.Second)
		err = g.addForwarded(t, seq, l)
	case lead.Errored:
		l.UpdatedAt = at.Add(time.Hour)
		err = g.addErrored(t, seq, l)
	case lead.Rejected:
		l.UpdatedAt = at.Add(holdTime)
		err = g.addHistory(t, seq, l, "held for as long as hold-days says")
	case lead.Received: // queued for a buyer whose next attempt is tomorrow
		err = t.deliveries.add(seq, g.buyer(), g.now.Add(24*time.Hour).UnixMicro(), at.UnixMicro(), int64(3))
	}
	return errors.Join(err, g.insertLead(t, seq, l))
}

func (g *generator) recent(l lead.Lead) bool { return l.CreatedAt.After(g.now.Add(-holdTime)) }

// insertLead writes the lead's own row, as the intake would have.
func (g *generator) insertLead(t *tables, seq int64, l lead.Lead) error {
	job, err := json.Marshal(l.Request.Job)
	contact, contactErr := json.Marshal(l.Request.Contact)
	evidence, evidenceErr := json.Marshal(l.Evidence)
	if err := errors.Join(err, contactErr, evidenceErr); err != nil {
		return err
	}
	return t.leads.add(seq, l.ID, string(l.Status), l.CreatedAt.UnixMicro(), l.UpdatedAt.UnixMicro(), string(l.Request.Service), l.Request.ZIP, "",
		string(job), contact, string(evidence))
}

// addForwarded writes the history of a lead that a buyer took. One in five was declined first.
func (g *generator) addForwarded(t *tables, seq int64, l lead.Lead) error {
	var errs []error
	if g.rng.IntN(5) == 0 {
		offer := g.id("offer_", l.CreatedAt)
		errs = append(errs, t.offers.add(offer, seq, g.buyer(), l.CreatedAt.UnixMicro(), int64(0), string(buyer.OfferDeclined), "cap"),
			g.addAttempt(t, seq, offer, "lead.offered", l.CreatedAt, `{"decision":"reject","reason":"cap"}`, "reject cap"))
	}
	offer, to := g.id("offer_", l.UpdatedAt), g.buyer()
	errs = append(errs, t.offers.add(offer, seq, to, l.UpdatedAt.UnixMicro(), int64(0), string(buyer.OfferDelivered), ""),
		g.addAttempt(t, seq, offer, "lead.offered", l.UpdatedAt, `{"decision":"accept"}`, "accept"),
		g.addAttempt(t, seq, offer, "lead.delivered", l.UpdatedAt, `{"decision":"accept"}`, "accept"),
		g.addHistory(t, seq, l, "accepted and acknowledged by "+to))
	if g.recent(l) {
		fingerprint := l.Request.Fingerprint(nil)
		errs = append(errs, t.fingerprints.add(fingerprint, seq, l.CreatedAt.UnixMicro()), t.sales.add(fingerprint, to, l.UpdatedAt.UnixMicro()))
	}
	return errors.Join(errs...)
}

// addErrored writes the history of a lead whose contact could not be delivered.
func (g *generator) addErrored(t *tables, seq int64, l lead.Lead) error {
	offer, to := g.id("offer_", l.CreatedAt), g.buyer()
	return errors.Join(
		t.offers.add(offer, seq, to, l.CreatedAt.UnixMicro(), int64(0), string(buyer.OfferLost), ""),
		g.addAttempt(t, seq, offer, "lead.offered", l.CreatedAt, `{"decision":"accept"}`, "accept"),
		g.addAttempt(t, seq, offer, "lead.delivered", l.UpdatedAt, "", "retry"),
		g.addHistory(t, seq, l, "the contact could not be handed over in all attempts"))
}

func (g *generator) addAttempt(t *tables, seq int64, offer, kind string, at time.Time, answer, decision string) error {
	status, failure := int64(200), ""
	if answer == "" {
		status, failure = 0, "timeout"
	}
	return t.attempts.add(seq, offer, kind, at.UnixMicro(), int64(40_000+g.rng.IntN(200_000)), status, failure, answer, decision)
}

func (g *generator) addHistory(t *tables, seq int64, l lead.Lead, reason string) error {
	return t.history.add(seq, l.UpdatedAt.UnixMicro(), string(l.Status), lead.ByService, reason)
}

func (g *generator) buyer() string { return buyers[g.rng.IntN(len(buyers))] }

// request makes up a request: plumbing for a lead that is call_to_connect, anything else for others.
func (g *generator) request(status lead.Status) lead.Request {
	services := []lead.Service{lead.HouseCleaning, lead.DeepCleaning, lead.MoveCleaning, lead.RecurringCleaning, lead.PestControl, lead.HVAC, lead.Handyman, lead.Other}
	service, city := services[g.rng.IntN(len(services))], cities[g.rng.IntN(len(cities))]
	if status == lead.CallToConnect {
		service = lead.Plumbing
	}
	rooms, feet, person := 1+g.rng.IntN(5), 400+10*g.rng.IntN(300), g.rng.IntN(70_000)
	return lead.Request{
		Job: lead.Job{
			Service: service, ZIP: fmt.Sprintf("%05d", 10_000+g.rng.IntN(89_000)), City: city.name, State: city.state,
			Home:      lead.Home{Type: "apartment", Bedrooms: &rooms, SquareFeet: &feet},
			Frequency: "one_time", FlexibleDates: true, Consent: true,
		},
		Contact: lead.Contact{
			Name: "Pat Example", Phone: fmt.Sprintf("+1%03d55501%02d", 201+person/100, person%100),
			Email: fmt.Sprintf("pat%d@example.com", person), Notes: "Two cats; please use unscented products.",
		},
	}
}

func (g *generator) evidence() lead.Evidence {
	return lead.Evidence{
		Channel: lead.ChannelJSON, Client: fmt.Sprintf("192.0.2.%d", g.rng.IntN(256)), UserAgent: agents[g.rng.IntN(len(agents))],
		RequestID: "req_" + g.randomLetters(26), Consent: consented,
	}
}

// id is built like the service's: a time, so that neighbors in time are neighbors in the index, and random letters.
func (g *generator) id(prefix string, at time.Time) string {
	const digits = "0123456789abcdefghijklmnopqrstuv"
	var clock [9]byte
	for i, ms := len(clock)-1, at.UnixMilli(); i >= 0; i, ms = i-1, ms>>5 {
		clock[i] = digits[ms&31]
	}
	return prefix + string(clock[:]) + g.randomLetters(26)
}

func (g *generator) randomLetters(n int) string {
	const letters = "abcdefghijklmnopqrstuvwxyz234567"
	text := make([]byte, n)
	for i := 0; i < n; {
		for bits := g.rng.Uint64(); i < n && bits != 0; i, bits = i+1, bits>>5 {
			text[i] = letters[bits&31]
		}
	}
	return string(text)
}
