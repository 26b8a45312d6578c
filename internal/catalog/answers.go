package catalog

import (
	"slices"

	"foyer/internal/lead"
)

// Receipt is the answer to a request, with texts for the decision.
func (b Brand) Receipt(id string, req *lead.Request, d lead.Decision) lead.Receipt {
	r := lead.Receipt{LeadID: id, Status: d.Status, DryRun: req.DryRun}
	r.Message, r.NextSteps = b.describeStatus(d.Status, req.Service, req.ZIP)
	switch {
	case d.Status == lead.Validated && d.Offered:
		r.Message += " If it were sent today, it would be offered to a contractor network that covers it."
	case d.Status == lead.Validated:
		r.Message += " If it were sent today, it would be held: no contractor network covers it right now."
	}
	if req.Service.Live() {
		r.Call, r.CallDisplay, r.CallInstruction = new(b.Number), new(b.NumberDisplay()), new(CallInstruction)
	}
	switch past := slices.Contains(d.Marks, lead.PastDate); {
	case past && req.DryRun: // sending this request for real would send a date that is over
		r.NextSteps = append([]string{stepNewDate}, r.NextSteps...)
	case past:
		r.NextSteps = append(r.NextSteps, stepNewDate)
	case req.DryRun:
		r.NextSteps = append(r.NextSteps, stepDryRun)
	}
	return r
}

// LeadStatus is the status of a stored lead, with texts.
func (b Brand) LeadStatus(l lead.Lead) lead.StatusAnswer {
	if l.Hidden() {
		return b.hiddenStatus(l)
	}
	s := lead.StatusAnswer{
		LeadID: l.ID, Status: l.Status, Service: l.Request.Service, ZIP: l.Request.ZIP,
		CreatedAt: l.CreatedAt, UpdatedAt: l.UpdatedAt,
	}
	s.Message, s.NextSteps = b.describeStatus(l.Status, l.Request.Service, l.Request.ZIP)
	if (l.Status == lead.Received || l.Status == lead.Collected) && slices.Contains(l.Marks, lead.PastDate) {
		s.NextSteps = append(s.NextSteps, stepNewDate)
	}
	return s
}

// hiddenStatus replaces the status of a lead that a privacy request named: closed at the time of that request, which is
// true if the person sent it. It is the same if someone else did, so that it does not reveal whether a phone number was
// right.
func (b Brand) hiddenStatus(l lead.Lead) lead.StatusAnswer {
	return lead.StatusAnswer{
		LeadID: l.ID, Status: lead.Rejected, Service: l.Request.Service, ZIP: l.Request.ZIP, CreatedAt: l.CreatedAt, UpdatedAt: l.PrivacyAt, Private: true,
		Message: "A privacy request named the request for " + labelInSentence(l.Request.Service) + " in ZIP code " + l.Request.ZIP + ", so where it stands is no longer shown. " +
			"If the phone number in the privacy request was the right one, and no contractor network had the request yet, it is closed and goes to nobody.",
		NextSteps: []string{"If the person did not send the privacy request, or wants to know more, write to " + b.Contact + " and name the lead_id.", stepNewRequest},
	}
}

const (
	stepKeepID     = "Keep the lead_id. It is the only way to look up the request."
	stepNoWait     = "Don't wait for a callback: none is promised. If the work is urgent, look for help elsewhere too."
	stepSay        = "Give the ZIP code and say what's wrong. Agree on price and time with the contractor directly."
	stepDryRun     = "To send the request for real, send it again without dry_run."
	stepNewDate    = "The preferred date has passed. Ask the person for a new date and send a new request with it."
	stepNewRequest = "If you still need the work done, send a new request."
)

// notBooking is in every answer about an open request, once.
const notBooking = "This is not a booking, and no callback, arrival time or company is promised."

// stepWithdraw says how a person withdraws a request. The page asks for the phone number, too.
func (b Brand) stepWithdraw() string {
	return "To withdraw the request or have it erased, go to " + b.URL(PathWithdraw) + " and enter the lead_id and the phone number."
}

// describeStatus says what a status means to the person, and what can be done next.
func (b Brand) describeStatus(s lead.Status, service lead.Service, zip string) (string, []string) {
	about := func(what string) string {
		return "Your request for " + labelInSentence(service) + " in ZIP code " + zip + what
	}
	switch s {
	case lead.CallToConnect:
		return b.WhatToTell(), []string{
			"Dial " + b.NumberDisplay() + " yourself.",
			stepSay,
		}
	case lead.Validated:
		return about(" is complete. This was only a check: nothing was stored or passed along."),
			[]string{"Read the details back to the person before sending it."}
	case lead.Received:
		return about(" was received. A contractor network that covers it is being asked. " + notBooking),
			[]string{stepKeepID, stepNoWait, b.stepWithdraw()}
	case lead.Collected:
		return about(" was received and is on hold: no contractor network has it. It is passed along if one takes it. " + notBooking),
			[]string{stepKeepID, stepNoWait, b.stepWithdraw()}
	case lead.Forwarded:
		return about(" was passed to a contractor network. " + notBooking),
			[]string{stepNoWait, b.stepWithdraw()}
	case lead.Rejected:
		return about(" is closed and is not passed to anyone."), []string{stepNewRequest}
	default:
		return about(" is waiting for " + b.Name + " to look into it: it may not have reached the contractor network that accepted it, and it goes to no one else in the meantime. " + notBooking),
			[]string{"To ask about it, write to " + b.Contact + " and give the lead_id.", stepNoWait, b.stepWithdraw()}
	}
}
