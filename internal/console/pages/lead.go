package pages

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/console"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

// lead shows everything about a lead. The person is shown only after somebody said why.
func (v *visit) lead() (view, error) {
	id := v.r.PathValue("lead_id")
	var d report.LeadDetail
	if err := v.read(func(tx *store.Tx) (err error) { d, err = report.ReadLead(tx, id); return err }); err != nil {
		return view{}, err
	}
	l := d.Lead
	revealed := v.form.Get("revealed") == l.ID
	if !revealed {
		d = d.WithoutPerson()
	}
	shown := view{
		Title: serviceName(l.Request.Service) + " in " + cmp.Or(l.Request.ZIP, "an unknown place"), Above: []link{{"Leads", v.address("/leads")}}, Tag: leadTag(d), Lede: leadLede(d),
		Parts: []part{panel{Title: "What happened", Parts: []part{timelineOf(d)}}},
	}
	if l.Status == lead.Collected {
		why, err := v.whyHeld(l.ID)
		if err != nil {
			return shown, err
		}
		shown.Parts = append(shown.Parts, why...)
	}
	request := panel{Title: "The request", Parts: []part{v.factsOf(d.Fields())}, Note: masked(d.Erased, revealed), More: &link{"Evidence", v.address("/leads/" + l.ID + "/evidence")}}
	if revealed { // what was asked for comes first
		shown.Parts = slices.Insert(shown.Parts, 0, part(request))
	} else {
		shown.Below = []part{request}
	}
	if v.may(operates) {
		shown.Aside = []part{panel{Title: "What you can do", Parts: v.leadActions(d, revealed)}}
	}
	return shown, nil
}

// leadTag is the status of a lead, and whether it came back.
func leadTag(d report.LeadDetail) *tag {
	if s, sold := d.Sale(); sold && s.Return.State == buyer.ReturnApproved {
		return &tag{"returned", "wait"}
	}
	status := statusTag(d.Lead.Status)
	return &tag{status.Text, status.Tone}
}

// leadLede says what became of a lead, in a sentence.
func leadLede(d report.LeadDetail) string {
	s, sold := d.Sale()
	if !sold {
		return heldLede[d.Lead.Status]
	}
	text := "Sold to " + short(cmp.Or(s.BuyerName, s.Buyer))
	if s.Price > 0 {
		text += " for " + s.Price.String()
	}
	if took := s.At.Sub(d.Lead.CreatedAt); took > 0 {
		text += ", " + terminal.Duration(took) + " after it arrived"
	}
	switch s.Return.State {
	case buyer.ReturnWaiting:
		text += ". The buyer gave it back: the return waits for a decision"
	case buyer.ReturnApproved:
		text += ". The buyer gave it back, and the return is approved"
	case buyer.ReturnDenied:
		text += ". The buyer gave it back, and the return is denied"
	}
	return text + "."
}

// heldLede says where a lead stands that no buyer has.
var heldLede = map[lead.Status]string{
	lead.Received:      "On its way: buyers are being asked.",
	lead.Collected:     "Held: no buyer has taken it. It is offered when one can.",
	lead.Errored:       "In error: somebody has to look at it.",
	lead.CallToConnect: "The person was given a number to dial.",
	lead.Rejected:      "Off the market: it is not offered any more.",
}

// whyHeld explains who is not asked, and why.
func (v *visit) whyHeld(id string) ([]part, error) {
	r, err := v.Operator.RouteLead(v.ctx, id)
	if asProblem(err) != nil {
		return nil, nil
	}
	const most = 8
	r.Lead, r.Stops = nil, r.Stops[:min(len(r.Stops), most)]
	return []part{panel{Title: "Who would be asked now", Parts: v.routeParts(r, "Buyers", ""), More: &link{"Route", withQuery(v.address("/route"), "lead", id)}}}, err
}

func masked(erased, revealed bool) string {
	switch {
	case erased:
		return "Nothing in it tells who the person is."
	case revealed:
		return "With the person, as you asked. The audit trail tells of it."
	}
	return "Without the person: name, phone, e-mail, street, notes and what browsers send are not shown."
}

