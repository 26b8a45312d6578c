package lead

import "strings"

// FieldKind says how a field is read and how it is asked for.
type FieldKind uint8

// The kinds of field.
const (
	Text    FieldKind = iota // one line
	Lines                    // several lines
	Choice                   // one of a list
	Whole                    // a whole number
	Decimal                  // a number with fractions
	Date                     // YYYY-MM-DD
	YesNo                    // true or false
)

// Field describes one field of a request, once. Parsing, messages, the OpenAPI document, the tools' schemas, the form
// and the docs are all made from it.
type Field struct {
	Name     string
	Kind     FieldKind
	Required bool
	Nullable bool     // the published interface says "or null"
	Default  string   // as it would be typed
	Choices  []string // for Choice
	Min, Max int      // bounds of a number, or of a text's length; a Max of 0 means none
	Pattern  string   // for the schemas
	Personal bool     // tells who the person is
	Label    string   // what the form calls it
	Help     string   // what it is for, for programs and assistants, and in the docs
	Hint     string   // what stands below the input of the form; "" where the label is enough, or nobody is asked
	Wants    string   // what to give, said when it is wrong
	Asks     string   // the same for a person at a form, where a form has other means
	Example  string

	rule func(string) (string, problemText) // a text's own rule, beyond length
	put  func(*Request, parsed)
}

// problemText is what is wrong with a value, to stand behind the field's label and a colon. None is "".
type problemText string

// parsed is a value that was understood.
type parsed struct {
	text  string
	whole *int
	num   *float64
	yes   bool
}

// problem says what is wrong and what to give instead, in words that can be read to a person. Within Parse it
// would take most of the stack, for what is rarely said.
//
//go:noinline
func (f *Field) problem(t problemText) Problem {
	p := Problem{Field: f.Name, Text: f.Label + ": " + string(t) + ". " + f.Wants + "."}
	if f.Asks != "" {
		p.Asked = f.Label + ": " + string(t) + ". " + f.Asks + "."
	}
	return p
}

// Limited says that a text has a longest length, or a number its bounds.
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

// FieldNamed finds a field by its name; asking for one that does not exist is a bug.
func FieldNamed(name string) *Field { return &Fields[mustIndex(name)] }

// Required are the names of the fields every request must carry.
func Required() []string {
	var names []string
	for i := range Fields {
		if Fields[i].Required {
			names = append(names, Fields[i].Name)
		}
	}
	return names
}

func names[T ~string](values []T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

func oneOf(choices []string) string { return "Give one of " + strings.Join(choices, ", ") }

// Known says that a name is in the field table.
func Known(name string) bool {
	_, known := fieldIndex[name]
	return known
}
