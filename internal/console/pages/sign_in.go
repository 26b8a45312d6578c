package pages

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/catalog"
	"foyer/internal/console"
	"foyer/internal/edge"
	"foyer/internal/lead"
	"foyer/internal/operator/access"
	"foyer/internal/operator/entered"
)

// signInView is a page for people who are not signed in. It shows nothing of the service but its name.
type signInView struct {
	*Pages
	Title, Lede, Problem string
	Kind                 string // sign-in, link, or "" for an error
	Name                 string
	Next                 string
	First                bool   // the link makes the first owner
	Action               string // where the form goes
	Passkey              *passkeyForm
	Link                 bool // a link was refused
}

func (p *Pages) getSignIn(w http.ResponseWriter, r *http.Request) error {
	if _, valid, err := p.session(r); err != nil || valid {
		if err == nil {
			http.Redirect(w, r, p.next(r.URL.Query().Get("next")), http.StatusSeeOther)
		}
		return err
	}
	return p.write(w, http.StatusOK, "sign_in.html", p.signInForm(r.URL.Query().Get("next"), "", ""))
}

func (p *Pages) signInForm(next, name, problem string) signInView {
	return signInView{Pages: p, Kind: "sign-in", Title: "Sign in", Name: name, Problem: problem, Next: next, Action: p.address("/sign-in"), Passkey: p.passkeySignIn(next)}
}

// postSignIn signs a person in. An address from which many wrong passwords came is refused, and so is a name for which many were tried.
func (p *Pages) postSignIn(w http.ResponseWriter, r *http.Request) error {
	form, err := readForm(w, r)
	if err != nil {
		return err
	}
	name, next := strings.ToLower(strings.TrimSpace(form.Get("name"))), form.Get("next")
	refused := func(err error) error { return p.signInRefused(next, name, err) }
	ctx, a := r.Context(), p.attemptOf(r, name)
	if err := p.mayAttempt(ctx, a); err != nil {
		return refused(err)
	}
	text, signed, err := p.Operator.Access().SignIn(ctx, a.from, name, form.Get("password"))
	if errors.Is(err, catalog.WrongPassword) {
		err = cmp.Or(p.failed(ctx, a), err)
	}
	if err != nil {
		return refused(err)
	}
	p.failures.forget(a.counted)
	p.setSession(w, text, signed)
	http.Redirect(w, r, p.next(next), http.StatusSeeOther)
	return nil
}

// signInRefused shows the form again, with what is wrong.
func (p *Pages) signInRefused(next, name string, err error) error {
	return &edge.RenderedError{Err: err, Render: func(w http.ResponseWriter, _ *http.Request, e *lead.Error) {
		_ = p.write(w, edge.Status(e), "sign_in.html", p.signInForm(next, short(name), e.Message))
	}}
}

// next is where a person goes after signing in: a page of the console, and never anywhere else.
func (p *Pages) next(address string) string {
	u, err := url.Parse(address)
	home := p.address("")
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || strings.ContainsAny(address, "\\\r\n") || path.Clean(u.Path) != u.Path || u.Path != home && !strings.HasPrefix(u.Path, home+"/") ||
		strings.HasPrefix(u.Path, p.address("/sign-in")) || strings.HasPrefix(u.Path, p.address("/link/")) {
		return home
	}
	return (&url.URL{Path: u.Path, RawQuery: u.RawQuery}).String()
}

// getLink asks for a password, and for a name if the link makes the first owner. Looking at a link does not use it up: programs look at links.
func (p *Pages) getLink(w http.ResponseWriter, r *http.Request) error {
	l, err := p.link(r)
	if err != nil {
		return err
	}
	return p.write(w, http.StatusOK, "sign_in.html", p.linkForm(r, l, l.Name, ""))
}