// whyInput asks why somebody has to see a person.
func whyInput(help string) input {
	return input{Input: console.Input{Name: "why", Label: "Why", Kind: "text", Required: true, Help: help + " No names, phone numbers or email addresses: the audit trail keeps it."}}
}

// personalText is what looks like a phone number or an email address.
var personalText = regexp.MustCompile(`(?:\d[\s().+-]*){10}|\b\d{3}[-. ]\d{4}\b|\S@\S`)

// why is what was answered, for the audit trail.
func (v *visit) why() (audit.Detail, error) {
	why, err := operator.Reason(v.form.Get("why"))
	if err != nil || why == "" {
		return nil, lead.InvalidField("why", "why: write in a few words why you need to see who it is.")
	}
	if personalText.MatchString(why) {
		return nil, lead.InvalidField("why", "why: leave out phone numbers and email addresses: the audit trail keeps this text.")
	}
	return audit.Detail{"why": audit.Text(why)}, nil
}

// reveal records why somebody looks at a person, and shows them once.
func (v *visit) reveal() error {
	why, err := v.why()
	if err != nil {
		return err
	}
	id := v.r.PathValue("lead_id")
	var l lead.Lead
	if err := v.read(func(tx *store.Tx) (err error) { l, err = tx.Lead(id); return err }); err != nil {
		return err
	}
	if err := v.Operator.RecordRead(v.ctx, v.by(), audit.LeadRead, l.ID, why); err != nil {
		return err
	}
	v.form.Set("revealed", l.ID)
	v.showNow = true
	return nil
}

// leadActions are the forms of a lead, each with what it will do.
func (v *visit) leadActions(d report.LeadDetail, revealed bool) (forms []part) {
	l, name := d.Lead, shortID(d.Lead.ID)
	add := func(path string, f form, leave ...string) { forms = append(forms, v.formFor(path, f, nil, leave...)) }
	if !revealed && !d.Erased {
		add("/leads/{lead_id}/reveal", form{Title: "Show the person", What: "Name, phone number and all that was sent. Who looked, when and why is recorded.", Inputs: []input{whyInput("Such as: the buyer says the number is wrong.")}})
	}
	if l.Status == lead.Errored || l.Status == lead.Collected {
		add("/leads/{lead_id}/release", form{Title: "Release", What: "It looks for a buyer again, as if it came in now. Buyers that were asked before are not asked again."})
	}
	if l.Status == lead.Errored {
		add("/leads/{lead_id}/replay", form{Title: "Send again", What: "The contact goes again to the buyer that accepted it, if one did.", Confirm: "Send the contact of " + name + " again. Its buyer may have it already."})
	}
	if l.Status == lead.Received || l.Status == lead.Collected {
		add("/leads/{lead_id}/close", form{Title: "Close", Danger: true, What: "It leaves the market for good. Its details are kept.", Confirm: "Close " + name + ". It cannot be reopened."})
	}
	if offer, found := deliveredOffer(d); found {
		add("/leads/{lead_id}/return", form{Title: "Enter a return", What: "For a buyer that gave it back by other means. It waits under Returns until you decide, and the buyer hears what becomes of it.", Hidden: []pair{{"offer_id", offer}}}, "offer_id")
	}
	if !d.Erased {
		add("/leads/{lead_id}/erase", form{Title: "Erase the person", Danger: true, What: "Name, phone number, e-mail, street, notes and where the request came from are deleted. A lead that might still be sold leaves the market.", Confirm: "Erase the person of " + name + ". What is erased cannot be brought back."})
	}
	return forms
}

// deliveredOffer is the offer whose contact a buyer has.
func deliveredOffer(d report.LeadDetail) (string, bool) {
	s, sold := d.Sale()
	return s.ID, sold && s.ReturnedAt.IsZero()
}

// timeline is what happened to a lead.
type timeline []event

func (timeline) template() string { return "timeline" }

type event struct {
	At               time.Time
	What, Text, Tone string
	Lead             *link // in a list about many leads
	More             []string
	Sent, Answer     string
}

