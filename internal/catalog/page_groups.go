package catalog

import "foyer/internal/lead"

// Group is a set of services that share a page.
type Group struct {
	Slug     string
	Name     string // for links
	Services []Offered
	about    string   // one sentence: what people can ask for
	details  []string // what to mention, to help the contractor
	notes    []string // cautions, such as what the contractor decides
}

// Offered is one service of a group, in a sentence.
type Offered struct {
	Service lead.Service
	About   string
}

// Groups are the pages of the services that collect requests. Plumbing has its own page, with a number.
var Groups = []Group{
	{
		Slug: "cleaning", Name: "Cleaning",
		about: "Request cleaning for a home in the United States: once, for a move, or on a regular schedule.",
		Services: []Offered{
			{lead.HouseCleaning, "A standard cleaning of the rooms, kitchen and bathrooms."},
			{lead.DeepCleaning, "A thorough cleaning that also covers what a standard one leaves out: inside appliances, behind furniture, baseboards."},
			{lead.MoveCleaning, "An empty home, before you move in or after you move out."},
			{lead.RecurringCleaning, "The same cleaning every week, every two weeks or every month."},
		},
		details: []string{
			"The number of bedrooms and bathrooms, and roughly how many square feet.",
			"How often, starting when, and whether other dates work too.",
			"Pets, stairs, parking, and whether you have cleaning supplies.",
			"For a move: whether the home is empty, and when it has to be done.",
		},
		notes: []string{"You agree on price and scope with the contractor. Ask what's included before you say yes."},
	},
	{
		Slug: "pest-control", Name: "Pest control",
		about: "Request help with ants, roaches, rodents, termites, bed bugs, wasps and other pests in a home in the United States.",
		Services: []Offered{
			{lead.PestControl, "An inspection or a treatment, once or on a regular schedule."},
		},
		details: []string{
			"What you saw, where, and since when. A guess is fine.",
			"Whether it's a house or an apartment, and whether you rent. If you do, your landlord may have to agree.",
			"Children, pets or allergies in the home: they matter for choosing a treatment.",
			"What you've already tried.",
		},
		notes: []string{"The contractor and your state's law decide which products are used and whether they take a license. Ask before you say yes."},
	},
	{
		Slug: "heating-and-cooling", Name: "Heating and cooling",
		about: "Request work on air conditioning, furnaces, heat pumps, ducts and thermostats in a home in the United States.",
		Services: []Offered{
			{lead.HVAC, "A repair, regular maintenance, or a new system."},
		},
		details: []string{
			"What the system does or doesn't do, and since when.",
			"What kind it is and roughly how old. The name on its plate helps.",
			"The size of the home, and whether you own or rent.",
			"Whether anyone in the home depends on heat or cooling.",
		},
		notes: []string{"If you smell gas or a carbon monoxide alarm sounds, leave the home and call 911. Don't send a request first."},
	},
	{
		Slug: "handyman", Name: "Handyman and other work",
		about: "Request repairs, mounting, assembly, painting and other work at a home in the United States.",
		Services: []Offered{
			{lead.Handyman, "Small repairs, mounting, assembly, painting, doors, shelves."},
			{lead.Other, "Anything else at home. Tell us what it is in the notes."},
		},
		details: []string{
			"What needs to be done, as a list. Sizes and materials help.",
			"Whether you already have parts or tools.",
			"How to get in, and whether there are stairs or parking.",
			"When you need it, and whether other dates work too.",
		},
		notes: []string{"Some work, such as electrical work, requires a license in most states. Ask the contractor before you say yes."},
	},
}

// Path returns the address of the group's page.
func (g Group) Path() string { return "/services/" + g.Slug }

// GroupPage says what people can ask for in a group of services, and what to mention to help the contractor.
func (b Brand) GroupPage(g Group) Page {
	services := Section{Heading: "What you can request"}
	var about []lead.Service
	for _, s := range g.Services {
		about = append(about, s.Service)
		services.Parts = append(services.Parts, Section{
			Heading: Label(s.Service), Text: []string{s.About}, Links: []Link{{"Request " + labelInSentence(s.Service), b.AskFor(s.Service)}},
		})
	}
	return Page{
		Path: g.Path(), Title: g.Name + ": request it for your home - " + b.Name,
		Description: g.about + " A request is not a booking.",
		Heading:     g.Name + " for your home",
		Opening:     []string{g.about, noPromise},
		Services:    about,
		Sections: []Section{
			services,
			{Heading: "What to include", Text: []string{"Leave out anything you don't know. The more a contractor knows up front, the less they have to ask."}, Items: g.details},
			{Heading: "Good to know", Items: append([]string{
				"Your request goes to an independent contractor or contractor network that covers the service in your ZIP code, if one takes it. Until then, we hold it.",
				b.Name + " does not do the work itself.",
			}, g.notes...), Links: []Link{{"How it works, step by step", b.URL(PageGuide)}, {toPrivacy, b.URL("/privacy")}}},
		},
	}
}
