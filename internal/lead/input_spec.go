package lead

// InputSpec is the paper a door hands out: which fields it takes, what it says in place of those left out, and whether it
// puts up with members it does not know.
type InputSpec struct {
	Name     string
	accepts  [fieldCount]bool
	defaults [fieldCount]string
	help     [fieldCount]string
	tolerant bool
}

// IntakeInput is what HTTP bodies carry. Members it does not know are ignored: a form has buttons and campaign fields.
var IntakeInput = newInputSpec("the request", allFields()...).withTolerance()

// ToolInput is what the tool request_home_service takes. An argument it does not know is an assistant's mistake.
var ToolInput = newInputSpec("request_home_service", allFields()...).withDefault("source_agent", "mcp")

// CleaningInput is what the tool request_cleaning takes: the shortcut for house cleaning.
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

func (s *InputSpec) withTolerance() *InputSpec {
	s.tolerant = true
	return s
}

func allFields() []string {
	all := make([]string, 0, fieldCount)
	for i := range Fields {
		all = append(all, Fields[i].Name)
	}
	return all
}

// Fields are the fields the slip takes, in table order.
func (s *InputSpec) Fields() []*Field {
	var out []*Field
	for i := range Fields {
		if s.accepts[i] {
			out = append(out, &Fields[i])
		}
	}
	return out
}

// Help is what the slip says about a field.
func (s *InputSpec) Help(field string) string { return s.help[mustIndex(field)] }

// Default is what the slip says where a field is left out, or "".
func (s *InputSpec) Default(field string) string { return s.defaults[mustIndex(field)] }

func (s *InputSpec) index(name string) (int, bool) {
	i, known := fieldIndex[name]
	return i, known && s.accepts[i]
}

// remedy says what to do about a name the slip does not take. One that ToolSlip takes is no misspelling: leaving
// out a dry_run, say, would turn a check into a real request.
func (s *InputSpec) remedy(name string) string {
	if _, elsewhere := ToolInput.index(name); elsewhere {
		return "call " + ToolInput.Name + ", which takes it."
	}
	if near := s.nearest(name); near != "" {
		return "did you mean " + near + "?"
	}
	return "leave it out."
}

// nearest is the known field a wrong name most likely meant, or "" where it looks like none.
func (s *InputSpec) nearest(name string) string {
	best, least := "", 0
	for _, f := range s.Fields() {
		d := distance(plain(name), plain(f.Name))
		if resembles(name, f.Name) && (best == "" || d < least) {
			best, least = f.Name, d
		}
	}
	return best
}
