package page

import (
	"cmp"
	"slices"
	"strings"

	"foyer/internal/console"
	"foyer/internal/console/operation"
	"foyer/internal/lead"
)

// Form is something to fill in.
type Form struct {
	Action  string // the address; the page's own if it is ""
	Get     bool   // a filter, whose values are in the address
	Title   string // a form with a title is folded up
	What    string // what it will do, said before
	Inputs  []Input
	Hidden  []Pair
	Submit  string
	Danger  bool   // it cannot be undone
	Confirm string // what has to be ticked: it names the thing
	Maybe   bool   // what has to be ticked depends on what is filled in
	Once    string
	Problem string
	Open    bool
	Row     bool // its fields stand side by side
	Plain   bool // its button is not the main one of the page
	Folded  *Folded
	Check   string  // where it is checked without saving anything
	Try     string  // where its terms are tried
	Effect  *Effect // of what was typed, if it was checked
	Groups  []Group // headings between its fields, if there are many
}

// Group is a heading, and the names of the fields below it.
type Group struct {
	Title string
	Names []string
}

// fieldset is a group with its fields.
type fieldset struct {
	Title  string
	Inputs []Input
}

// Fieldsets are the fields of the form below their headings.
func (f Form) Fieldsets() (sets []fieldset) {
	for _, g := range f.Groups {
		set := fieldset{Title: g.Title}
		for _, name := range g.Names {
			if i := slices.IndexFunc(f.Inputs, func(in Input) bool { return in.Name == name }); i >= 0 {
				set.Inputs = append(set.Inputs, f.Inputs[i])
			}
		}
		sets = append(sets, set)
	}
	return sets
}

// Folded are fields of a form that are folded up.
type Folded struct {
	Title, What string
	Open        bool
	Inputs      []Input
}

func (Form) template() string { return "form" }

// Pair is a field that a form sends along.
type Pair struct{ Name, Value string }

// Input is a field of a form.
type Input struct {
	console.Input
	ID      string
	Value   string
	Problem string
	Area    bool
	Secret  bool // a password
	Auto    string
	None    string // what the first choice of a list says, if nothing has to be chosen
}

// Checked reports whether a box is ticked.
func (i Input) Checked() bool { return i.Value == "true" || i.Value == "on" }

// FormFor is the form of an action. If it was refused, it has what was sent and what is wrong with it. values are those of the thing that it changes.
func (v *Visit) FormFor(path string, f Form, values map[string]string, leave ...string) Form {
	a := v.actionAt(path)
	f.Action, f.Once = v.Address(FillPath(path, v.R)), v.Operator.NewID("form_")
	f.Submit = cmp.Or(f.Submit, f.Title)
	if (a.Confirm != nil) != (f.Confirm != "") {
		panic("whether " + path + " is confirmed differs from its form") // both are constants
	}
	f.Maybe = a.Confirm != nil && !a.Confirm(nil)
	again := v.Refused == path
	inputs := f.Inputs
	if a.Operation != "" && inputs == nil {
		inputs = InputsOf(a.Operation, values)
	}
	f.Inputs = nil
	for _, in := range inputs {
		if slices.Contains(leave, in.Name) {
			continue
		}
		in.ID = inputID(path, in.Name)
		if again && !in.Secret {
			in.Value = v.Form.Get(in.Name)
		}
		if again {
			in.Problem = ProblemOf(v.Problem, in.Name)
		}
		f.Inputs = append(f.Inputs, in)
	}
	if again {
		f.Open, f.Problem = true, OtherProblems(v.Problem, f.Inputs)
	}
	return f
}

// InputsOf are the fields of an operation, with the values that they have.
func InputsOf(operation string, values map[string]string) (inputs []Input) {
	for _, in := range console.Inputs(operation) {
		inputs = append(inputs, Input{Input: in, Value: values[in.Name]})
	}
	return inputs
}

// inputID names a field of the form of an action.
func inputID(path, name string) string {
	return strings.Trim(strings.NewReplacer("/", "-", "{", "", "}", "", ".", "-").Replace(path+"-"+name), "-")
}

// wrong leads to the first thing that is wrong with a form that was refused.
func (v *Visit) wrong() *Link {
	if v.Refused == "" || v.Effect != nil { // a check is no refusal
		return nil
	}
	for _, p := range v.Problem.Problems {
		if p.Field != "" {
			return &Link{"Nothing was changed. " + withLabel(p), "#" + inputID(v.Refused, p.Field)}
		}
	}
	return &Link{v.Problem.Message, ""}
}

// withLabel writes a problem with the label of the field, which a program knows by another name.
func withLabel(p lead.Problem) string {
	if text, named := strings.CutPrefix(p.Text, p.Field+": "); named {
		return console.LabelOf(p.Field) + ": " + text
	}
	return operation.Sentence(p.Text)
}

// ProblemOf is what is wrong with a field.
func ProblemOf(e *lead.Error, field string) string {
	for _, p := range e.Problems {
		if p.Field == field {
			return operation.Sentence(strings.TrimPrefix(p.Text, field+": "))
		}
	}
	return ""
}

// OtherProblems is what is wrong with the form, apart from its fields.
func OtherProblems(e *lead.Error, inputs []Input) string {
	if len(e.Problems) == 0 {
		return e.Message
	}
	var others []string
	for _, p := range e.Problems {
		known := false
		for _, in := range inputs {
			known = known || in.Name == p.Field
		}
		if !known {
			others = append(others, p.Text)
		}
	}
	return strings.Join(others, " ")
}

func (s *Site) actionAt(path string) Action {
	for _, a := range s.actions {
		if a.Path == path {
			return a
		}
	}
	panic("no action " + path) // the paths are constants
}

// TextInput is an input of a filter.
func TextInput(name, label, value, help string) Input {
	in := Input{ID: "filter-" + name, Value: value}
	in.Name, in.Label, in.Kind, in.Help = name, label, "text", help
	return in
}

// PasskeyForm is a form whose answer a script gets from the browser. It is hidden until the script knows that it can.
type PasskeyForm struct {
	Form
	Begin  string // where the challenge comes from
	Origin string // a browser has passkeys for this one alone
	Script string
	Plain  bool // it is not the first thing to do
}

func (PasskeyForm) template() string { return "passkey" }

// PasskeyForm makes a form one that a passkey answers. begin is where the challenge comes from.
func (s *Site) PasskeyForm(begin string, f Form) PasskeyForm {
	f.Hidden = append(f.Hidden, Pair{"credential", ""})
	return PasskeyForm{Form: f, Begin: s.Address(begin), Origin: s.Brand.Origin(), Script: s.URL(s.passkeyScript.Path)}
}

// Effect is what terms would do, below the form in which they are typed.
type Effect struct {
	Says, Tone, Note string
	Table            *Table // by service, if there are several
}

// OwnForm is the form of one of several things on a page: what was refused is shown with the thing that it was sent for.
func (v *Visit) OwnForm(id, asked, path string, f Form, values map[string]string) Form {
	refused := v.Refused
	if id != asked {
		v.Refused = ""
	}
	f = v.FormFor(path, f, values)
	v.Refused = refused
	for i := range f.Inputs {
		f.Inputs[i].ID += "-" + id
	}
	return f
}
