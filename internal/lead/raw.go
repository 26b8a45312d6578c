package lead

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Raw is a request before parsing. JSON, forms and tool arguments all become a Raw. Its InputSpec says whether an unknown field is ignored
// or refused (DisallowUnknownFields). How a field is added is in ARCHITECTURE.md.
type Raw struct {
	spec       *InputSpec
	given      [fieldCount]Value
	query      Value    // dry_run in the query, which counts as much as the one in the body
	unknown    []string // names to refuse
	unreadable *Error
}

// New returns an empty request with this input spec.
func (s *InputSpec) New() *Raw { return &Raw{spec: s} }

// Unreadable returns a request whose body could not be read. It takes the same path as others and is refused with this
// error.
func (s *InputSpec) Unreadable(err *Error) *Raw { return &Raw{spec: s, unreadable: err} }

// Spoil makes a request unreadable after the fact. Its values stay, to fill in the form again.
func (r *Raw) Spoil(err *Error) { r.unreadable = err }

// Set sets a value, and reports whether the name is in the field table. A known name that is given twice is flagged, because
// consent must have one value.
func (r *Raw) Set(name string, v Value) (known bool) {
	i, known := fieldIndex[name]
	switch {
	case known && r.spec.accepts[i] && r.given[i].kind != absent:
		r.given[i].repeated = true
	case known && r.spec.accepts[i]:
		r.given[i] = v
	case !r.spec.ignoreUnknown || nearDryRun(name):
		r.addUnknown(name)
	}
	return known
}

// SetQuery sets a query parameter. Only dry_run is used there.
func (r *Raw) SetQuery(name string, v Value) {
	switch {
	case name == DryRun && r.query.kind != absent:
		r.query.repeated = true
	case name == DryRun:
		r.query = v
	case nearDryRun(name):
		r.addUnknown(name)
	}
}

// MeantDry reports whether the sender requested a dry run, or tried to. Showing the form again must not turn that into a
// real request.
func (r *Raw) MeantDry() bool {
	f := FieldNamed(DryRun)
	body, badBody := f.parse(r.given[mustIndex(DryRun)])
	query, badQuery := f.parse(r.query)
	return body.yes || query.yes || badBody != "" || badQuery != "" || r.query.kind != absent && f.missing(r.query) ||
		slices.ContainsFunc(r.unknown, nearDryRun)
}

// Typed returns a field as the person typed it, to fill in the form again.
func (r *Raw) Typed(name string) string {
	if i, known := r.spec.index(name); known {
		return r.given[i].text
	}
	return ""
}

// maxUnknown bounds how many unknown names one error lists.
const maxUnknown = 16

func (r *Raw) addUnknown(name string) {
	if len(r.unknown) < maxUnknown && !slices.Contains(r.unknown, name) {
		r.unknown = append(r.unknown, name)
	}
}

// nearDryRun reports whether name is a misspelling of dry_run. Ignoring one silently would store a real person's data.
func nearDryRun(name string) bool {
	return name != DryRun && len(name) <= 16 && editDistance(normalizeName(name), "dryrun") <= 1
}

// normalizeName maps the spellings of a name (dryRun, dry-run, Dry Run) to one.
func normalizeName(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			return c
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		}
		return -1
	}, name)
}

// Value is one field as it arrived, before validation. The zero Value means not given.
type Value struct {
	kind     valueKind
	repeated bool
	text     string
}

type valueKind uint8

const (
	absent valueKind = iota
	null
	boolean
	number
	quoted
	structure
	typed
)

// Constructors of values: one for each JSON type, and Typed for text from a form or a query.
func Null() Value           { return Value{kind: null} }
func Structure() Value      { return Value{kind: structure} }
func Number(s string) Value { return Value{kind: number, text: s} }
func Quoted(s string) Value { return Value{kind: quoted, text: s} }
func Typed(s string) Value  { return Value{kind: typed, text: s} }

// Bool returns the JSON value true or false.
func Bool(b bool) Value {
	if b {
		return Value{kind: boolean, text: "true"}
	}
	return Value{kind: boolean, text: "false"}
}

