package lead

// Slip is the paper a door hands out: which fields it takes, what it says in place of those left out, and whether it
// puts up with members it does not know.
type Slip struct {
	Name     string
	takes    [fieldCount]bool
	defaults [fieldCount]string
	help     [fieldCount]string
	tolerant bool
}

// IntakeSlip is what HTTP bodies carry. Members it does not know are ignored: a form has buttons and campaign fields.
var IntakeSlip = newSlip("the request", allFields()...).withTolerance()

// ToolSlip is what the tool request_home_service takes. An argument it does not know is an assistant's mistake.
var ToolSlip = newSlip("request_home_service", allFields()...).withDefault("source_agent", "mcp")

// CleaningSlip is what the tool request_cleaning takes: the shortcut for house cleaning.
var CleaningSlip = newSlip("request_cleaning",
	"zip_code", "city", "state", "bedrooms", "bathrooms", "square_feet", "frequency", "preferred_date", "notes",
	"customer_name", "customer_phone", "customer_email", "consent_to_contact",
).withDefault("service_type", string(HouseCleaning)).withDefault("source_agent", "mcp").
	withHelp("consent_to_contact", "Must be true: the person agreed to be called or texted about this request.")

func newSlip(name string, fields ...string) *Slip {
	s := &Slip{Name: name}
	for _, f := range fields {
		s.takes[mustIndex(f)] = true
	}
	for i := range Fields {
		s.defaults[i], s.help[i] = Fields[i].Default, Fields[i].Help
	}
	return s
}

func (s *Slip) withDefault(field, text string) *Slip {
	s.defaults[mustIndex(field)] = text
	return s
}

func (s *Slip) withHelp(field, text string) *Slip {
	s.help[mustIndex(field)] = text
	return s
}

func (s *Slip) withTolerance() *Slip {
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
func (s *Slip) Fields() []*Field {
	var out []*Field
	for i := range Fields {
		if s.takes[i] {
			out = append(out, &Fields[i])
		}
	}
	return out
}

// Help is what the slip says about a field.
func (s *Slip) Help(field string) string { return s.help[mustIndex(field)] }

// Default is what the slip says where a field is left out, or "".
func (s *Slip) Default(field string) string { return s.defaults[mustIndex(field)] }

func (s *Slip) index(name string) (int, bool) {
	i, known := fieldIndex[name]
	return i, known && s.takes[i]
}

// remedy says what to do about a name the slip does not take. One that ToolSlip takes is no misspelling: leaving
// out a dry_run, say, would turn a check into a real request.
func (s *Slip) remedy(name string) string {
	if _, elsewhere := ToolSlip.index(name); elsewhere {
		return "call " + ToolSlip.Name + ", which takes it."
	}
	if near := s.nearest(name); near != "" {
		return "did you mean " + near + "?"
	}
	return "leave it out."
}

// nearest is the known field a wrong name most likely meant, or "" where it looks like none.
func (s *Slip) nearest(name string) string {
	best, least := "", 0
	for _, f := range s.Fields() {
		d := distance(plain(name), plain(f.Name))
		if resembles(name, f.Name) && (best == "" || d < least) {
			best, least = f.Name, d
		}
	}
	return best
}
