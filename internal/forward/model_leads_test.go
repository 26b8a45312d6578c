package forward_test

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
)

// agreed is the consent text of these tests.
var agreed = lead.ConsentText{Version: "shown-1", Text: "You may call me."}

// modelLead is a lead in the model.
type modelLead struct {
	lead.Lead    // as it was received
	seq          int64
	status       lead.Status
	erased       bool
	entered      bool      // it was put on the market
	sentToBuyer  bool      // a message about it was sent
	byOperator   bool      // an operator released or replayed it
	withheld     lead.Mark // why it is withheld from the market, or ""
	checkAt      time.Time // when to check whether it can go on the market
	duplicate    bool      // marked as one of several for the same work
	manyRequests bool      // marked as one of many of a phone number
	attemptLog   []attempt
	marked       []string // as stored
	takenBack    int      // how often its person took it back
	offers       []*modelOffer
	unlocks      int         // how often an operator unlocked it: earlier offers no longer count
	lastStatus   lead.Status // in the last row of its history

	// While the status is received:
	modelDelivery
}

// modelDelivery is a delivery in the model.
type modelDelivery struct {
	step           buyer.Step
	queue          string
	offer          *modelOffer
	attempts       int
	mayHaveContact bool // the buyer may have the contact
	since          time.Time
	due            time.Time
	latest         time.Time // with jitter, due is the earliest time and latest the last
	leased         bool
	last           *flight // the flight that may settle it
}

// modelOffer is an offer in the model.
type modelOffer struct {
	id          string
	to          string
	at          time.Time
	price       buyer.Cents
	oneStep     bool
	state       buyer.OfferState
	code        buyer.Code
	unlocks     int
	responses   []response // what the buyer answered, received or not
	reached     bool       // the contact reached the buyer
	accepted    bool       // it accepted, and that was recorded
	refused     bool
	deliveredAt time.Time
	returned    buyer.ReturnState // "" if the buyer did not return the lead
}

func (o *modelOffer) closed() bool {
	return o.state != buyer.OfferOpen && o.state != buyer.OfferAccepted
}

// fingerprint identifies requests of the same person for the same work.
type fingerprint struct {
	phone, zip string
	service    lead.Service
}

func (l *modelLead) fingerprint() fingerprint {
	return fingerprint{l.Request.Contact.Phone, l.Request.ZIP, l.Request.Service}
}

// normalPhone could be a person's by its form, though nobody has it: a practice buyer must never get it.
const normalPhone = "+13055550206"

var (
	someService = rapid.SampledFrom([]lead.Service{lead.HVAC, lead.HVAC, lead.HVAC, lead.HVAC, lead.Handyman, lead.Handyman, lead.Plumbing})
	someZIP     = rapid.SampledFrom([]string{"33139", "33139", "33101", "90210", "10001"})
	somePhone   = rapid.SampledFrom([]string{"+13055550101", "+13055550102", "+13055550103", "+13055550104", "+13055550105", "+11115550106", normalPhone, normalPhone})
	stateOf     = map[string]string{"33139": "FL", "33101": "FL", "90210": "CA", "10001": "NY"}
)

// submit saves a new lead, as the intake does.
func (w *world) submit() {
	l := w.draw()
	if _, barred := w.suppressed[l.Request.Contact.Phone]; barred && !l.Request.Service.Live() {
		return // refused
	}
	w.save(w.pickProcess(), l)
}

// repeat saves a request that was sent before.
func (w *world) repeat() {
	l := pick(w, "lead", w.leads).Lead
	if _, barred := w.suppressed[l.Request.Contact.Phone]; barred && !l.Request.Service.Live() {
		return // refused
	}
	l.Request.Contact = forward.CanaryContact(len(w.leads)+1, l.Request.Contact.Phone)
	w.save(w.pickProcess(), l)
}

// burst saves several leads that differ only in the person.
func (w *world) burst() {
	first, p := w.draw(), w.pickProcess()
	for i := range 10 {
		l := first
		l.Request.Contact = forward.CanaryContact(len(w.leads)+1, fmt.Sprintf("+1305555011%d", i))
		w.save(p, l)
	}
}

func (w *world) draw() lead.Lead {
	var l lead.Lead
	l.Request.Job = lead.Job{Service: someService.Draw(w.t, "service"), ZIP: someZIP.Draw(w.t, "zip"), Frequency: "one_time", FlexibleDates: true}
	l.Request.Contact = forward.CanaryContact(len(w.leads)+1, somePhone.Draw(w.t, "phone"))
	l.Evidence = lead.Evidence{Channel: lead.ChannelForm, Client: "192.0.2.1", Consent: agreed.Ref()}
	switch rapid.IntRange(0, 9).Draw(w.t, "peculiarity") {
	case 7:
		l.Evidence.Channel, l.Evidence.Consent.Version = lead.ChannelJSON, "stated-1"
	case 8:
		l.Request.Contact.Street = ""
	case 9:
		l.Request.PreferredDate = "2020-01-01"
	}
	// Without consent, or plumbing queued for a buyer: the intake prevents both, and the forwarder must not rely on that.
	l.Request.Consent = rapid.IntRange(0, 19).Draw(w.t, "consent") != 19
	return l
}

func (w *world) save(p *process, l lead.Lead) {
	covered := p.Coverage().Covers(l.Request.Service, l.Request.ZIP, l.Request.Contact.Phone)
	if want := anyCovers(p.buyers, l); covered != want {
		w.t.Fatalf("%s in %s is covered: %v, but the model says %v", l.Request.Service, l.Request.ZIP, covered, want)
	}
	d := lead.Decide(&l.Request, covered, w.now)
	if !l.Request.Consent && rapid.Bool().Draw(w.t, "smuggled") {
		d.Status = lead.Received
	}
	l.ID, l.Status, l.Marks = fmt.Sprintf("lead_%03d", len(w.leads)+1), d.Status, d.Marks
	l.CreatedAt, l.UpdatedAt = w.now, w.now
	if _, err := p.st.SaveLead(w.t.Context(), &l, nil, time.Time{}); err != nil {
		w.t.Fatal(err)
	}
	made := &modelLead{Lead: l, seq: int64(len(w.leads) + 1), status: l.Status, lastStatus: l.Status}
	if made.status == lead.Received {
		made.modelDelivery = modelDelivery{step: buyer.StepAsk, since: w.now, due: w.now}
	}
	w.leads = append(w.leads, made)
}
