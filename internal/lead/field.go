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
// schemas, the form and the docs.
type Field struct {
	Name     string
	Kind     FieldKind
	Required bool
	Nullable bool     // the published interface says "or null"
	Default  string   // as a person would type it
	Choices  []string // for Choice
	Min, Max int      // bounds of a number, or of a text's length; a Max of 0 means no bounds
	Pattern  string   // for the schemas
	Personal bool     // identifies the person
	Label    string   // the label in the form
	Help     string   // what the field is for, in schemas and docs
	Hint     string   // shown below the form input; "" if the label is enough or the form has no such input
	Wants    string   // what to send instead of a wrong value
	Asks     string   // the same for a person who fills in a form, if it differs
	Example  string

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

// prompts lists, for a field that the form does not show for every service, the services it is shown for. Every service
// accepts every field, from programs and forms alike; this only keeps the form short.
var prompts = map[string][]Service{
	"home_type":   {HouseCleaning, DeepCleaning, MoveCleaning, RecurringCleaning, PestControl, HVAC},
	"bedrooms":    {HouseCleaning, DeepCleaning, MoveCleaning, RecurringCleaning},
	"bathrooms":   {HouseCleaning, DeepCleaning, MoveCleaning, RecurringCleaning},
	"square_feet": {HouseCleaning, DeepCleaning, MoveCleaning, RecurringCleaning, HVAC},
	"frequency":   {HouseCleaning, RecurringCleaning, PestControl},
}

// Prompt returns the services for which the form shows the field. None means every service.
func (f *Field) Prompt() []Service { return prompts[f.Name] }
