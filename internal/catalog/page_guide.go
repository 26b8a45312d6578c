package catalog

import "foyer/internal/lead"

// PageGuide is where people read how a request goes.
const PageGuide = "/how-it-works"

// GuidePage tells a person what happens with a request, step by step, and what nobody promises.
func (b Brand) GuidePage(holdDays int) Page {
	return Page{
		Path: PageGuide, Title: "How it works - " + b.Name,
		Description: "What happens with a request for a home service, step by step: who receives it, what it costs, and what nobody promises.",
		Heading:     "How it works",
		Opening: []string{
			b.Name + " takes your request and passes it to an independent contractor or contractor network that covers it. The work, its price and its time are between you and them.",
		},
		Sections: []Section{
			{
				Heading: "Step by step", Ordered: true,
				Parts: []Section{
					{Heading: "You say what you need", Text: []string{"The form asks for the service, the ZIP code, a few facts about the home, your name and your phone number. An AI assistant can send the same for you, if you agree."}},
					{Heading: "You agree to be contacted, or nothing is kept", Text: []string{"The box is empty until you tick it. Without your agreement the request is refused and nothing of it is stored."}},
					{Heading: "The request is stored", Text: []string{"You get a reference. It is the only way to look the request up, and it tells nobody who you are."}},
					{Heading: "Contractor networks are asked, one at a time", Text: []string{"Those that cover the service and the ZIP code are asked whether they take the request. Most learn who you are only after they say yes."}},
					{Heading: "One of them takes it, or it is held", Text: []string{"Whoever takes it gets your details and may call or text you about this request. While nobody does, it is held for up to " + days(holdDays) + ", and then closed."}},
				},
				Links: []Link{{"Request a service", b.URL("/")}},
			},
			{
				Heading: "If you need a plumber",
				Text: []string{
					"There is no form for that. Dial " + b.NumberDisplay() + " yourself and talk to a plumbing line directly; no name and no consent is needed. " + CoverageNote,
				},
				Links: []Link{{"The plumbing number, and what to say", b.URL(PagePlumbing)}},
			},
			{
				Heading: "What nobody promises",
				Items: []string{
					"A request is not a booking. No callback, arrival time, company or price is promised.",
					"It can happen that nobody covers your area, or that nobody takes the request. Then nobody gets in touch.",
					"If the work is urgent, look for help elsewhere too. If anyone is in danger, dial 911 first.",
				},
			},
			{
				Heading: "Who the contractors are",
				Text: []string{
					"Independent companies and networks of them. They are not employed by " + b.Name + ", and " + b.Name + " does not do the work.",
					"Before you agree to anything, ask who they are, whether they are licensed and insured for the work where your state asks for it, and for the price in writing.",
				},
			},
			{
				Heading: "What it costs",
				Text: []string{
					"Sending a request costs you nothing. A contractor that takes it may pay " + b.Name + " for it.",
					"The work is paid to the contractor, at a price that you agree on with them only. " + b.Name + " knows no prices.",
				},
			},
			{
				Heading: "Where it works",
				Text: []string{
					"Requests are taken for homes in all states and territories of the United States. That a request is taken does not mean that somebody covers it: coverage differs by service and ZIP code, and changes.",
				},
				Links: b.groupLinks(),
			},
			{
				Heading: "If you change your mind",
				Text:    []string{"You can take your consent back, or have what is kept about you erased, at any time."},
				Links:   []Link{{Wishes.Heading, b.URL("/privacy#wish")}, {toPrivacy, b.URL("/privacy")}},
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

// AskFor is the address of the form with a service chosen.
func (b Brand) AskFor(s lead.Service) string {
	return b.URL("/?service_type=" + string(s))
}
