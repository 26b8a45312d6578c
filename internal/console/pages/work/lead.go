package work

import (
	"cmp"
	"slices"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/console/pages/page"
	"foyer/internal/lead"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

// Lead shows everything about a lead. The person is shown only after somebody said why.
func Lead(v *page.Visit) (page.View, error) {
	id := v.R.PathValue("lead_id")
	var d report.LeadDetail
	if err := v.Read(func(tx *store.Tx) (err error) { d, err = report.ReadLead(tx, id); return err }); err != nil {
		return page.View{}, err
	}
	l := d.Lead
	revealed := v.Person == l.ID
	if !revealed {
		d = d.WithoutPerson()
	}
	shown := page.View{
		Title: page.ServiceName(l.Request.Service) + " in " + cmp.Or(l.Request.ZIP, "an unknown place"), Above: []page.Link{{Text: "Leads", Href: v.Address("/leads")}}, Tag: leadTag(d), Lede: leadLede(d),
		Parts: []page.Part{page.Panel{Title: "What happened", Parts: []page.Part{page.TimelineOf(d)}}},
	}
	if l.Status == lead.Collected {
		why, err := whyHeld(v, l.ID)
		if err != nil {
			return shown, err
		}
		shown.Parts = append(shown.Parts, why...)
	}
	request := page.Panel{Title: "The request", Parts: []page.Part{v.FactsOf(d.Fields())}, Note: page.Masked(d.Erased, revealed), More: &page.Link{Text: "Evidence", Href: v.Address("/leads/" + l.ID + "/evidence")}}
	if revealed { // what was asked for comes first
		shown.Parts = slices.Insert(shown.Parts, 0, page.Part(request))
	} else {
		shown.Below = []page.Part{request}
	}
	shown.Parts = append(legalHoldNotices(v, d), shown.Parts...)
	if v.May(store.RoleOperator) {
		shown.Aside = []page.Part{page.Panel{Title: "What you can do", Parts: leadActions(v, d, revealed)}}
	}
	return shown, nil
}

// leadTag is the status of a lead, and whether it came back.
func leadTag(d report.LeadDetail) *page.Tag {
	if s, sold := d.Sale(); sold && s.Return.State == buyer.ReturnApproved {
		return &page.Tag{Text: "returned", Tone: "wait"}
	}
	status := page.StatusTag(d.Lead.Status)
	return &page.Tag{Text: status.Text, Tone: status.Tone}
}

// leadLede says what became of a lead, in a sentence.
func leadLede(d report.LeadDetail) string {
	s, sold := d.Sale()
	if !sold {
		return heldLede[d.Lead.Status]
	}
	text := "Sold to " + page.Short(cmp.Or(s.BuyerName, s.Buyer))
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
func whyHeld(v *page.Visit, id string) ([]page.Part, error) {
	r, err := v.Operator.RouteLead(v.Ctx, id)
	if page.AsProblem(err) != nil {
		return nil, nil
	}
	const most = 8
	r.Lead, r.Stops = nil, r.Stops[:min(len(r.Stops), most)]
	return []page.Part{page.Panel{Title: "Who would be asked now", Parts: v.RouteParts(r, "Buyers", ""), More: &page.Link{Text: "Route", Href: page.WithQuery(v.Address("/route"), "lead", id)}}}, err
}

// Reveal records why somebody looks at a person, and shows them once.
func Reveal(v *page.Visit) error {
	why, err := v.Why()
	if err != nil {
		return err
	}
	id := v.R.PathValue("lead_id")
	var l lead.Lead
	if err := v.Read(func(tx *store.Tx) (err error) { l, err = tx.Lead(id); return err }); err != nil {
		return err
	}
	if err := v.Operator.RecordRead(v.Ctx, v.By(), audit.LeadRead, l.ID, why); err != nil {
		return err
	}
	v.Person, v.ShowNow = l.ID, true
	return nil
}

// leadActions are the forms of a lead, each with what it will do.
func leadActions(v *page.Visit, d report.LeadDetail, revealed bool) (forms []page.Part) {
	l, name := d.Lead, page.ShortID(d.Lead.ID)
	add := func(path string, f page.Form, leave ...string) {
		forms = append(forms, v.FormFor(path, f, nil, leave...))
	}
	if !revealed && !d.Erased {
		add("/leads/{lead_id}/reveal", page.Form{Title: "Show the person", What: "Name, phone number and all that was sent. Who looked, when and why is recorded.", Inputs: []page.Input{page.WhyInput("Such as: the buyer says the number is wrong.")}})
	}
	if l.Status == lead.Errored || l.Status == lead.Collected {
		add("/leads/{lead_id}/release", page.Form{Title: "Release", What: "It looks for a buyer again, as if it came in now. Buyers that were asked before are not asked again.", Confirm: "Release " + name + ". Buyers are asked at once, and one may have it a moment later."})
	}
	if l.Status == lead.Errored {
		add("/leads/{lead_id}/replay", page.Form{Title: "Send again", What: "The contact goes again to the buyer that accepted it, if one did.", Confirm: "Send the contact of " + name + " again. Its buyer may have it already."})
	}
	if l.Status == lead.Received || l.Status == lead.Collected {
		add("/leads/{lead_id}/close", page.Form{Title: "Close", Danger: true, What: "It leaves the market for good. Its details are kept.", Confirm: "Close " + name + ". It cannot be reopened."})
	}
	if offer, found := deliveredOffer(d); found {
		add("/leads/{lead_id}/return", page.Form{Title: "Enter a return", What: "For a buyer that gave it back by other means. It waits under Returns until you decide, and the buyer hears what becomes of it.", Confirm: "Enter that " + name + " came back. What was entered cannot be taken back.", Hidden: []page.Pair{{Name: "offer_id", Value: offer}}}, "offer_id")
	}
	holds := d.HoldsInForce()
	forms = append(forms, legalHoldForms(v, holds, name)...)
	switch {
	case d.Erased:
	case len(holds) > 0:
		forms = append(forms, page.Prose("The person cannot be erased: the lead is under a legal hold. Remove the hold first, when the matter is over."))
	default:
		add("/leads/{lead_id}/erase", page.Form{Title: "Erase the person", Danger: true, What: "Name, phone number, e-mail, street, notes and where the request came from are deleted. A lead that might still be sold leaves the market.", Confirm: "Erase the person of " + name + ". What is erased cannot be brought back."})
	}
	return forms
}

// deliveredOffer is the offer whose contact a buyer has.
func deliveredOffer(d report.LeadDetail) (string, bool) {
	s, sold := d.Sale()
	return s.ID, sold && s.ReturnedAt.IsZero()
}
