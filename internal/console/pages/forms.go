package pages

import (
	"cmp"
	"slices"
	"strings"

	"foyer/internal/console"
	"foyer/internal/lead"
)

// form is something to fill in.
type form struct {
	Action  string // the address; the page's own if it is ""
	Get     bool   // a filter, whose values are in the address
	Title   string // a form with a title is folded up
	What    string // what it will do, said before
	Inputs  []input
	Hidden  []pair
	Submit  string
	Danger  bool   // it cannot be undone
	Confirm string // what has to be ticked: it names the thing
	Maybe   bool   // what has to be ticked depends on what is filled in
	Once    string
	Problem string
	Open    bool
	Row     bool // its fields stand side by side
	Plain   bool // its button is not the main one of the page
	Folded  *folded
	Check   string  // where it is checked without saving anything
	Try     string  // where its terms are tried
	Effect  *effect // of what was typed, if it was checked
	Groups  []group // headings between its fields, if there are many
}

// group is a heading, and the names of the fields below it.
type group struct {
	Title string
	Names []string
}

// fieldset is a group with its fields.
type fieldset struct {
	Title  string
	Inputs []input
}

// Fieldsets are the fields of the form below their headings.
func (f form) Fieldsets() (sets []fieldset) {
	for _, g := range f.Groups {
		set := fieldset{Title: g.Title}
		for _, name := range g.Names {
			if i := slices.IndexFunc(f.Inputs, func(in input) bool { return in.Name == name }); i >= 0 {
				set.Inputs = append(set.Inputs, f.Inputs[i])
			}
		}
		sets = append(sets, set)
	}
	return sets
}

// folded are fields of a form that are folded up.
type folded struct {
	Title, What string
	Open        bool
	Inputs      []input
}

func (form) template() string { return "form" }

type pair struct{ Name, Value string }

type input struct {
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
func (i input) Checked() bool { return i.Value == "true" || i.Value == "on" }

// formFor is the form of an action. If it was refused, it has what was sent and what is wrong with it. values are those of the thing that it changes.
func (v *visit) formFor(path string, f form, values map[string]string, leave ...string) form {
	a := v.actionAt(path)
	f.Action, f.Once = v.address(fillPath(path, v.r)), v.Operator.NewID("form_")
	f.Submit = cmp.Or(f.Submit, f.Title)
	if (a.confirm != nil) != (f.Confirm != "") {
		panic("whether " + path + " is confirmed differs from its form") // both are constants
	}
	f.Maybe = a.confirm != nil && !a.confirm(nil)
	again := v.refused == path
	inputs := f.Inputs
	if a.operation != "" && inputs == nil {
		inputs = inputsOf(a.operation, values)
	}
	f.Inputs = nil
	for _, in := range inputs {
		if slices.Contains(leave, in.Name) {
			continue
		}
		in.ID = inputID(path, in.Name)
		if again && !in.Secret {
			in.Value = v.form.Get(in.Name)
		}
		if again {
			in.Problem = problemOf(v.problem, in.Name)
		}
		f.Inputs = append(f.Inputs, in)
	}
	if again {
		f.Open, f.Problem = true, otherProblems(v.problem, f.Inputs)
	}
	return f
}

// inputsOf are the fields of an operation, with the values that they have.
func inputsOf(operation string, values map[string]string) (inputs []input) {
	for _, in := range console.Inputs(operation) {
		inputs = append(inputs, input{Input: in, Value: values[in.Name]})
	}
	return inputs
}

// inputID names a field of the form of an action.
func inputID(path, name string) string {
	return strings.Trim(strings.NewReplacer("/", "-", "{", "", "}", "", ".", "-").Replace(path+"-"+name), "-")
}

// wrong leads to the first thing that is wrong with a form that was refused.
func (v *visit) wrong() *link {
	if v.refused == "" || v.effect != nil { // a check is no refusal
		return nil
	}
	for _, p := range v.problem.Problems {
		if p.Field != "" {
			return &link{"Nothing was changed. " + console.Sentence(p.Text), "#" + inputID(v.refused, p.Field)}
		}
	}
	return &link{v.problem.Message, ""}
}

// problemOf is what is wrong with a field.
func problemOf(e *lead.Error, field string) string {
	for _, p := range e.Problems {
		if p.Field == field {
			return console.Sentence(strings.TrimPrefix(p.Text, field+": "))
		}
	}
	return ""
}

// otherProblems is what is wrong with the form, apart from its fields.
func otherProblems(e *lead.Error, inputs []input) string {
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

func (s *Site) actionAt(path string) action {
	for _, a := range s.actions {
		if a.path == path {
			return a
		}
	}
	panic("no action " + path) // the paths are constants
}

// field is an input of a filter.
func field(name, label, value, help string) input {
	in := input{ID: "filter-" + name, Value: value}
	in.Name, in.Label, in.Kind, in.Help = name, label, "text", help
	return in
}

// passkeyForm is a form whose answer a script gets from the browser. It is hidden until the script knows that it can.
type passkeyForm struct {
	form
	Begin  string // where the challenge comes from
	Origin string // a browser has passkeys for this one alone
	Script string
	Plain  bool // it is not the first thing to do
}

func (passkeyForm) template() string { return "passkey" }

func (s *Site) passkeyForm(begin string, f form) passkeyForm {
	f.Hidden = append(f.Hidden, pair{"credential", ""})
	return passkeyForm{form: f, Begin: s.address(begin), Origin: s.Brand.Origin(), Script: s.URL(s.passkeyScript.Path)}
}

// effect is what terms would do, below the form in which they are typed.
type effect struct {
	Says, Tone, Note string
	Table            *table // by service, if there are several
}

// ownForm is the form of one of several things on a page: what was refused is shown with the thing that it was sent for.
func (v *visit) ownForm(id, asked, path string, f form, values map[string]string) form {
	refused := v.refused
	if id != asked {
		v.refused = ""
	}
	f = v.formFor(path, f, values)
	v.refused = refused
	for i := range f.Inputs {
		f.Inputs[i].ID += "-" + id
	}
	return f
}
