package catalog

import "foyer/internal/lead"

// PageGuide is the page that explains how a request is handled.
const PageGuide = "/how-it-works"

// GuidePage explains what happens to a request, step by step, and what is not promised.
func (b Brand) GuidePage(holdDays int) Page {
	return Page{
		Path: PageGuide, Title: "How it works - " + b.Name,
		Description: "What happens when you request a home service, step by step: who gets your request, what it costs, and what isn't promised.",
		Heading:     "How it works",
		Opening: []string{
			b.Name + " takes your request and passes it to an independent contractor or contractor network that covers it. The work, the price and the schedule are between you and them.",
		},
		Sections: []Section{
			{
				Heading: "Step by step", Ordered: true,
				Parts: []Section{
					{Heading: "Tell us what you need", Text: []string{"The form asks for the service, your ZIP code, a few facts about the home, your name and your phone number. An AI assistant can send it for you, if you agree."}},
					{Heading: "Agree to be contacted", Text: []string{"The box stays empty until you check it. Without your consent, we refuse the request and store nothing."}},
					{Heading: "We store your request", Text: []string{"You get a reference. It's the only way to look up your request, and it doesn't reveal who you are."}},
					{Heading: "We ask contractor networks, one at a time", Text: []string{"We ask networks that cover the service and your ZIP code whether they take your request. Most learn who you are only after they say yes."}},
					{Heading: "A network takes it, or we hold it", Text: []string{"A network that takes your request gets your details and may call or text you about it. Until one does, we hold your request for up to " + days(holdDays) + ", then close it."}},
				},
				Links: []Link{{"Request a service", b.URL("/")}},
			},
			{
				Heading: "If you need a plumber",
				Text: []string{
					"No form needed. Call " + b.NumberDisplay() + " yourself and talk to a plumbing line directly. You don't have to give us a name or consent. " + CoverageNote,
				},
				Links: []Link{{"The plumbing number, and what to say", b.URL(PagePlumbing)}},
			},
			{
				Heading: "What we can't promise",
				Items: []string{
					"A request is not a booking. No callback, arrival time, company or price is promised.",
					"There may be no network that covers your area, or none that takes your request. In that case no one gets in touch.",
					"If the work is urgent, look for help elsewhere too. If anyone is in danger, call 911 first.",
				},
			},
			{
				Heading: "Who the contractors are",
				Text: []string{
					"Independent companies and networks of them. They don't work for " + b.Name + ", and " + b.Name + " does not do the work itself.",
					"Before you agree to anything, ask who they are, whether they're licensed and insured if your state requires it, and for the price in writing.",
				},
			},
			{
				Heading: "What it costs",
				Text: []string{
					"Sending a request is free. A contractor that takes it may pay " + b.Name + " for it.",
					"You pay the contractor for the work, at a price you agree on with them. " + b.Name + " doesn't know or set prices.",
				},
			},
			{
				Heading: "Where it works",
				Text: []string{
					"We take requests for homes in every state and territory of the United States. That doesn't mean a network covers yours: coverage depends on the service and ZIP code, and it changes.",
				},
				Links: b.groupLinks(),
			},
			{
				Heading: "If you change your mind",
				Text:    []string{"You can withdraw your consent, or ask us to erase what we keep about you, at any time."},
				Links:   []Link{{toWithdraw, b.URL(PathWithdraw)}, {toPrivacy, b.URL("/privacy")}},
			},
		},
	}
}

func (b Brand) groupLinks() []Link {
	var links []Link
	for _, g := range Groups {
		links = append(links, Link{g.Name, b.URL(g.Path())})
	}
	return links
}

// AskFor returns the address of the form with a service selected.
func (b Brand) AskFor(s lead.Service) string {
	return b.URL("/?service_type=" + string(s))
}