// String returns the text of a JSON string or a form value, and whether the value is one.
func (v Value) String() (string, bool) {
	return v.text, v.kind == quoted || v.kind == typed
}

// describe names the kind in a message, such as "text where a number belongs".
func (k valueKind) describe() string {
	switch k {
	case boolean:
		return "true or false"
	case number:
		return "a number"
	case quoted, typed:
		return "text"
	default:
		return "a list or an object"
	}
}

// Shorten limits a text from a client to some bytes, and removes what a terminal must not print.
func Shorten(text string, limit int) string {
	if len(text) > limit {
		text = text[:limit]
	}
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return -1
		}
		return c
	}, strings.ToValidUTF8(text, ""))
}

// InputSpec describes the input of one door: which fields it accepts, their defaults and help texts, and whether an unknown field is
// ignored or refused.
type InputSpec struct {
	Name          string
	ignoreUnknown bool
	only          []string           // the fields it accepts; nil means all
	ownDefaults   map[string]string  // where they differ from the field table
	ownHelp       map[string]string  // the same
	accepts       [fieldCount]bool   // only, by index
	defaults      [fieldCount]string // all defaults, by index
}

// IntakeInput is the input of HTTP bodies. An unknown field is ignored, because forms contain buttons and campaign fields.
var IntakeInput = indexed(InputSpec{Name: "the request", ignoreUnknown: true})

// ToolInput is the input of the tool request_home_service. An unknown argument is an assistant's mistake and is refused.
var ToolInput = indexed(InputSpec{Name: "request_home_service", ownDefaults: map[string]string{"source_agent": "mcp"}})

// CleaningInput is the input of the tool request_cleaning, the shortcut for house cleaning.
var CleaningInput = indexed(InputSpec{
	Name: "request_cleaning",
	only: []string{
		"zip_code", "city", "state", "bedrooms", "bathrooms", "square_feet", "frequency", "preferred_date", "notes",
		"customer_name", "customer_phone", "customer_email", "consent_to_contact",
	},
	ownDefaults: map[string]string{"service_type": string(HouseCleaning), "source_agent": "mcp"},
	ownHelp:     map[string]string{"consent_to_contact": "Must be true: the person agreed to be called or texted about this request."},
})

// indexed adds what parsing looks up for every field.
func indexed(s InputSpec) *InputSpec {
	for i := range Fields {
		name := Fields[i].Name
		s.accepts[i] = s.only == nil || slices.Contains(s.only, name)
		s.defaults[i] = cmp.Or(s.ownDefaults[name], Fields[i].Default)
	}
	return &s
}

// Fields returns the accepted fields, in table order.
func (s *InputSpec) Fields() []*Field {
	var out []*Field
	for i := range Fields {
		if s.accepts[i] {
			out = append(out, &Fields[i])
		}
	}
	return out
}

// Help returns the help text of a field.
func (s *InputSpec) Help(field string) string {
	return cmp.Or(s.ownHelp[field], FieldNamed(field).Help)
}

// Default returns the default of a field, or "".
func (s *InputSpec) Default(field string) string { return s.defaults[mustIndex(field)] }

func (s *InputSpec) index(name string) (int, bool) {
	i, known := fieldIndex[name]
	return i, known && s.accepts[i]
}

// suggestion says what to do about a name that is not accepted. A field that ToolInput accepts is not a misspelling:
// dropping a dry_run, for example, would turn a check into a real request.
func (s *InputSpec) suggestion(name string) string {
	if _, elsewhere := ToolInput.index(name); elsewhere {
		return "call " + ToolInput.Name + ", which takes it."
	}
	if near := s.nearest(name); near != "" {
		return "did you mean " + near + "?"
	}
	return "leave it out."
}

// nearest returns the accepted field that a wrong name most likely meant, or "" if none is similar.
func (s *InputSpec) nearest(name string) string {
	best, least := "", 0
	for _, f := range s.Fields() {
		if !resembles(name, f.Name) {
			continue
		}
		if d := editDistance(normalizeName(name), normalizeName(f.Name)); best == "" || d < least {
			best, least = f.Name, d
		}
	}
	return best
}
