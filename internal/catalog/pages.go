package catalog

import "foyer/internal/lead"

// Page is the content of a public page, apart from its looks.
type Page struct {
	Path        string // "" if the page has no address of its own
	Title       string
	Description string
	Heading     string
	Opening     []string
	Sections    []Section
	Services    []lead.Service // that the page is about
}

// Section is a part of a page. Empty members are left out; the rest is shown in this order.
type Section struct {
	Heading string
	Text    []string
	Items   []string
	Ordered bool // the items are numbered steps
	Links   []Link
	Parts   []Section // subsections
}

// Link is a link to another page.
type Link struct {
	Text, Address string
}

// PageWords are the short texts around every page and in the form, by the name that templates use.
var PageWords = map[string]string{
	"skip":       "Skip to main content",
	"main pages": "Main",
	"pages":      "More pages",
	"contact":    "Contact",

	"token":      "Token",
	"token help": "It begins with foy_. It is sent in the form, and never part of an address.",
	"show docs":  "Show the docs",

	"question":  "Need a plumber?",
	"dial":      "Dial",
	"call note": "Just call: no form needed. " + CoverageNote,

	"reference":      "Your reference",
	"reference help": "Keep it. It's the only way to check on your request.",
	"to status":      "Check your request",
	"service":        "Service",
	"zip":            "ZIP code",
	"sent":           "Sent",
	"changed":        "Last change",
	"status help":    "Anyone with this link can see this page. It shows nothing about you.",
	"look up":        "Look it up",
	"look-up help":   "It starts with lead_. You saw it when you sent your request.",
	"sent one":       "Already sent a request?",

	"optional":        FormOptional,
	"consent":         "Your consent",
	"send":            "Send my request",
	"left":            "left",
	"over":            "too many",
	"sending":         "Sending your request.",
	"trying":          "No answer yet. Trying again. Even if it goes through twice, it counts once.",
	"lost":            "We didn't get an answer, so we can't tell whether your request arrived. Everything you typed is still here. Please send it again: even if it did arrive, it counts once.",
	"check only":      "This is only a check: nothing is stored when you send it.",
	"ending":          "This is a request, not a booking.",
	"problem heading": "Please check your request. Nothing was kept yet.",
	"problem advice":  "Please fix the following and send it again:",
	"honeypot":        "Leave this field empty",

	"privacy heading":        toWithdraw,
	"privacy ask":            "What would you like us to do?",
	"privacy send":           "Send",
	"privacy ending":         "We store this for a person to handle. We don't send a message about it.",
	PhoneField:               "Phone number",
	PhoneField + " help":     "The number that was given in the request: a 10-digit US number, for example 305-555-0123.",
	ReferenceField:           "Reference",
	ReferenceField + " help": "It starts with lead_. You'll find it on the page you saw after sending, or in your assistant's answer. Leave it out if you don't have it.",

	"contents": "On this page",
	"copy":     "Copy",
	"copied":   "Copied",

	"console heading":        ConsoleHeading,
	"console intro":          "Send a call from this page. Requests are sent as dry runs: they are checked and answered, and nothing is stored.",
	"console without script": "This needs JavaScript. Without it, use the examples above, or send a request with the form:",
	"console to form":        "the form",
	"console call":           "Call",
	"console body":           "Body",
	"console send":           "Send",
	"console sending":        "Sending.",
	"console failed":         "The service could not be reached.",
}

// ConsoleHeading is the heading of the console on the docs page, and its entry in the table of contents.
const ConsoleHeading = "Try it"

const (
	toHome     = "Go to the home page"
	toAnother  = "Request another service"
	toPrivacy  = "What we keep, and who gets it"
	toStatus   = "Check on a request"
	toWithdraw = "Withdraw consent or erase my data"
)

const noPromise = "This is not a booking. No callback, arrival time, company or price is promised."

// Nav returns the links in the header.
func (b Brand) Nav() []Link {
	return []Link{
		{"Request", b.URL("/")},
		{"Plumbing", b.URL("/plumbing")},
		{"How it works", b.URL("/how-it-works")},
	}
}

// Footer returns the links in the footer.
func (b Brand) Footer() []Link {
	return append(b.groupLinks(), []Link{
		{"Plumbing", b.URL("/plumbing")},
		{"How it works", b.URL("/how-it-works")},
		{"Privacy", b.URL("/privacy")},
		{"Docs", b.URL("/docs")},
	}...)
}

