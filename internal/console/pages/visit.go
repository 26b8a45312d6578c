package pages

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
	"foyer/internal/edge"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/access"
	"foyer/internal/store"
	"foyer/internal/wire"
)

// visit is one request of a person who is signed in.
type visit struct {
	*Site
	w    http.ResponseWriter
	r    *http.Request
	ctx  context.Context
	who  access.Signed
	form url.Values // what was sent

	Operator      *operator.Operator   // for the address of the person
	stillSignedIn func() (bool, error) // asks again, for what lasts

	refused string      // the path of the action that was refused
	problem *lead.Error // why
	result  wire.Object // what an operation answered, if its page shows it
	showNow bool        // the answer is the page of the action: it shows what is shown only now
	secret  string      // what is shown only once
	effect  wire.Object // of terms that were checked and not saved
}

var errNoPage = &lead.Error{Kind: lead.NotFound, Message: "There is no such page in the console."}

// roleOrder tells which role may do more.
var roleOrder = map[store.Role]int{store.RoleViewer: 1, store.RoleOperator: 2, store.RoleOwner: 3}

// may reports whether the person has a role, or one that may do more.
func (v *visit) may(least store.Role) bool { return roleOrder[v.who.User.Role] >= roleOrder[least] }

// caller is the person as the API knows callers: a viewer changes nothing, and sees no persons.
func (v *visit) caller() console.Caller {
	operates := v.may(store.RoleOperator)
	return console.Caller{Actor: v.who.Actor(), Address: from(v.r).Address, Write: operates, PersonalData: operates}
}

func (v *visit) by() audit.Actor { return v.who.Actor() }

// from is where the person is.
func from(r *http.Request) access.From {
	return access.From{Address: edge.RequestInfoOf(r.Context()).Client, Device: device(r.UserAgent())}
}

// read reads a snapshot.
func (v *visit) read(do func(tx *store.Tx) error) error { return v.Operator.Store.View(v.ctx, do) }

// query is a value of the address.
func (v *visit) query(name string) string { return strings.TrimSpace(v.r.URL.Query().Get(name)) }

// answer shows a page.
func (v *visit) answer(show func(*visit) (view, error)) error {
	shown, err := show(v)
	if err != nil {
		return err
	}
	return v.write(http.StatusOK, shown)
}

// act carries out an action, and leads on. If it is refused, its page says why, with the form as it was sent.
func (v *visit) act(a action) error {
	if err := v.readForm(); err != nil {
		return err
	}
	err := v.carryOut(a)
	if errors.Is(err, errLeft) {
		return nil
	}
	if err == nil && (v.showNow || v.secret != "") {
		return v.answer(a.page)
	}
	if err == nil {
		http.Redirect(v.w, v.r, v.address(fillPath(a.leadsTo(), v.r))+"?done="+a.id(), http.StatusSeeOther)
		return nil
	}
	problem, known := errors.AsType[*lead.Error](err)
	if !known || problem.Kind == lead.Unavailable || problem.Kind == lead.NotFound {
		return err
	}
	v.refused, v.problem = a.path, problem
	shown, showErr := a.page(v)
	if showErr != nil {
		return err
	}
	return &edge.RenderedError{Err: err, Render: func(_ http.ResponseWriter, _ *http.Request, e *lead.Error) { _ = v.write(edge.Status(e), shown) }}
}

func (v *visit) carryOut(a action) error {
	if a.confirm != nil && a.confirm(v.form) && v.form.Get("confirm") != "true" {
		return &lead.Error{Kind: lead.Invalid, Message: "Check the box to confirm that you mean it."}
	}
	if a.do != nil {
		return a.do(v)
	}
	inPath := map[string]string{}
	for _, name := range pathNames(a.path) {
		inPath[name] = v.r.PathValue(name)
	}
	answer, err := v.API.Do(v.ctx, v.caller(), a.operation, inPath, v.form, v.form.Get("once"))
	if err != nil {
		return err
	}
	if secret, found := member(answer, "secret").(*string); found && secret != nil {
		v.secret = *secret
	}
	if a.done == "" {
		v.result, v.showNow = answer, true
	}
	return nil
}

// readForm reads what was sent. Forms are small.
func (v *visit) readForm() error {
	form, err := readForm(v.w, v.r)
	v.form = console.JoinTicked(form)
	return err
}

func readForm(w http.ResponseWriter, r *http.Request) (url.Values, error) {
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

// fillPath writes the values of a request into a path.
func fillPath(path string, r *http.Request) string {
	for _, name := range pathNames(path) {
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(r.PathValue(name)))
	}
	return path
}

func lastSegment(path string) string { return path[strings.LastIndex(path, "/")+1:] }

// id names an action in the address after it, so that the page can say what was done. The text is not part of the address: anybody could
// write it.
func (a action) id() string {
	if a.operation != "" {
		return a.operation
	}
	return strings.Trim(strings.NewReplacer("/", "-", "{", "", "}", "").Replace(a.path), "-")
}

// write writes a page.
func (v *visit) write(status int, shown view) error {
	shown.frame = v.frame()
	return v.Site.write(v.w, status, "console.html", shown)
}

func (s *Site) write(w http.ResponseWriter, status int, name string, data any) error {
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

// leaveFor leads to another page, which says what was done.
func (v *visit) leaveFor(path, done string) error {
	http.Redirect(v.w, v.r, v.address(path)+"?done="+done, http.StatusSeeOther)
	return errLeft
}
