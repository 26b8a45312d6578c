package catalog

import "foyer/internal/lead"

// Page is what a public page says, apart from how it looks.
type Page struct {
	Path        string // "" where the page stands at no address of its own
	Title       string
	Description string
	Heading     string
	Opening     []string
	Sections    []Section
}

// Section is a part of a page. What is empty is left out; the rest is shown in this order.
type Section struct {
	Heading string
	Text    []string
	Items   []string
	Ordered bool // the items are steps
	Code    string
	Lang    string // the language of Code, as Markdown names it
	Table   *Table
	Links   []Link
	Parts   []Section // smaller sections within
}

// Table has names in its first column: of fields, statuses, addresses.
type Table struct {
	Head []string
	Rows [][]string
}

// Link leads to another page.
type Link struct {
	Text, Address string
}

// PageWords are the small words around every page and in the form, by the name the templates use.
var PageWords = map[string]string{
	"skip":       "Skip to the content",
	"main pages": "Main",
	"pages":      "More pages",
	"contact":    "Contact",

	"question":  "Need a plumber?",
	"dial":      "Dial",
	"call note": "Dial it yourself. No form is needed. " + CoverageNote,

	"reference":      "Your reference",
	"reference help": "Keep it: it is the only way to see where the request stands.",
	"to status":      "See where it stands",
	"service":        "Service",
	"zip":            "ZIP code",
	"sent":           "Sent",
	"changed":        "Last change",
	"status help":    "Whoever has this address sees this page. It shows nothing about you.",
	"look up":        "Look it up",
	"look-up help":   "It begins with lead_ and was shown when the request was sent.",
	"sent one":       "Did you send a request?",

	"optional":        FormOptional,
	"consent":         "Your consent",
	"send":            "Send the request",
	"left":            "left",
	"over":            "too many",
	"sending":         "Sending the request.",
	"trying":          "No answer yet. Trying again: a request that is sent twice counts once.",
	"lost":            "No answer came, so it is not certain that the request arrived. Everything you typed is still here. Send it again: if it did arrive, it counts once.",
	"check only":      "This is a check only: nothing is stored when you send it.",
	"ending":          "This sends a request, not a booking.",
	"problem heading": "The request was not taken yet. Nothing was kept.",
	"problem advice":  "Please correct this, then send it again:",
	"trap":            "Leave this field empty",
}

const (
	toHome    = "Go to the start page"
	toAnother = "Request another service"
	toPrivacy = "What is kept, and who receives it"
	toStatus  = "Where does my request stand?"
)

const noPromise = "This is not a booking. No callback, arrival time, company or price is promised."

// Nav are the pages of the header.
func (b Brand) Nav() []Link {
	return []Link{
		{"Request", b.URL("/")},
		{"Plumbing", b.URL("/plumbing")},
		{"How it works", b.URL("/how-it-works")},
	}
}

// Footer are the pages of the footer.
func (b Brand) Footer() []Link {
	return append(b.groupLinks(), []Link{
		{"Plumbing", b.URL("/plumbing")},
		{"How it works", b.URL("/how-it-works")},
		{"Privacy", b.URL("/privacy")},
		{"Docs", b.URL("/docs")},
	}...)
}

// InShort says in two sentences what this is.
func (b Brand) InShort() string {
	return b.Name + " passes requests to independent local contractors in the United States. It does not do the work."
}

// HomePage is the page with the form.
func (b Brand) HomePage() Page {
	return Page{
		Path: "/", Title: b.Name + ": request a service for your home",
		Description: "Ask for cleaning, pest control, heating and cooling or a handyman at a home in the United States, or get a number to dial for a plumber.",
		Heading:     "Request a service for your home",
		Opening:     []string{b.InShort(), noPromise},
		Sections: []Section{{
			Heading: "What happens to a request",
			Ordered: true,
			Items: []string{
				"It is stored, and held until a contractor network covers the service in your area.",
				"It is then passed to that network, if the network takes it.",
				"Price and time are agreed with the contractor only, who is independent.",
			},
			Links: []Link{{"How it works", b.URL("/how-it-works")}, {toPrivacy, b.URL("/privacy")}, {toStatus, b.URL(PageStatus)}},
		}, {
			Heading: "If the work is urgent",
			Text:    []string{"Do not wait for an answer: look for help elsewhere too."},
		}},
	}
}

