package catalog

import (
	"slices"

	"foyer/internal/lead"
)

// RefField is the query parameter that carries the reference of a request.
const RefField = "ref"

// ThanksFor returns the address of the page that follows a request, with its reference. See
// docs/decisions/0018-reference-on-thanks.md.
func ThanksFor(leadID string) string { return PageThanks + "?" + RefField + "=" + leadID }

// PageStatus is where people look up references; each request's page is below it.
const PageStatus = "/status"

// Tone is how a status is colored.
type Tone string

// The tones of a status.
const (
	ToneGood Tone = "good"
	ToneWait Tone = "wait"
	ToneStop Tone = "stop"
)

// StatusText is a status's label on its page, and what it means to the person.
type StatusText struct {
	Label string
	Tone  Tone
	Says  []string
	Next  []string
}

const (
	nextLookUp  = "Keep the reference or this link. It's the only way to check on your request."
	nextPrivacy = "You can withdraw your consent or ask us to erase the request at any time."
)

// statusTexts say to people what describeStatus says to assistants.
var statusTexts = map[lead.Status]StatusText{
	lead.Received: {
		"On its way", ToneWait,
		[]string{"We're asking a contractor network that covers your area whether it takes your request.", noPromise},
		[]string{nextLookUp, stepNoWait, nextPrivacy},
	},
	lead.Collected: {
		"On hold", ToneWait,
		[]string{"No contractor network has your request. We're holding it in case one can take it.", noPromise},
		[]string{nextLookUp, stepNoWait, nextPrivacy},
	},
	lead.Forwarded: {
		"Passed along", ToneGood,
		[]string{"A contractor network took your request and has your contact details. Its contractors are independent.", noPromise},
		[]string{agreeDirectly, stepNoWait, nextPrivacy},
	},
	lead.CallToConnect: {
		"Yours to call", ToneGood,
		[]string{"We don't pass plumbing requests along: you call the number yourself.", noPromise},
		[]string{stepSay},
	},
	lead.Rejected: {
		"Closed", ToneStop,
		[]string{"Your request is closed. It isn't passed to anyone."},
		[]string{stepNewRequest},
	},
	lead.Errored: {
		"Being looked into", ToneStop,
		[]string{"Your request may not have reached the contractor network that accepted it. We're looking into it, and it goes to no one else in the meantime.", noPromise},
		[]string{"To ask about it, write to the address below and include the reference.", stepNoWait},
	},
}

// hiddenStatusText replaces the status of a request that a privacy request named. It is the same whether or not the
// privacy request gave the right phone number, so that it does not reveal that.
var hiddenStatusText = StatusText{
	"Privacy request received", ToneStop,
	[]string{
		"A privacy request named this request, so where it stands is no longer shown here.",
		"If the phone number in the privacy request was the one of this request, and no contractor network had it yet, it is closed and goes to nobody.",
	},
	[]string{"If you did not send the privacy request, or want to know more, write to the address below and give the reference.", stepNewRequest},
}

// StatusTextOf returns the texts for the result of a lookup.
func StatusTextOf(s lead.StatusAnswer) StatusText {
	if s.Private {
		return hiddenStatusText
	}
	return statusTexts[s.Status]
}

// StatusPage shows the status of a request, and nothing about who sent it.
func (b Brand) StatusPage(s lead.StatusAnswer) Page {
	words := StatusTextOf(s)
	return Page{
		Title: "Your request: " + words.Label + " - " + b.Name, Description: "The status of a request.",
		Heading: "Your request for " + labelInSentence(s.Service),
		Opening: words.Says,
		Sections: []Section{{
			Heading: "What you can do", Items: words.Next,
			Links: []Link{{toAnother, b.URL("/")}, {toWithdraw, b.URL(PathWithdraw)}},
		}},
	}
}

const agreeDirectly = "You agree on price and time with the contractor directly. Contractors are independent."

// thanksNext says what happens next to a request that was just sent, by status.
var thanksNext = map[lead.Status][]string{
	lead.Received: {
		"The network says whether it takes your request, and gets your contact details only if it does. A network whose system can't be asked first gets them right away.",
		"If it doesn't take your request, we ask the next one that covers your area, or hold your request.",
		agreeDirectly,
	},
	lead.Collected: {
		"We hold your request until a contractor network can take it.",
		"That network is asked first, and gets your contact details only if it takes your request. A network whose system can't be asked first gets them right away.",
		agreeDirectly,
	},
	lead.Forwarded: {
		"The network has your name, phone number and notes, and may call or text you about this request.",
		agreeDirectly,
	},
}

// ThanksPage follows an accepted request about which nothing more is known.
func (b Brand) ThanksPage() Page {
	return b.thanks([]string{
		"If a contractor network covers the service in your area, we ask whether it takes your request. If not, we hold your request.",
		"A network gets your contact details only if it takes your request. A network whose system can't be asked first gets them right away.",
		agreeDirectly,
	}, "Thank you! There's nothing more you need to do right now.", noPromise)
}

// ThanksPageFor follows an accepted request, with texts for its status.
func (b Brand) ThanksPageFor(s lead.StatusAnswer) Page {
	words := statusTexts[s.Status]
	p := b.thanks(thanksNext[s.Status], append([]string{"Thank you! " + words.Says[0]}, words.Says[1:]...)...)
	if slices.Contains(s.NextSteps, stepNewDate) {
		p.Sections = slices.Insert(p.Sections, 0, Section{
			Heading: "Your date has passed", Text: []string{"The date you asked for is over. Please send a new request with a new date."}, Links: []Link{{"Send a new request", b.AskFor(s.Service)}},
		})
	}
	return p
}

func (b Brand) thanks(next []string, opening ...string) Page {
	p := Page{
		Path: "/thanks", Title: "Request received - " + b.Name,
		Description: "The request was received. It is not a booking.",
		Heading:     "We got your request",
		Opening:     opening,
	}
	if len(next) > 0 {
		p.Sections = append(p.Sections, Section{Heading: "What happens next", Ordered: true, Items: next})
	}
	p.Sections = append(p.Sections,
		Section{Heading: "If the work is urgent", Text: []string{"Please don't wait to hear back: look for help elsewhere too."}},
		Section{
			Heading: "If you change your mind", Text: []string{nextPrivacy},
			Links: []Link{{toWithdraw, b.URL(PathWithdraw)}, {toAnother, b.URL("/")}},
		})
	return p
}

// LookUpPage asks for a reference.
func (b Brand) LookUpPage() Page {
	return Page{
		Path: PageStatus, Title: "Check on a request - " + b.Name,
		Description: "Look up the status of a request by its reference.",
		Heading:     "Check on a request",
		Opening:     []string{"Enter the reference you got when you sent your request. The answer shows its status, and nothing about you."},
		Sections:    []Section{{Links: []Link{{"Request a service", b.URL("/")}, {toPrivacy, b.URL("/privacy")}}}},
	}
}

// NoReferencePage answers a reference that no request has.
func (b Brand) NoReferencePage() Page {
	return Page{
		Title: "No request with this reference - " + b.Name, Description: "There is no request with this reference.",
		Heading: "We can't find a request with this reference",
		Opening: []string{"Make sure you copied all of it: it starts with lead_. A request that was only checked has no reference."},
		Sections: []Section{{
			Text:  []string{"Lost your reference? Write to " + b.Contact + " and give the phone number from your request."},
			Links: []Link{{"Request a service", b.URL("/")}},
		}},
	}
}