func timelineOf(d report.LeadDetail) (t timeline) {
	var names []string // of buyers, instead of their ids
	for _, ev := range d.Events() {
		if o := ev.Offer; o != nil && o.BuyerName != "" {
			names = append(names, o.Buyer, short(o.BuyerName))
		}
	}
	for _, ev := range d.Events() {
		ev.Text = strings.NewReplacer(names...).Replace(ev.Text)
		if ev.Change != nil {
			change := *ev.Change
			change.Reason = strings.NewReplacer(names...).Replace(change.Reason)
			ev.Change = &change
		}
		t = append(t, eventOf(ev))
	}
	return t
}

// eventOf says in words what happened. What programs want to know stands below them.
func eventOf(ev report.Event) event {
	e := event{At: ev.At, What: strings.ToUpper(ev.What[:1]) + ev.What[1:], Text: shortIDs(ev.Text), Sent: terminal.Escape(ev.Sent), Answer: terminal.Escape(ev.Answer)}
	for _, line := range ev.Passed {
		e.More = append(e.More, shortIDs(line))
	}
	name := "a buyer"
	if ev.Offer != nil {
		name = short(cmp.Or(ev.Offer.BuyerName, ev.Offer.Buyer))
	}
	switch {
	case ev.Attempt != nil:
		e.What, e.Tone = attemptWords(name, *ev.Attempt)
		e.Text, e.More = "", append(e.More, shortIDs(ev.Text))
	case ev.What == "arrived":
		e.What = "The request arrived"
	case ev.What == "offer":
		e.What, e.Text = "Offered to "+name, ""
		if ev.Offer.Price > 0 {
			e.Text = "for " + ev.Offer.Price.String()
		}
	case ev.What == "returned":
		e.What, e.Text, e.Tone = name+" gave it back", string(ev.Return.Code), "wait"
		if ev.Offer.Reason != "" {
			e.Text += ": " + terminal.OneLine(ev.Offer.Reason)
		}
	case ev.What == "decided":
		e.What, e.Text = "The return is "+string(ev.Return.State), "by "+ev.Return.DecidedBy
		if ev.Return.Note != "" {
			e.Text += ": " + terminal.OneLine(ev.Return.Note)
		}
	case ev.What == "cost":
		e.What, e.Text = "Its source costs "+ev.Amount.String(), ""
	case ev.What == "charged":
		e.What, e.Text, e.Tone = name+" was charged "+ev.Amount.String(), "", "good"
	case ev.What == "credited":
		e.What, e.Text, e.Tone = name+" got "+ev.Amount.String()+" back", "", "wait"
	case ev.What == "status":
		e.What, e.Tone = statusWords(ev.Change.Status)
		e.Text = shortIDs(terminal.OneLine(ev.Change.Reason))
	}
	return e
}

func attemptWords(name string, a buyer.Attempt) (words, tone string) {
	if strings.HasSuffix(a.Kind, ".return_decided") { // it is told, and answers nothing
		if a.Decision == "notified" {
			return name + " was told what became of the return", ""
		}
		return name + " could not be told what became of the return", "wait"
	}
	delivery := strings.HasSuffix(a.Kind, ".delivered")
	switch buyer.Meaning(strings.Fields(a.Decision + " ")[0]) {
	case buyer.Accepts:
		if delivery {
			return name + " has the contact", "good"
		}
		return name + " accepted", "good"
	case buyer.Declines:
		return name + " declined", "wait"
	case buyer.Unknown:
		return fmt.Sprintf("A message to %s was interrupted", name), "stop"
	}
	if delivery {
		return name + " did not confirm the contact", "stop"
	}
	return name + " gave no answer that can be used", "stop"
}

// statusWords are how a lead is doing.
func statusWords(s lead.Status) (words, tone string) {
	switch s {
	case lead.Forwarded:
		return "Sold", "good"
	case lead.Collected:
		return "Held", ""
	case lead.Errored:
		return "In error", "stop"
	case lead.Rejected:
		return "Off the market", ""
	}
	return "On its way", ""
}

// longID matches the ids of leads, offers and buyers.
var longID = regexp.MustCompile(`\b((?:lead|offer|buyer)_[a-z0-9]{8})[a-z0-9]{8,}`)

// shortIDs leaves enough of each id to tell them apart.
func shortIDs(text string) string { return longID.ReplaceAllString(text, "$1…") }