// InShort says in two sentences what the service is.
func (b Brand) InShort() string {
	return b.Name + " passes your request to independent local contractors in the United States. It does not do the work itself."
}

// HomePage is the page with the form.
func (b Brand) HomePage() Page {
	return Page{
		Path: "/", Title: b.Name + ": request a service for your home",
		Description: "Request cleaning, pest control, heating and cooling, or a handyman for a home in the United States, or get a number to call for a plumber.",
		Heading:     "Request a service for your home",
		Opening:     []string{b.InShort(), noPromise},
		Sections: []Section{{
			Heading: "What happens next",
			Ordered: true,
			Items: []string{
				"We store your request and look for a contractor network that covers the service in your area.",
				"If a network takes it, we pass it along. Until then, we hold it.",
				"You agree on price and time with the contractor directly. Contractors are independent.",
			},
			Links: []Link{{"How it works", b.URL("/how-it-works")}, {toPrivacy, b.URL("/privacy")}, {toStatus, b.URL(PageStatus)}},
		}, {
			Heading: "If the work is urgent",
			Text:    []string{"Please don't wait to hear back: look for help elsewhere too."},
		}},
	}
}

// PlumbingPage shows the plumbing number.
func (b Brand) PlumbingPage() Page {
	return Page{
		Path: "/plumbing", Title: "Plumbing: a number to dial - " + b.Name,
		Description: "The number to call for a plumber. No form, name or consent needed. " + CoverageNote,
		Heading:     "Need a plumber? Call this number",
		Services:    []lead.Service{lead.Plumbing},
		Sections: []Section{
			{
				Heading: "What to say",
				Items: []string{
					"The home's ZIP code.",
					"What's wrong, and when it started.",
					"Whether the water is still running or you could shut it off.",
					"Whether it's a house or an apartment, and whether you rent.",
				},
				Text: []string{"You talk to a plumbing line directly. If anyone is in danger, call 911 first."},
			},
			{
				Heading: "Good to know",
				Items: []string{
					"Getting the number is not a booking.",
					"No arrival time, company or price is promised. You agree on those with the contractor.",
					"Contractors are independent. " + b.Name + " does not do the work itself.",
				},
			},
			{
				Heading: "If you filled out the form",
				Text:    []string{"We don't pass plumbing requests along. To reach a plumber, make the call yourself."},
				Links:   []Link{{toAnother, b.URL("/")}},
			},
		},
	}
}

// DryThanksPage follows a dry run.
func (b Brand) DryThanksPage() Page {
	return Page{
		Path: "/thanks", Title: "Request checked - " + b.Name,
		Description: "The request was checked. Nothing was stored.",
		Heading:     "Your request looks good, and nothing was stored",
		Opening: []string{
			"This was a dry run. Your request is complete, but nothing was stored or passed along.",
			"To send it for real, fill out the form and send it without dry_run.",
		},
		Sections: []Section{{Links: []Link{{toHome, b.URL("/")}}}},
	}
}

// NoPage answers an address that does not exist.
func (b Brand) NoPage() *lead.Error {
	return &lead.Error{Kind: lead.NotFound, Message: "There is nothing at this address. Check the spelling, or start at " + b.URL("/") + "."}
}

var errorHeadings = map[lead.Kind]string{
	lead.NotFound:         "We can't find that page",
	lead.MethodNotAllowed: "This address can't be used that way",
	lead.RateLimited:      "Too many requests",
	lead.Unavailable:      "We're busy right now",
	lead.TooLarge:         "That was too much at once",
	lead.Internal:         "Sorry, that didn't work",
}

// ErrorPage says what went wrong, and where to continue.
func (b Brand) ErrorPage(kind lead.Kind, message string) Page {
	heading, known := errorHeadings[kind]
	if !known {
		heading = "That didn't work"
	}
	p := Page{
		Title: heading + " - " + b.Name, Description: heading + ".", Heading: heading, Opening: []string{message},
		Sections: []Section{{Links: []Link{{toHome, b.URL("/")}}}},
	}
	if kind == lead.Internal {
		p.Opening = append(p.Opening, "Please try again in a moment. If it happens again, write to "+b.Contact+" and include the code above.")
	}
	return p
}