// link finds out whose link it is. Only links that do not work count against an address: nobody can guess one, and a link is the way in for whom a
// limit keeps out.
func (p *Pages) link(r *http.Request) (access.UserLink, error) {
	ctx, a := r.Context(), attempt{by: audit.Visitor, from: from(r)}
	l, valid, err := p.Operator.Access().Link(ctx, r.PathValue("link"))
	if err != nil || valid {
		return l, err
	}
	if err := p.failed(ctx, a); err != nil {
		return l, err
	}
	if err := p.record(ctx, a, access.LinkDoesNotWork); err != nil {
		return l, err
	}
	return l, catalog.LinkUsed
}

func (p *Pages) linkForm(r *http.Request, l access.UserLink, name, problem string) signInView {
	f := signInView{Pages: p, Kind: "link", Title: "Choose a password", Lede: "It is for " + l.Name + ", who has the role " + string(l.Role) + ".", Name: name, Problem: problem, First: l.First, Action: p.address("/link/" + url.PathEscape(r.PathValue("link")))}
	if l.First {
		f.Title, f.Lede = "Welcome", "Nobody can sign in to this Foyer yet. Choose a name and a password: you become its owner."
	}
	return f
}

func (p *Pages) postLink(w http.ResponseWriter, r *http.Request) error {
	l, err := p.link(r)
	if err != nil {
		return err
	}
	form, err := readForm(w, r)
	if err != nil {
		return err
	}
	name := l.Name
	if l.First {
		name = strings.ToLower(strings.TrimSpace(form.Get("name")))
	}
	text, signed, err := p.Operator.Access().UseLink(r.Context(), from(r), r.PathValue("link"), name, form.Get("password"))
	if err != nil {
		return &edge.RenderedError{Err: formProblem(err), Render: func(w http.ResponseWriter, r *http.Request, e *lead.Error) {
			_ = p.write(w, edge.Status(e), "sign_in.html", p.linkForm(r, l, short(name), e.Message))
		}}
	}
	p.setSession(w, text, signed)
	http.Redirect(w, r, p.address(""), http.StatusSeeOther)
	return nil
}

// formProblem writes the problems of fields as one sentence.
func formProblem(err error) error {
	var problems entered.Problems
	if !errors.As(err, &problems) {
		if refusal, ok := errors.AsType[entered.Refusal](err); ok {
			return &lead.Error{Kind: lead.Conflict, Message: console.Sentence(string(refusal))}
		}
		return err
	}
	var texts []string
	for _, p := range problems {
		texts = append(texts, console.Sentence(p.Text))
	}
	return &lead.Error{Kind: lead.Invalid, Message: strings.Join(texts, " ")}
}

// session finds out who sent a request.
func (p *Pages) session(r *http.Request) (access.Signed, bool, error) {
	cookie, err := r.Cookie(p.cookieName(sessionCookie))
	if err != nil || cookie.Value == "" || len(r.CookiesNamed(p.cookieName(sessionCookie))) > 1 {
		return access.Signed{}, false, nil
	}
	return p.Operator.Access().FindSession(r.Context(), cookie.Value)
}

// cookieName lets no other host of the domain set the cookie, where browsers can promise that.
func (p *Pages) cookieName(name string) string {
	if p.Brand.HTTPS() {
		return "__Host-" + name
	}
	return name
}

// setSession gives the browser a new session, and remembers that its person used it.
func (p *Pages) setSession(w http.ResponseWriter, text string, s access.Signed) {
	http.SetCookie(w, p.cookie(sessionCookie, text, time.Until(s.Session.ExpiresAt)))
	http.SetCookie(w, p.cookie(deviceCookie, p.deviceToken(s.User.Name), 365*24*time.Hour))
}

func (p *Pages) endSession(w http.ResponseWriter) {
	http.SetCookie(w, p.cookie(sessionCookie, "", -time.Second))
	w.Header().Set("Clear-Site-Data", `"cache"`)
}

// cookie is one that scripts cannot read, and that other websites cannot make a browser send with a form.
func (p *Pages) cookie(name, value string, age time.Duration) *http.Cookie {
	return &http.Cookie{Name: p.cookieName(name), Value: value, Path: "/", MaxAge: int(age.Seconds()), HttpOnly: true, Secure: p.Brand.HTTPS(), SameSite: http.SameSiteLaxMode}
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
