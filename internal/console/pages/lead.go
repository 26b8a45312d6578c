package pages

import (
	"cmp"
	"slices"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
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