// PlumbingPage hands out the number.
func (b Brand) PlumbingPage() Page {
	return Page{
		Path: "/plumbing", Title: "Plumbing: a number to dial - " + b.Name,
		Description: "The number to dial for a plumber. No form, name or consent is needed. " + CoverageNote,
		Heading:     "For a plumber, dial this number yourself",
		Sections: []Section{
			{
				Heading: "What to say",
				Items: []string{
					"The ZIP code of the home.",
					"What is wrong, and since when.",
					"Whether the water is still running or could be shut off.",
					"Whether it is a house or an apartment, and whether you rent it.",
				},
				Text: []string{"You talk to a plumbing line directly. If anyone is in danger, dial 911 first."},
			},
			{
				Heading: "What this is not",
				Items: []string{
					"Getting the number is not a booking.",
					"No arrival time, company or price is promised. Price and time are agreed with the contractor only.",
					"Contractors are independent. " + b.Name + " does not do the work.",
				},
			},
			{
				Heading: "If you filled in the form",
				Text:    []string{"A plumbing request is passed to nobody. The way to a plumber is the call, and the call is yours to make."},
				Links:   []Link{{toAnother, b.URL("/")}},
			},
		},
	}
}

// ThanksPage follows a request that was taken in.
func (b Brand) ThanksPage() Page {
	return Page{
		Path: "/thanks", Title: "Request received - " + b.Name,
		Description: "The request was received. It is not a booking.",
		Heading:     "Your request was received",
		Opening:     []string{"Thank you. Nothing more is needed from you now.", noPromise},
		Sections: []Section{
			{Heading: "What happens now", Ordered: true, Items: []string{
				"The request is held until a contractor network covers the service in your area.",
				"The network is asked whether it takes the request, and gets your contact details only if it does. One whose system cannot be asked first gets them at once.",
				"Price and time are agreed with the contractor only, who is independent.",
			}},
			{Heading: "If the work is urgent", Text: []string{"Do not wait for an answer: look for help elsewhere too."}},
			{Heading: "If the date has passed", Text: []string{"If the date you asked for is over already, send a new request with a new date."}},
			{
				Heading: "If you change your mind",
				Text:    []string{"You can take your consent back, or have the request erased, at any time."},
				Links:   []Link{{Wishes.Heading, b.URL("/privacy#wish")}, {toAnother, b.URL("/")}},
			},
		},
	}
}

// DryThanksPage follows a request that was only checked.
func (b Brand) DryThanksPage() Page {
	return Page{
		Path: "/thanks", Title: "Request checked - " + b.Name,
		Description: "The request was checked. Nothing was stored.",
		Heading:     "Your request was checked, and nothing was stored",
		Opening: []string{
			"This was a dry run. The request is complete, but nothing of it was stored or passed along.",
			"To send it for real, fill in the form and send it without dry_run.",
		},
		Sections: []Section{{Links: []Link{{toHome, b.URL("/")}}}},
	}
}

// NoPage answers an address that does not exist.
func (b Brand) NoPage() *lead.Error {
	return &lead.Error{Kind: lead.NotFound, Message: "There is nothing at this address. Check how it is spelled, or start at " + b.URL("/") + "."}
}

var errorHeadings = map[lead.Kind]string{
	lead.NotFound:         "This page does not exist",
	lead.MethodNotAllowed: "This address cannot be used that way",
	lead.RateLimited:      "Too many requests",
	lead.Unavailable:      "The service is busy",
	lead.TooLarge:         "That was too much at once",
	lead.Internal:         "Sorry, this did not work",
}

// ErrorPage tells a person what went wrong, and where to go from there.
func (b Brand) ErrorPage(kind lead.Kind, message string) Page {
	heading, known := errorHeadings[kind]
	if !known {
		heading = "This did not work"
	}
	p := Page{
		Title: heading + " - " + b.Name, Description: heading + ".", Heading: heading, Opening: []string{message},
		Sections: []Section{{Links: []Link{{toHome, b.URL("/")}}}},
	}
	if kind == lead.Internal {
		p.Opening = append(p.Opening, "Try again in a moment. If it happens again, write to "+b.Contact+" and give the code above.")
	}
	return p
}
