package lead

import "strings"

// FieldKind says how a field is parsed and which form input it gets.
type FieldKind uint8

// The kinds of field.
const (
	Text    FieldKind = iota // one line
	Lines                    // several lines
	Choice                   // one of a list
	Whole                    // a whole number
	Decimal                  // a number with a fraction
	Date                     // YYYY-MM-DD
	YesNo                    // true or false
)

// Field describes one field of a request. It is the single source for parsing, messages, the OpenAPI document, the tool
// schemas, the form and the docs. To add a field, follow the checklist in ARCHITECTURE.md, "How to add a field to the request".
type Field struct {
	Name     string
	Kind     FieldKind
	Required bool
	Nullable bool     // the published interface says "or null"
	Default  string   // as a person would type it
	Choices  []string // for Choice
	Min, Max int      // bounds of a number, or of a text's length; a Max of 0 means no bounds
	Pattern  string   // for the schemas
	Personal bool     // identifies the person: the value goes into Contact, and tests look for it where it must not be
	Label    string   // the label in the form
	Help     string   // what the field is for, in schemas and docs
	Hint     string   // shown below the form input; "" if the label is enough or the form has no such input
	Wants    string   // what to send instead of a wrong value
	Asks     string   // the same for a person who fills in a form, if it differs
	Example  string

	// Prompt lists the services for which the form shows the field; none means all. Every service accepts every field, from
	// programs and forms alike: this only keeps the form short.
	Prompt []Service

	rule   func(string) (string, problemText) // a rule for a text, in addition to its length
	assign func(*Request, parsed)
}

// problemText says what is wrong with a value. It follows the field's label and a colon. "" means no problem.
type problemText string

// parsed is a valid value of a field.
type parsed struct {
	text  string
	whole *int
	num   *float64
	yes   bool
}

// problem builds the message: what is wrong and what to send instead. Inlined into Parse, it would take most of the stack
// frame for a rare case.
//
//go:noinline
func (f *Field) problem(wrong problemText) Problem {
	p := Problem{Field: f.Name, Text: f.Label + ": " + string(wrong) + ". " + f.Wants + "."}
	if f.Asks != "" {
		p.Asked = f.Label + ": " + string(wrong) + ". " + f.Asks + "."
	}
	return p
}

// Limited reports whether a text has a maximum length, or a number has bounds.
func (f *Field) Limited() bool { return f.Max > 0 }

var fieldIndex = func() map[string]int {
	index := make(map[string]int, len(Fields))
	for i := range Fields {
		index[Fields[i].Name] = i
	}
	return index
}()

func mustIndex(name string) int {
	i, known := fieldIndex[name]
	if !known {
		panic("lead: no field " + name)
	}
	return i
}

// FieldNamed returns the field with this name. It panics if there is none.
func FieldNamed(name string) *Field { return &Fields[mustIndex(name)] }

// Required returns the names of the fields that every request must have.
func Required() []string {
	var names []string
	for i := range Fields {
		if Fields[i].Required {
			names = append(names, Fields[i].Name)
		}
	}
	return names
}

