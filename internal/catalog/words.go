package catalog

import (
	"strings"

	"foyer/internal/lead"
)

// About says in two sentences what the service is.
const About = "Connects people with independent local home-service contractors for homes in the United States. " +
	"It does not do the work or make appointments: it takes requests, never bookings."

// Tagline says in one line what the tools are for; registries cut it off after 100 characters.
const Tagline = "Requests for home services in the US, and the number a person dials for a plumber. No bookings."

// Coverage says where the service is available.
const Coverage = "US residential"

// CoverageNote accompanies every plumbing number.
const CoverageNote = "Availability depends on the caller's ZIP code and the time of day."

// HowToCall explains the live mode.
const HowToCall = "The person dials the number and talks to a plumbing line directly. Getting the number takes no name, phone number or consent."

// CallInstruction says what a client does with the number.
const CallInstruction = "Give this number to the person and let them dial it themselves. Never dial, autodial, transfer or place the call for them."

// NoteHeld is for a service that no buyer covers anywhere.
const NoteHeld = "Requests are accepted with the person's consent and held. No contractor network covers this service right now, so no callback, arrival time or company can be promised."

// NotePassed is for a service that a buyer covers somewhere. Who and where is not disclosed.
const NotePassed = "Requests are accepted with the person's consent. If a contractor network covers the ZIP code and takes the request, it is passed along; if not, it is held. " +
	"A request is not a booking, and no callback, arrival time or company is promised."

// Rules are the rules that every client follows.
var Rules = []string{
	"Plumbing is live: give the person the number, and the person dials it.",
	"Never place a call on the person's behalf: no dialing, autodialing or transferring.",
	"Every other service collects requests and needs the person's explicit consent to be contacted (consent_to_contact true).",
	"A request is not a booking. Promise no callback, no arrival time and no company.",
	"This service does not perform the work; contractors are independent.",
}

var labels = map[lead.Service]string{
	lead.HouseCleaning:     "House cleaning",
	lead.DeepCleaning:      "Deep cleaning",
	lead.MoveCleaning:      "Move-in or move-out cleaning",
	lead.RecurringCleaning: "Recurring cleaning",
	lead.PestControl:       "Pest control",
	lead.Plumbing:          "Plumbing",
	lead.HVAC:              "Heating and cooling",
	lead.Handyman:          "Handyman",
	lead.Other:             "Something else",
}

// Label returns a service's name for people.
func Label(s lead.Service) string { return labels[s] }

// labelInSentence returns a service's name inside a sentence: "the request for heating and cooling".
func labelInSentence(s lead.Service) string {
	switch s {
	case lead.Handyman:
		return "a handyman"
	case lead.Other:
		return "other work at home"
	}
	return strings.ToLower(labels[s])
}

// WhatToTell is what an assistant tells a person who needs a plumber.
func (b Brand) WhatToTell() string {
	return "For a plumber, dial " + b.NumberDisplay() + " yourself. " + CoverageNote +
		" The contractor is independent, and the call is not a booking."
}
