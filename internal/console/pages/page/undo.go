package page

import (
	"regexp"
	"strings"

	"foyer/internal/store"
)

// undone says in an address that something was taken back.
const undone = "undo"

// undoForm takes back what was just done with the form that the address names, if that can be undone by who did it. There is none for
// whoever opens the same address.
func (v *Visit) undoForm(done string) *Form {
	of := v.Query("form")
	if of == "" || !v.May(store.RoleOperator) {
		return nil
	}
	if can, err := v.API.CanUndo(v.Ctx, v.Caller(), of); err != nil || !can { // the page is about something else
		return nil
	}
	submit := "Undo"
	if done == undone {
		submit = "Do it again"
	}
	f := v.FormFor("/undo", Form{Submit: submit, Inputs: []Input{}, Hidden: []Pair{{"of", of}, {"page", v.here()}}}, nil)
	return &f
}

// here is the path of this page, below the prefix.
func (v *Visit) here() string {
	return strings.TrimPrefix(strings.TrimPrefix(v.R.URL.EscapedPath(), v.Brand.Path()), Prefix)
}

// pagePath is a path of the console. Nothing else is an address to go back to.
var pagePath = regexp.MustCompile(`^(/[A-Za-z0-9_%.@~-]+)*$`)

// Undo takes back what was done with a form, and goes back to its page.
func Undo(v *Visit) error {
	if err := v.API.Undo(v.Ctx, v.Caller(), v.Form.Get("of"), v.Form.Get("once")); err != nil {
		return err
	}
	path := v.Form.Get("page")
	if !pagePath.MatchString(path) {
		path = ""
	}
	return v.LeaveFor(path, undone)
}
