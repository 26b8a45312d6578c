package lead

// InputSpec describes the input of one door: which fields it accepts, their defaults and help texts, and whether it ignores
// unknown members.
type InputSpec struct {
	Name          string
	accepts       [fieldCount]bool
	defaults      [fieldCount]string
	help          [fieldCount]string
	ignoreUnknown bool
}

// IntakeInput is the input of HTTP bodies. Unknown members are ignored, because forms contain buttons and campaign fields.
var IntakeInput = newInputSpec("the request", allFields()...).ignoringUnknown()

// ToolInput is the input of the tool request_home_service. An unknown argument is an assistant's mistake and is refused.
var ToolInput = newInputSpec("request_home_service", allFields()...).withDefault("source_agent", "mcp")

// CleaningInput is the input of the tool request_cleaning, the shortcut for house cleaning.
var CleaningInput = newInputSpec("request_cleaning",
	"zip_code", "city", "state", "bedrooms", "bathrooms", "square_feet", "frequency", "preferred_date", "notes",
	"customer_name", "customer_phone", "customer_email", "consent_to_contact",
).withDefault("service_type", string(HouseCleaning)).withDefault("source_agent", "mcp").
	withHelp("consent_to_contact", "Must be true: the person agreed to be called or texted about this request.")

func newInputSpec(name string, fields ...string) *InputSpec {
	s := &InputSpec{Name: name}
	for _, f := range fields {
		s.accepts[mustIndex(f)] = true
	}
	for i := range Fields {
		s.defaults[i], s.help[i] = Fields[i].Default, Fields[i].Help
	}
	return s
}

func (s *InputSpec) withDefault(field, text string) *InputSpec {
	s.defaults[mustIndex(field)] = text
	return s
}

func (s *InputSpec) withHelp(field, text string) *InputSpec {
	s.help[mustIndex(field)] = text
	return s
}

func (s *InputSpec) ignoringUnknown() *InputSpec {
	s.ignoreUnknown = true
	return s
}

func allFields() []string {
	all := make([]string, 0, fieldCount)
	for i := range Fields {
		all = append(all, Fields[i].Name)
	}
	return all
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
func (s *InputSpec) Help(field string) string { return s.help[mustIndex(field)] }

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
		d := editDistance(normalizeName(name), normalizeName(f.Name))
		if resembles(name, f.Name) && (best == "" || d < least) {
			best, least = f.Name, d
		}
	}
	return best
}
