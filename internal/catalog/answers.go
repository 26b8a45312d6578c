package catalog

import (
	"slices"

	"foyer/internal/lead"
)

// Receipt puts a decision into words.
func (b Brand) Receipt(id string, req *lead.Request, d lead.Decision) lead.Receipt {
	r := lead.Receipt{LeadID: id, Status: d.Status, DryRun: req.DryRun}
	r.Message, r.NextSteps = b.words(d.Status, req.Service, req.ZIP)
	if req.Service.Live() {
		number, display, instruction := b.Number, b.NumberDisplay(), CallInstruction
		r.Call, r.CallDisplay, r.CallInstruction = &number, &display, &instruction
	}
	switch past := slices.Contains(d.Marks, lead.PastDate); {
	case past && req.DryRun: // to send it for real now would be to send a date that is over
		r.NextSteps = append([]string{stepNewDate}, r.NextSteps...)
	case past:
		r.NextSteps = append(r.NextSteps, stepNewDate)
	case req.DryRun:
		r.NextSteps = append(r.NextSteps, stepDryRun)
	}
	return r
}

// Standing puts the status of a kept lead into words.
func (b Brand) Standing(l lead.Lead) lead.Standing {
	if l.Hidden() {
		return b.hidden(l)
	}
	s := lead.Standing{
		LeadID: l.ID, Status: l.Status, Service: l.Request.Service, ZIP: l.Request.ZIP,
		CreatedAt: l.CreatedAt, UpdatedAt: l.UpdatedAt,
	}
	s.Message, s.NextSteps = b.words(l.Status, l.Request.Service, l.Request.ZIP)
	if (l.Status == lead.Received || l.Status == lead.Collected) && slices.Contains(l.Marks, lead.PastDate) {
		s.NextSteps = append(s.NextSteps, stepNewDate)
	}
	return s
}

// hidden stands in for the status of a lead that a privacy request named: closed, as of that request, which is true where
// it came from the person. It says the same where it did not, so that nobody learns here whether a number was right.
func (b Brand) hidden(l lead.Lead) lead.Standing {
	return lead.Standing{
		LeadID: l.ID, Status: lead.Rejected, Service: l.Request.Service, ZIP: l.Request.ZIP, CreatedAt: l.CreatedAt, UpdatedAt: l.PrivacyAt, Private: true,
		Message: "A privacy request named the request for " + asked(l.Request.Service) + " in ZIP code " + l.Request.ZIP + ", so where it stands is no longer shown. " +
			"If the phone number in the privacy request was the right one, and no contractor network had the request yet, it is closed and goes to nobody.",
		NextSteps: []string{"If the person did not send the privacy request, or wants to know more, write to " + b.Contact + " and name the lead_id.", stepAnew},
	}
}

const (
	stepKeepID  = "Keep the lead_id: it is the only way to look the request up."
	stepNoWait  = "Do not wait for a callback: none is promised. If the work is urgent, look for help elsewhere too."
	stepSay     = "Say the ZIP code and what is wrong. Price and time are agreed with the contractor only."
	stepDryRun  = "To send the request for real, send it again without dry_run."
	stepNewDate = "The preferred date is in the past. Ask the person for a new date and send a new request with it."
	stepAnew    = "Send a new request if the work is still needed."
)

// words says what a status means to the person, and what can be done next.
func (b Brand) words(s lead.Status, service lead.Service, zip string) (string, []string) {
	about := func(what string) string { return "The request for " + asked(service) + " in ZIP code " + zip + what }
	switch s {
	case lead.CallToConnect:
		return b.WhatToTell(), []string{
			"Dial " + b.NumberDisplay() + " yourself.",
			stepSay,
		}
	case lead.Validated:
		return about(" is complete. It was only checked: nothing was stored or passed along."),
			[]string{"Read the details back to the person before sending it."}
	case lead.Received:
		return about(" was received. A contractor network that covers it is being asked. It is not a booking, and no callback, arrival time or company is promised."),
			[]string{stepKeepID, stepNoWait}
	case lead.Collected:
		return about(" was received and is held. No contractor network takes it right now; it is passed along when one does. It is not a booking, and no callback, arrival time or company is promised."),
			[]string{stepKeepID, stepNoWait}
	case lead.Forwarded:
		return about(" was passed to a contractor network. It is not a booking, and no callback, arrival time or company is promised."),
			[]string{stepNoWait}
	case lead.Rejected:
		return about(" is closed and goes to nobody."), []string{stepAnew}
	default:
		return about(" waits for the operator: it is not certain that it reached the contractor network that was to have it, and it goes to nobody else meanwhile. It is not a booking, and no callback, arrival time or company is promised."),
			[]string{"To ask about it, write to " + b.Contact + " and name the lead_id.", stepNoWait}
	}
}
