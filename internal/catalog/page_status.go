package catalog

import "foyer/internal/lead"

// RefField is the field of an address that carries the reference of a request.
const RefField = "ref"

// ThanksFor is the page that follows a request, with its reference. See docs/decisions/0018-reference-on-thanks.md.
func ThanksFor(leadID string) string { return PageThanks + "?" + RefField + "=" + leadID }

// PageStatus is where references are looked up; the page of one stands below it.
const PageStatus = "/status"

// Tone is how a status looks at a glance.
type Tone string

// The tones of a status.
const (
	ToneGood Tone = "good"
	ToneWait Tone = "wait"
	ToneStop Tone = "stop"
)

// standing is what a status is called on its page, and what it means to the person.
type standing struct {
	Label string
	Tone  Tone
	Says  []string
	Next  []string
}

const (
	nextLookUp  = "Keep the reference, or this page: it is the only way to see where the request stands."
	nextPrivacy = "You can take your consent back or have the request erased at any time."
)

// standings say in words for people what Standing says in words for assistants.
var standings = map[lead.Status]standing{
	lead.Received: {
		"On its way", ToneWait,
		[]string{"A contractor network that covers your area is being asked whether it takes the request.", noPromise},
		[]string{nextLookUp, stepNoWait, nextPrivacy},
	},
	lead.Collected: {
		"Held", ToneWait,
		[]string{"No contractor network takes the request right now. It is held, and passed along when one does.", noPromise},
		[]string{nextLookUp, stepNoWait, nextPrivacy},
	},
	lead.Forwarded: {
		"Passed along", ToneGood,
		[]string{"A contractor network took the request and has your contact details. Its contractors are independent.", noPromise},
		[]string{"Price and time are agreed with the contractor only.", stepNoWait, nextPrivacy},
	},
	lead.CallToConnect: {
		"Yours to call", ToneGood,
		[]string{"A plumbing request is passed to nobody: you dial the number yourself.", noPromise},
		[]string{stepSay},
	},
	lead.Rejected: {
		"Closed", ToneStop,
		[]string{"The request is closed and goes to nobody."},
		[]string{stepAnew},
	},
	lead.Failed: {
		"Being looked into", ToneStop,
		[]string{"It is not certain that the request reached the contractor network that was to have it. It goes to nobody else meanwhile.", noPromise},
		[]string{"To ask about it, write to the address below and give the reference.", stepNoWait},
	},
}

// hiddenStanding stands in for the status of a request that a privacy request named. It is the same whether or not that
// one gave the right number: nobody is to find that out here.
var hiddenStanding = standing{
	"Privacy request received", ToneStop,
	[]string{
		"A privacy request named this request, so where it stands is no longer shown here.",
		"If the phone number in the privacy request was the one of this request, and no contractor network had it yet, it is closed and goes to nobody.",
	},
	[]string{"If you did not send the privacy request, or want to know more, write to the address below and give the reference.", stepAnew},
}

// standingOf are the words for what a look-up found.
func standingOf(s lead.Standing) standing {
	if s.Private {
		return hiddenStanding
	}
	return standings[s.Status]
}

// StatusPage tells where a request stands, and nothing about who sent it.
func (b Brand) StatusPage(s lead.Standing) Page {
	words := standingOf(s)
	return Page{
		Title: "Your request: " + words.Label + " - " + b.Name, Description: "Where a request stands.",
		Heading: "Your request for " + asked(s.Service),
		Opening: words.Says,
		Sections: []Section{{
			Heading: "What you can do", Items: words.Next,
			Links: []Link{{toAnother, b.URL("/")}, {Wishes.Heading, b.URL("/privacy#wish")}},
		}},
	}
}

// StatusLabel is what a status is called on its page, and how it looks.
func StatusLabel(s lead.Standing) (string, Tone) {
	words := standingOf(s)
	return words.Label, words.Tone
}

// LookUpPage asks for a reference.
func (b Brand) LookUpPage() Page {
	return Page{
		Path: PageStatus, Title: "Where does my request stand? - " + b.Name,
		Description: "Look up where a request stands by its reference.",
		Heading:     "Where does my request stand?",
		Opening:     []string{"The reference was shown when the request was sent. It shows where the request stands, and nothing about you."},
		Sections:    []Section{{Links: []Link{{"Request a service", b.URL("/")}, {toPrivacy, b.URL("/privacy")}}}},
	}
}

// NoReferencePage answers for a reference that no request has.
func (b Brand) NoReferencePage() Page {
	return Page{
		Title: "No request with this reference - " + b.Name, Description: "There is no request with this reference.",
		Heading: "There is no request with this reference",
		Opening: []string{"Check that it is complete: it begins with lead_ and is as long as it was shown. A request that was only checked has none."},
		Sections: []Section{{
			Text:  []string{"If you lost the reference, write to " + b.Contact + " and name the phone number of the request."},
			Links: []Link{{"Request a service", b.URL("/")}},
		}},
	}
}
