// Package signin finds out who uses the console: passwords, one-time links, passkeys, sessions and their cookies, how many attempts are
// allowed, and which requests another website made a browser send. The settings are here, too, on which people decide how they sign in,
// and an owner who else may.
//
// Who may sign in, and with which password, is decided by operator/access; the library that verifies passkeys is imported here alone.
package signin

import (
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/go-webauthn/webauthn/webauthn"

	"foyer/internal/audit"
	"foyer/internal/catalog"
	"foyer/internal/console"
	"foyer/internal/console/pages/page"
	"foyer/internal/edge"
	"foyer/internal/lead"
	"foyer/internal/operator/access"
	"foyer/internal/store"
)

// Pages are the pages for people who are not signed in yet, and those on which they decide how they sign in.
type Pages struct {
	*page.Site
	Limiter   console.Limiter // counts wrong passwords
	Recorded  console.Limiter // how many attempts that Limiter refuses are recorded
	DeviceKey []byte          // signs the cookies by which a browser is known in which a person signed in before, and challenges of passkeys

	failures failures           // of signing in, by name
	passkeys *webauthn.WebAuthn // nil if there can be none
}

// Routes returns the routes of signing in. Every other path below the prefix asks for a session first, whether it exists or not.
func (p *Pages) Routes() []edge.Resource {
	p.passkeys = p.newPasskeys()
	missing := p.SignedIn(store.RoleViewer, func(*page.Visit) error { return page.ErrNoPage })
	return append([]edge.Resource{
		{Path: page.Prefix + "/sign-in", Get: p.open(p.getSignIn), Post: p.open(p.postSignIn), Page: true},
		{Path: page.Prefix + "/link/{link}", Get: p.open(p.getLink), Post: p.open(p.postLink), Page: true},
		{Path: page.Prefix + "/", Any: missing, Page: true},
	}, p.passkeyRoutes()...)
}

// signInView is a page for people who are not signed in. It shows nothing of the service but its name.
type signInView struct {
	*Pages
	Title, Lede, Problem string
	Kind                 string // sign-in, link, or "" for an error
	Name                 string
	Next                 string
	First                bool   // the link makes the first owner
	Action               string // where the form goes
	Passkey              *page.PasskeyForm
	Link                 bool // a link was refused
}

func (p *Pages) getSignIn(w http.ResponseWriter, r *http.Request) error {
	if _, valid, err := p.session(r); err != nil || valid {
		if err == nil {
			http.Redirect(w, r, p.next(r.URL.Query().Get("next")), http.StatusSeeOther)
		}
		return err
	}
	return p.Render(w, http.StatusOK, "sign_in.html", p.signInForm(r.URL.Query().Get("next"), "", ""))
}

func (p *Pages) signInForm(next, name, problem string) signInView {
	return signInView{Pages: p, Kind: "sign-in", Title: "Sign in", Name: name, Problem: problem, Next: next, Action: p.Address("/sign-in"), Passkey: p.passkeySignIn(next)}
}

// postSignIn signs a person in. An address from which many wrong passwords came is refused, and so is a name for which many were tried.
func (p *Pages) postSignIn(w http.ResponseWriter, r *http.Request) error {
	form, err := page.ReadForm(w, r)
	if err != nil {
		return err
	}
	name, next := strings.ToLower(strings.TrimSpace(form.Get("name"))), form.Get("next")
	refused := func(err error) error { return p.signInRefused(next, name, err) }
	ctx, a := r.Context(), p.attemptOf(r, name)
	var text string
	var signed access.Signed
	if err := p.try(ctx, a, func() (err error) {
		text, signed, err = p.Operator.Access().SignIn(ctx, a.from, name, form.Get("password"))
		return err
	}); err != nil {
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
		_ = p.Render(w, edge.Status(e), "sign_in.html", p.signInForm(next, page.Short(name), e.Message))
	}}
}

// next is where a person goes after signing in: a page of the console, and never anywhere else.
func (p *Pages) next(address string) string {
	u, err := url.Parse(address)
	home := p.Address("")
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || strings.ContainsAny(address, "\\\r\n") || path.Clean(u.Path) != u.Path || u.Path != home && !strings.HasPrefix(u.Path, home+"/") ||
		strings.HasPrefix(u.Path, p.Address("/sign-in")) || strings.HasPrefix(u.Path, p.Address("/link/")) {
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
	return p.Render(w, http.StatusOK, "sign_in.html", p.linkForm(r, l, l.Name, ""))
}

// link finds out whose link it is. Only links that do not work count against an address: nobody can guess one, and a link is the way in for whom a
// limit keeps out.
func (p *Pages) link(r *http.Request) (access.UserLink, error) {
	ctx, a := r.Context(), attempt{by: audit.Visitor, from: page.CameFrom(r)}
	l, valid, err := p.Operator.Access().Link(ctx, r.PathValue("link"))
	if err != nil || valid {
		return l, err
	}
	if err := p.countAddress(ctx, a); err != nil {
		return l, err
	}
	if err := p.record(ctx, a, access.LinkDoesNotWork); err != nil {
		return l, err
	}
	return l, catalog.LinkUsed
}

func (p *Pages) linkForm(r *http.Request, l access.UserLink, name, problem string) signInView {
	f := signInView{Pages: p, Kind: "link", Title: "Choose a password", Lede: "It is for " + l.Name + ", who has the role " + string(l.Role) + ".", Name: name, Problem: problem, First: l.First, Action: p.Address("/link/" + url.PathEscape(r.PathValue("link")))}
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
	form, err := page.ReadForm(w, r)
	if err != nil {
		return err
	}
	name := l.Name
	if l.First {
		name = strings.ToLower(strings.TrimSpace(form.Get("name")))
	}
	text, signed, err := p.Operator.Access().UseLink(r.Context(), page.CameFrom(r), r.PathValue("link"), name, form.Get("password"))
	if err != nil {
		return &edge.RenderedError{Err: page.FormProblem(err), Render: func(w http.ResponseWriter, r *http.Request, e *lead.Error) {
			_ = p.Render(w, edge.Status(e), "sign_in.html", p.linkForm(r, l, page.Short(name), e.Message))
		}}
	}
	p.setSession(w, text, signed)
	http.Redirect(w, r, p.Address(""), http.StatusSeeOther)
	return nil
}
