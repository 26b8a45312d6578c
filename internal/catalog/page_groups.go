package catalog

import "foyer/internal/lead"

// Group is services that have a page together.
type Group struct {
	Slug     string
	Name     string // for links
	Services []Offered
	about    string   // one sentence: what can be asked
	details  []string // what helps whoever gets the request
	notes    []string // what this is not
}

// Offered is one service of a group, in a sentence.
type Offered struct {
	Service lead.Service
	About   string
}

// Groups are the pages of the services that collect requests. Plumbing has a page of its own, with a number.
var Groups = []Group{
	{
		Slug: "cleaning", Name: "Cleaning",
		about: "Ask for a cleaning of a home in the United States: once, before or after a move, or again and again.",
		Services: []Offered{
			{lead.HouseCleaning, "An ordinary cleaning of the rooms, kitchen and bathrooms."},
			{lead.DeepCleaning, "A thorough cleaning that reaches what is left out otherwise: inside appliances, behind furniture, baseboards."},
			{lead.MoveCleaning, "An empty home, before you move in or after you move out."},
			{lead.RecurringCleaning, "The same cleaning every week, every two weeks or every month."},
		},
		details: []string{
			"How many bedrooms and bathrooms there are, and about how many square feet.",
			"How often, and from which date. Say whether other dates work too.",
			"Pets, stairs, parking, and whether cleaning supplies are there.",
			"For a move: whether the home is empty, and until when it has to be done.",
		},
		notes: []string{"Price and scope are agreed with the contractor only. Ask what is included before you agree."},
	},
	{
		Slug: "pest-control", Name: "Pest control",
		about: "Ask for somebody to look after ants, roaches, rodents, termites, bed bugs, wasps and the like in a home in the United States.",
		Services: []Offered{
			{lead.PestControl, "An inspection or a treatment, once or at regular times."},
		},
		details: []string{
			"What you saw, where, and since when. A guess is fine.",
			"Whether it is a house or an apartment, and whether you rent it: then the landlord may have to agree.",
			"Children, pets or allergies in the home, because they matter for the choice of a treatment.",
			"What was tried already.",
		},
		notes: []string{"Which products are used, and whether a license is needed for them, is up to the contractor and the law of your state. Ask before you agree."},
	},
	{
		Slug: "heating-and-cooling", Name: "Heating and cooling",
		about: "Ask for work on air conditioning, furnaces, heat pumps, ducts and thermostats in a home in the United States.",
		Services: []Offered{
			{lead.HVAC, "A repair, regular maintenance, or a new system."},
		},
		details: []string{
			"What the system does or does not do, and since when.",
			"What kind it is and about how old; a name from its plate helps.",
			"The size of the home, and whether you own or rent it.",
			"Whether anybody in the home depends on heat or cooling.",
		},
		notes: []string{"If you smell gas or a carbon monoxide alarm sounds, leave the home and dial 911. Do not send a request first."},
	},
	{
		Slug: "handyman", Name: "Handyman and other work",
		about: "Ask for repairs, mounting, assembly, painting and other work at a home in the United States that fits under no other name.",
		Services: []Offered{
			{lead.Handyman, "Small repairs, mounting, assembly, painting, doors, shelves."},
			{lead.Other, "Anything else at home. Say in the notes what it is."},
		},
		details: []string{
			"What is to be done, as a list. Sizes and materials help.",
			"Whether parts or tools are there already.",
			"How to get in, and whether there are stairs or parking.",
			"By which date, and whether other dates work too.",
		},
		notes: []string{"Some work, such as electrical work, needs a license in most states. Ask the contractor before you agree."},
	},
}

// Path is the address of a group's page.
func (g Group) Path() string { return "/services/" + g.Slug }

// GroupPage tells what can be asked for in a group of services, and what helps whoever gets the request.
func (b Brand) GroupPage(g Group) Page {
	services := Section{Heading: "What you can ask for"}
	for _, s := range g.Services {
		services.Parts = append(services.Parts, Section{
			Heading: Label(s.Service), Text: []string{s.About}, Links: []Link{{"Request " + asked(s.Service), b.AskFor(s.Service)}},
		})
	}
	return Page{
		Path: g.Path(), Title: g.Name + ": request it for your home - " + b.Name,
		Description: g.about + " A request is not a booking.",
		Heading:     g.Name + " for your home",
		Opening:     []string{g.about, noPromise},
		Sections: []Section{
			services,
			{Heading: "What to write down", Text: []string{"You may leave out what you do not know. The more a contractor knows, the less there is to ask."}, Items: g.details},
			{Heading: "What to know", Items: append([]string{
				"Your request goes to an independent contractor or contractor network that covers the service in your ZIP code, if one takes it. Until then it is held.",
				b.Name + " does not do the work.",
			}, g.notes...), Links: []Link{{"How it works, step by step", b.URL(PageGuide)}, {toPrivacy, b.URL("/privacy")}}},
		},
	}
}
