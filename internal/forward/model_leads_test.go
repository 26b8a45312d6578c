package forward_test

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// agreed are the words that people agree to here.
var agreed = lead.ConsentText{Version: "shown-1", Text: "You may call me."}

// request is a lead, as the model has it.
type request struct {
	lead.Lead // as it was taken in
	seq       int64
	status    lead.Status
	erased    bool
	entered   bool      // it was put on the market
	heard     bool      // a buyer was told of it
	freed     bool      // by an operator
	withheld  lead.Mark // for which it is kept off the market, or ""
	lookAt    time.Time // when to look whether it can go on it
	twin      bool      // it is marked as one of several for the same work
	many      bool      // and as one of many of a number
	tries     []try
	marked    []string // as the books say
	offers    []*proposal
	era       int         // how often an operator unlocked it: what was before counts no more
	told      lead.Status // as of its last row in the history

	// While it is received:
	errand
}

// errand is where a lead is on its way.
type errand struct {
	step     buyer.Step
	lane     string
	offer    *proposal
	attempts int
	unsure   bool // the buyer may have the contact
	since    time.Time
	due      time.Time
	latest   time.Time // where chance decides, due is the earliest
	leased   bool
	last     *flight // the one that may settle it
}

// proposal is an offer, as the model has it.
type proposal struct {
	id       string
	to       string
	at       time.Time
	oneStep  bool
	state    buyer.OfferState
	code     buyer.Code
	era      int
	words    []word // what was answered, heard or not
	reached  bool   // the contact reached the buyer
	accepted bool   // it accepted, and that was written down
	refused  bool
}

func (o *proposal) closed() bool { return o.state != buyer.OfferOpen && o.state != buyer.OfferAccepted }

// fingerprint is by what a second request of the same person for the same work is known.
type fingerprint struct {
	phone, zip string
	service    lead.Service
}

func (l *request) print() fingerprint {
	return fingerprint{l.Request.Contact.Phone, l.Request.ZIP, l.Request.Service}
}

var (
	someService = rapid.SampledFrom([]lead.Service{lead.HVAC, lead.HVAC, lead.HVAC, lead.HVAC, lead.Handyman, lead.Handyman, lead.Plumbing})
	someZIP     = rapid.SampledFrom([]string{"33139", "33139", "33101", "90210", "10001"})
	somePhone   = rapid.SampledFrom([]string{"+13055550101", "+13055550102", "+13055550103", "+13055550104", "+13055550105", "+11115550106"})
	stateOf     = map[string]string{"33139": "FL", "33101": "FL", "90210": "CA", "10001": "NY"}
)

// submit takes a request in, as the intake does.
func (w *world) submit() {
	l := w.draw()
	if _, barred := w.barred[l.Request.Contact.Phone]; barred && !l.Request.Service.Live() {
		return // refused
	}
	w.save(w.somebody(), l)
}

// repeat takes a request in that somebody sent before.
func (w *world) repeat() {
	l := pick(w, "lead", w.leads).Lead
	if _, barred := w.barred[l.Request.Contact.Phone]; barred && !l.Request.Service.Live() {
		return // refused
	}
	l.Request.Contact = contact(len(w.leads)+1, l.Request.Contact.Phone)
	w.save(w.somebody(), l)
}

// burst takes several in that differ only in who sent them.
func (w *world) burst() {
	first, p := w.draw(), w.somebody()
	for i := range 10 {
		l := first
		l.Request.Contact = contact(len(w.leads)+1, fmt.Sprintf("+1305555011%d", i))
		w.save(p, l)
	}
}

func (w *world) draw() lead.Lead {
	var l lead.Lead
	l.Request.Job = lead.Job{Service: someService.Draw(w.t, "service"), ZIP: someZIP.Draw(w.t, "zip"), Frequency: "one_time", FlexibleDates: true}
	l.Request.Contact = contact(len(w.leads)+1, somePhone.Draw(w.t, "phone"))
	l.Evidence = lead.Evidence{Door: lead.DoorForm, Client: "192.0.2.1", Consent: agreed.Ref()}
	switch rapid.IntRange(0, 9).Draw(w.t, "peculiarity") {
	case 7:
		l.Evidence.Door, l.Evidence.Consent.Version = lead.DoorJSON, "stated-1"
	case 8:
		l.Request.Contact.Street = ""
	case 9:
		l.Request.PreferredDate = "2020-01-01"
	}
	// Without consent, or plumbing on its way to a buyer: the intake lets neither happen, and the forwarder must not rely on that.
	l.Request.Consent = rapid.IntRange(0, 19).Draw(w.t, "consent") != 19
	return l
}

func contact(n int, phone string) lead.Contact {
	return lead.Contact{
		Name: fmt.Sprintf("Canary Person %d", n), Phone: phone, Email: fmt.Sprintf("canary%d@example.com", n), Street: fmt.Sprintf("%d Canary Street", n),
		Notes: fmt.Sprintf("the canary of %d sings", n),
	}
}

func (w *world) save(p *process, l lead.Lead) {
	covered := p.Coverage().Covers(l.Request.Service, l.Request.ZIP)
	if want := anyCovers(p.knows, l); covered != want {
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
	made := &request{Lead: l, seq: int64(len(w.leads) + 1), status: l.Status, told: l.Status}
	if made.status == lead.Received {
		made.errand = errand{step: buyer.StepAsk, since: w.now, due: w.now}
	}
	w.leads = append(w.leads, made)
}