func toStrings[T ~string](values []T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

func wantsOneOf(choices []string) string { return "Give one of " + strings.Join(choices, ", ") }

// Known reports whether name is in the field table.
func Known(name string) bool {
	_, known := fieldIndex[name]
	return known
}

// DryRun is the field that requests a check without saving anything.
const DryRun = "dry_run"

const fieldCount = len(Fields)

var (
	homeTypes   = []string{"apartment", "condo", "townhouse", "single_family", "other"}
	frequencies = []string{"one_time", "weekly", "biweekly", "monthly"}
)

// Fields is the field table, in the order of the published interface. A new field needs more than a row here: see Field.
var Fields = [...]Field{
	{
		Name: "service_type", Kind: Choice, Required: true, Choices: toStrings(Services),
		Label: "Service", Help: "The kind of work that is needed.",
		Hint:  "Need a plumber? Call the number above: no form needed.",
		Wants: wantsOneOf(toStrings(Services)), Example: "house_cleaning",
		Asks:   "Choose one from the list",
		assign: func(r *Request, v parsed) { r.Service = Service(v.text) },
	},
	{
		Name: "zip_code", Kind: Text, Required: true, Pattern: `^[0-9]{5}$`,
		Label: "ZIP code", Help: "US 5-digit ZIP code where the work happens; for a ZIP+4, the first five digits.",
		Hint:  "Where the work is: five digits.",
		Wants: "Give the five-digit ZIP code where the work happens, for example 33139", Example: "33139",
		rule: validateZIP, assign: func(r *Request, v parsed) { r.ZIP = v.text },
	},
	{
		Name: "city", Kind: Text, Nullable: true, Max: 120,
		Label: "City", Help: "City where the work happens, at most 120 characters.",
		Wants: "Give the name of the city in at most 120 characters, for example Miami Beach", Example: "Miami Beach",
		assign: func(r *Request, v parsed) { r.City = v.text },
	},
	{
		Name: "state", Kind: Text, Nullable: true, Pattern: `^[A-Za-z]{2}$`,
		Label: "State", Help: "Two-letter US state code.",
		Hint:  "Two letters, such as FL.",
		Wants: "Give the two letters of a US state, DC, territory or military region, for example FL", Example: "FL",
		rule: validateState, assign: func(r *Request, v parsed) { r.State = v.text },
	},
	{
		Name: "address_line", Kind: Text, Nullable: true, Max: 300, Personal: true,
		Label: "Street address", Help: "Street address, at most 300 characters. Optional now; some contractor networks ask for it later.",
		Hint:  "Some contractor networks ask for it later.",
		Wants: "Give the street and number on one line of at most 300 characters, for example 12 Example Street", Example: "12 Example Street",
		assign: func(r *Request, v parsed) { r.Contact.Street = v.text },
	},
	{
		Name: "bedrooms", Kind: Whole, Nullable: true, Min: 0, Max: 20,
		Prompt: []Service{HouseCleaning, DeepCleaning, MoveCleaning, RecurringCleaning},
		Label:  "Bedrooms", Help: "Number of bedrooms, 0 to 20.",
		Wants: "Give a whole number from 0 to 20, for example 2", Example: "2",
		assign: func(r *Request, v parsed) { r.Home.Bedrooms = v.whole },
	},
	{
		Name: "bathrooms", Kind: Decimal, Nullable: true, Min: 0, Max: 20,
		Prompt: []Service{HouseCleaning, DeepCleaning, MoveCleaning, RecurringCleaning},
		Label:  "Bathrooms", Help: "Number of bathrooms, 0 to 20; halves are fine.",
		Hint:  "Half baths count: 1.5.",
		Wants: "Give a number from 0 to 20, for example 1.5", Example: "1.5",
		assign: func(r *Request, v parsed) { r.Home.Bathrooms = v.num },
	},
	{
		Name: "square_feet", Kind: Whole, Nullable: true, Min: 100, Max: 50000,
		Prompt: []Service{HouseCleaning, DeepCleaning, MoveCleaning, RecurringCleaning, HVAC},
		Label:  "Square feet", Help: "Size of the home in square feet, 100 to 50000.",
		Hint:  "An estimate is fine.",
		Wants: "Give a whole number from 100 to 50000, for example 1200", Example: "1200",
		assign: func(r *Request, v parsed) { r.Home.SquareFeet = v.whole },
	},
	{
		Name: "home_type", Kind: Choice, Nullable: true, Choices: homeTypes,
		Prompt: []Service{HouseCleaning, DeepCleaning, MoveCleaning, RecurringCleaning, PestControl, HVAC},
		Label:  "Home type", Help: "The kind of home.",
		Wants: wantsOneOf(homeTypes), Example: "apartment",
		Asks:   "Choose one from the list",
		assign: func(r *Request, v parsed) { r.Home.Type = v.text },
	},
	{
		Name: "frequency", Kind: Choice, Default: "one_time", Choices: frequencies,
		Prompt: []Service{HouseCleaning, RecurringCleaning, PestControl},
		Label:  "How often", Help: "How often the work is wanted; biweekly is every two weeks.",
		Wants: wantsOneOf(frequencies), Example: "one_time",
		Asks:   "Choose one from the list",
		assign: func(r *Request, v parsed) { r.Frequency = v.text },
	},
	{
		Name: "preferred_date", Kind: Date, Nullable: true,
		Label: "Preferred date", Help: "Preferred date. A preference, not an appointment.",
		Hint:  "A preference, not an appointment.",
		Wants: "Give a real calendar date as YYYY-MM-DD, for example 2027-03-15", Example: "2027-03-15",
		assign: func(r *Request, v parsed) { r.PreferredDate = v.text },
	},
	{
		Name: "flexible_dates", Kind: YesNo, Default: "true",
		Label: "Flexible dates", Help: "Whether other dates work too.",
		Hint:  "Do other dates work, too?",
		Wants: "Give true or false", Example: "true",
		Asks:   "Choose yes or no",
		assign: func(r *Request, v parsed) { r.FlexibleDates = v.yes },
	},
	{
		Name: "notes", Kind: Lines, Nullable: true, Max: 2000, Personal: true,
		Label: "Notes", Help: "What the contractor should know, at most 2000 characters, such as a preferred time of day or, for other work, what it is. No payment details.",
		Hint:  "Anything the contractor should know. No payment details, please.",
		Wants: "Give plain text of at most 2000 characters, for example Two cats in the house", Example: "Two cats in the house",
		assign: func(r *Request, v parsed) { r.Contact.Notes = v.text },
	},
	{
		Name: "customer_name", Kind: Text, Required: true, Min: 2, Max: 120, Personal: true,
		Label: "Name", Help: "Name of the person making the request, 2 to 120 characters.",
		Wants: "Give a name of 2 to 120 characters, for example Pat Example", Example: "Pat Example",
		assign: func(r *Request, v parsed) { r.Contact.Name = v.text },
	},
	{
		Name: "customer_phone", Kind: Text, Required: true, Personal: true,
		Label: "Phone", Help: "Phone number of the person: a 10-digit US number; dashes or a +1 in front are fine.",
		Hint:  "A 10-digit US number.",
		Wants: "Give a 10-digit US number, for example 305-555-0123 or +13055550123", Example: "305-555-0123",
		rule: validatePhone, assign: func(r *Request, v parsed) { r.Contact.Phone = v.text },
	},
	{
		Name: "customer_email", Kind: Text, Nullable: true, Max: 254, Personal: true,
		Label: "Email", Help: "Email address of the person. It does not replace consent to calls or texts.",
		Wants: "Give an address with one @, of at most 254 characters, for example pat@example.com", Example: "pat@example.com",
		rule: validateEmail, assign: func(r *Request, v parsed) { r.Contact.Email = v.text },
	},
	{
		Name: "consent_to_contact", Kind: YesNo, Required: true,
		Label: "Consent to contact", Help: "True only if the person agreed to be called or texted about this request. " +
			"Must be true for every service except plumbing.",
		Hint:    "Check the box if you agree. Without your consent, we can't keep your request.",
		Wants:   "Give true if the person agreed to be called or texted about this request. Without that, nothing can be kept, except for plumbing, where false is fine. Ask the person; never change it to true yourself",
		Example: "true",
		Asks:    "Check the box if you agree to be called or texted about this request. Without your consent, we can't keep it",
		assign:  func(r *Request, v parsed) { r.Consent = v.yes },
	},
	{
		Name: "source_agent", Kind: Text, Nullable: true, Max: 200,
		Label: "Sent by", Help: "The agent or product that sends the request, at most 200 characters.",
		Wants: "Give the name of the agent or product on one line of at most 200 characters, for example example-assistant", Example: "example-assistant",
		assign: func(r *Request, v parsed) { r.SourceAgent = v.text },
	},
	{
		Name: DryRun, Kind: YesNo, Default: "false",
		Label: "Dry run", Help: "True checks the request and answers as usual; nothing is stored or passed along.",
		Wants: "Give true or false, spelled dry_run", Example: "false",
		assign: func(r *Request, v parsed) { r.DryRun = v.yes },
	},
}
