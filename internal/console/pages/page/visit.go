package page

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"foyer/internal/audit"
	"foyer/internal/console"
	"foyer/internal/console/operation"
	"foyer/internal/edge"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/access"
	"foyer/internal/operator/query"
	"foyer/internal/store"
	"foyer/internal/wire"
)

// Visit is one request of a person who is signed in.
type Visit struct {
	*Site
	W    http.ResponseWriter
	R    *http.Request
	Ctx  context.Context
	Who  access.Signed
	Form url.Values // what was sent: anybody may add to it, so nothing here decides what may be shown

	Operator      *operator.Operator   // for the address of the person
	StillSignedIn func() (bool, error) // asks again, for what lasts

	Refused string      // the path of the action that was refused
	Problem *lead.Error // why
	Result  wire.Object // what an operation answered, if its page shows it
	ShowNow bool        // the answer is the page of the action: it shows what is shown only now
	Secret  string      // what is shown only once
	Person  string      // the id of the lead or privacy request whose person is shown now: somebody said why, and that is recorded
	Effect  wire.Object // of terms that were checked and not saved
}

// ErrNoPage is the answer where there is nothing.
var ErrNoPage = &lead.Error{Kind: lead.NotFound, Message: "There is no such page in the console."}

// EventStream is what scripts of open pages ask for, and SignedOutEvent tells them that their session has ended.
const (
	EventStream    = "text/event-stream"
	SignedOutEvent = "event: signed-out\ndata:\n\n"
)

// roleOrder tells which role may do more.
var roleOrder = map[store.Role]int{store.RoleViewer: 1, store.RoleOperator: 2, store.RoleOwner: 3}

// May reports whether the person has a role, or one that may do more.
func (v *Visit) May(least store.Role) bool { return roleOrder[v.Who.User.Role] >= roleOrder[least] }

// Caller is the person as the API knows callers: a viewer changes nothing, and sees no persons.
func (v *Visit) Caller() operation.Caller {
	operates := v.May(store.RoleOperator)
	return operation.Caller{Actor: v.Who.Actor(), Address: CameFrom(v.R).Address, Write: operates, PersonalData: operates}
}

// By names the person in the audit trail.
func (v *Visit) By() audit.Actor { return v.Who.Actor() }

// CameFrom is where the person is.
func CameFrom(r *http.Request) access.From {
	return access.From{Address: edge.RequestInfoOf(r.Context()).Client, Device: device(r.UserAgent())}
}

// Read reads a snapshot.
func (v *Visit) Read(do func(tx *store.Tx) error) error { return v.Operator.Store.View(v.Ctx, do) }

// BuyerOfPath is the buyer that the address names.
func (v *Visit) BuyerOfPath() (query.Summary, error) {
	id, err := v.Operator.Find(v.Ctx, v.R.PathValue("buyer"))
	if err != nil {
		return query.Summary{}, err
	}
	return v.Operator.Show(v.Ctx, id)
}

// Query is a value of the address.
func (v *Visit) Query(name string) string { return strings.TrimSpace(v.R.URL.Query().Get(name)) }

// Answer shows a page.
func (v *Visit) Answer(show func(*Visit) (View, error)) error {
	shown, err := show(v)
	if err != nil {
		return FormProblem(err)
	}
	return v.Show(http.StatusOK, shown)
}

// Act carries out an action, and leads on. If it is refused, its page says why, with the form as it was sent.
func (v *Visit) Act(a Action) error {
	if err := v.ReadForm(); err != nil {
		return err
	}
	err := v.carryOut(a)
	if errors.Is(err, ErrLeft) {
		return nil
	}
	if err == nil && (v.ShowNow || v.Secret != "") {
		return v.Answer(a.Page)
	}
	if err == nil {
		_ = v.LeaveFor(FillPath(a.LeadsTo(), v.R), a.ID())
		return nil
	}
	problem, known := errors.AsType[*lead.Error](err)
	if !known || problem.Kind == lead.Unavailable || problem.Kind == lead.NotFound {
		return err
	}
	v.Refused, v.Problem = a.Path, problem
	shown, showErr := a.Page(v)
	if showErr != nil {
		return err
	}
	return &edge.RenderedError{Err: err, Render: func(_ http.ResponseWriter, _ *http.Request, e *lead.Error) { _ = v.Show(edge.Status(e), shown) }}
}

