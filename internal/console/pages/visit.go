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
	"foyer/internal/catalog"
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
	*Pages
	w    http.ResponseWriter
	r    *http.Request
	ctx  context.Context
	who  access.Signed
	form url.Values // what was sent

	Operator *operator.Operator // for the address of the person

	refused string      // the path of the action that was refused
	problem *lead.Error // why
	result  wire.Object // what an operation answered, if its page shows it
	showNow bool        // the answer is the page of the action: it shows what is shown only now
	secret  string      // what is shown only once
	effect  wire.Object // of terms that were checked and not saved
}

var (
	errNoPage       = &lead.Error{Kind: lead.NotFound, Message: "There is no such page in the console."}
	errRole         = &lead.Error{Kind: lead.Forbidden, Message: "Your role does not allow this. An owner can change it in the settings."}
	errOrigin       = &lead.Error{Kind: lead.Forbidden, Message: "The request did not come from a page of this console, so nothing was changed. Open the page again and repeat it there."}
	errPlainHTTP    = &lead.Error{Kind: lead.Forbidden, Message: "The console is not shown over plain http, except on the machine itself. Set base-url to an https address, or open it on the machine."}
	errNoProxy      = &lead.Error{Kind: lead.Forbidden, Message: "The console is shown over https only. This request came by plain http, or through a proxy that Foyer does not know: name the proxy in the setting trusted-proxies, by its address or network."}
	errUnknownProxy = &lead.Error{Kind: lead.Forbidden, Message: "This request came through a proxy on this machine that Foyer does not know. Name it in the setting trusted-proxies, such as 127.0.0.1, and set base-url to its https address."}
	errNotSigned    = &lead.Error{Kind: lead.Forbidden, Message: "You are not signed in. Sign in and try again."}
	crossOrigin     = http.NewCrossOriginProtection()
	sessionCookie   = "foyer-session"
)

// open wraps what is served without a session.
func (p *Pages) open(next edge.Handler) edge.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		setHeaders(w.Header())
		err := p.admit(r)
		if err == nil {
			err = next(w, r)
		}
		return p.asPage(err, nil)
	}
}

// signedIn asks for a session before anything else, and then for a role.
func (p *Pages) signedIn(least store.Role, next func(*visit) error) edge.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		setHeaders(w.Header())
		if err := p.admit(r); err != nil {
			return p.asPage(err, nil)
		}
		who, valid, err := p.session(r)
		switch {
		case err != nil:
			return p.asPage(err, nil)
		case !valid && r.Method != http.MethodGet && r.Method != http.MethodHead:
			return p.asPage(errNotSigned, nil)
		case !valid:
			http.Redirect(w, r, p.address("/sign-in")+"?next="+url.QueryEscape(p.Brand.Path()+r.URL.RequestURI()), http.StatusSeeOther)
			return nil
		}
		v := &visit{Pages: p, w: w, r: r, ctx: r.Context(), who: who, Operator: p.Operator.From(from(r).Address)}
		if !v.may(least) {
			return p.asPage(errRole, v)
		}
		return p.asPage(next(v), v)
	}
}

// admit refuses what no session makes right: plain http from elsewhere, and requests that another website made a browser send.
func (p *Pages) admit(r *http.Request) error {
	if info := edge.RequestInfoOf(r.Context()); !info.IsPrivate(p.Brand.HTTPS()) {
		switch {
		case info.Way == edge.FromUnknownProxy:
			return errUnknownProxy
		case p.Brand.HTTPS():
			return errNoProxy
		}
		return errPlainHTTP
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		return nil
	case http.MethodPost:
	default:
		return errNoPage
	}
	// A browser says where a form comes from. What says nothing is no browser, or an old one that another website could use.
	if r.Header.Get("Sec-Fetch-Site") == "" && r.Header.Get("Origin") == "" || crossOrigin.Check(r) != nil {
		return errOrigin
	}
	return nil
}

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

// member is a member of an object, or nil.
func member(o wire.Object, name string) any {
	for _, m := range o {
		if m[0] == name {
			return m[1]
		}
	}
	return nil
}

// write writes a page.
func (v *visit) write(status int, shown view) error {
	shown.frame = v.frame()
	return v.Pages.write(v.w, status, "console.html", shown)
}

func (p *Pages) write(w http.ResponseWriter, status int, name string, data any) error {
	var body bytes.Buffer
	if err := p.templates.ExecuteTemplate(&body, name, data); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(body.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes())
	return nil
}

// asPage shows an error in the console's own frame: with the way on if the person is signed in, and with nothing but the error if not.
func (p *Pages) asPage(err error, v *visit) error {
	if _, rendered := errors.AsType[*edge.RenderedError](err); err == nil || rendered {
		return err
	}
	return &edge.RenderedError{Err: err, Render: func(w http.ResponseWriter, _ *http.Request, e *lead.Error) {
		if v == nil {
			_ = p.write(w, edge.Status(e), "sign_in.html", signInView{Pages: p, Title: "This is not possible", Problem: e.Message, Link: errors.Is(err, catalog.LinkUsed)})
			return
		}
		_ = v.write(edge.Status(e), view{Title: "This is not possible", Parts: []part{notice{Tone: "stop", Text: e.Message}}})
	}}
}