func (v *Visit) carryOut(a Action) error {
	if a.Confirm != nil && a.Confirm(v.Form) && v.Form.Get("confirm") != "true" {
		return &lead.Error{Kind: lead.Invalid, Message: "Check the box to confirm that you mean it."}
	}
	if a.Do != nil {
		return a.Do(v)
	}
	inPath := map[string]string{}
	for _, name := range pathNames(a.Path) {
		inPath[name] = v.R.PathValue(name)
	}
	answer, err := v.API.Do(v.Ctx, v.Caller(), a.Operation, inPath, v.Form, v.Form.Get("once"))
	if err != nil {
		return err
	}
	if secret, found := MemberOf(answer, "secret").(*string); found && secret != nil {
		v.Secret = *secret
	}
	if a.Done == "" {
		v.Result, v.ShowNow = answer, true
	}
	return nil
}

// ReadForm reads what was sent. Forms are small.
func (v *Visit) ReadForm() error {
	form, err := ReadForm(v.W, v.R)
	v.Form = console.JoinTicked(form)
	return err
}

// ReadForm reads what was sent, for people who may not be signed in.
func ReadForm(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	body, err := edge.ReadBody(w, r)
	if err != nil {
		return nil, err
	}
	form, readable := wire.FormValues(body)
	if !readable {
		return nil, lead.Malformed("The form could not be read: open the page again and send it from there.")
	}
	return form, nil
}

// pathNames are the names of the variables in a path.
func pathNames(path string) (names []string) {
	for part := range strings.SplitSeq(path, "/") {
		if name, found := strings.CutPrefix(part, "{"); found {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}
	return names
}

// FillPath writes the values of a request into a path.
func FillPath(path string, r *http.Request) string {
	for _, name := range pathNames(path) {
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(r.PathValue(name)))
	}
	return path
}

func lastSegment(path string) string { return path[strings.LastIndex(path, "/")+1:] }

// ID names an action in the address after it, so that the page can say what was done. The text is not part of the address: anybody could
// write it.
func (a Action) ID() string {
	if a.Operation != "" {
		return a.Operation
	}
	return strings.Trim(strings.NewReplacer("/", "-", "{", "", "}", "").Replace(a.Path), "-")
}

// Show writes a page.
func (v *Visit) Show(status int, shown View) error {
	shown.frame = v.frame()
	return v.Site.Render(v.W, status, "console.html", shown)
}

// Render writes a page by the template of this name.
func (s *Site) Render(w http.ResponseWriter, status int, name string, data any) error {
	var body bytes.Buffer
	if err := s.templates.ExecuteTemplate(&body, name, data); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(body.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes())
	return nil
}

// device names a browser and its system for the list of sessions. It is only as true as what the browser says.
func device(agent string) string {
	name := "a browser"
	for _, known := range []struct{ sign, name string }{{"Edg/", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"}} {
		if strings.Contains(agent, known.sign) {
			name = known.name
			break
		}
	}
	for _, known := range []struct{ sign, name string }{{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"Mac OS X", "Mac"}, {"Linux", "Linux"}} {
		if strings.Contains(agent, known.sign) {
			return name + " on " + known.name
		}
	}
	return name
}

// LeaveFor leads to another page, which says what was done, and offers to undo it. The form's own number says which change that was.
func (v *Visit) LeaveFor(path, done string) error {
	http.Redirect(v.W, v.R, WithQuery(v.Address(path), "done", done, "form", v.Form.Get("once")), http.StatusSeeOther)
	return ErrLeft
}
