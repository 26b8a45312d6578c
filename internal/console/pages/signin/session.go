package signin

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/console/pages/page"
	"foyer/internal/edge"
	"foyer/internal/lead"
	"foyer/internal/operator/access"
	"foyer/internal/store"
)

var (
	errRole         = &lead.Error{Kind: lead.Forbidden, Message: "Your role does not allow this. An owner can change it in the settings."}
	errOrigin       = &lead.Error{Kind: lead.Forbidden, Message: "The request did not come from a page of this console, so nothing was changed. Open the page again and repeat it there."}
	errPlainHTTP    = &lead.Error{Kind: lead.Forbidden, Message: "The console is not shown over plain http, except on the machine itself. Set base-url to an https address, or open it on the machine."}
	errNoProxy      = &lead.Error{Kind: lead.Forbidden, Message: "The console is shown over https only. This request came by plain http, or through a proxy that Foyer does not know: name the proxy in the setting trusted-proxies, by its address or network."}
	errUnknownProxy = &lead.Error{Kind: lead.Forbidden, Message: "This request came through a proxy on this machine that Foyer does not know. Name it in the setting trusted-proxies, such as 127.0.0.1, and set base-url to its https address."}
	errNotSigned    = &lead.Error{Kind: lead.Forbidden, Message: "You are not signed in. Sign in and try again."}
	crossOrigin     = http.NewCrossOriginProtection()
	sessionCookie   = "foyer-session"
)

// session finds out who sent a request.
func (p *Pages) session(r *http.Request) (access.Signed, bool, error) {
	cookie, err := r.Cookie(p.cookieName(sessionCookie))
	if err != nil || cookie.Value == "" || len(r.CookiesNamed(p.cookieName(sessionCookie))) > 1 {
		return access.Signed{}, false, nil
	}
	if asksByItself(r) {
		return p.Operator.Access().FindSession(r.Context(), cookie.Value)
	}
	return p.Operator.Access().UseSession(r.Context(), cookie.Value)
}

// asksByItself reports whether a page sent the request without its person: it follows the leads, and loads its figures again.
func asksByItself(r *http.Request) bool {
	return r.Method == http.MethodGet && (r.Header.Get("Sec-Fetch-Dest") == "empty" || r.Header.Get("Accept") == page.EventStream)
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

// cookie makes a cookie, such as the session cookie: one that scripts cannot read, and that browsers do not send with a form (POST) of another website.
func (p *Pages) cookie(name, value string, age time.Duration) *http.Cookie {
	return &http.Cookie{Name: p.cookieName(name), Value: value, Path: "/", MaxAge: int(age.Seconds()), HttpOnly: true, Secure: p.Brand.HTTPS(), SameSite: http.SameSiteLaxMode}
}

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

// SignedIn asks for a session before anything else, and then for a role.
func (p *Pages) SignedIn(least store.Role, next func(*page.Visit) error) edge.Handler {
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
		case !valid && r.Header.Get("Accept") == page.EventStream: // a page that is still open; a redirect would tell its script nothing
			w.Header().Set("Content-Type", page.EventStream)
			_, err := io.WriteString(w, page.SignedOutEvent)
			return err
		case !valid:
			http.Redirect(w, r, p.Address("/sign-in")+"?next="+url.QueryEscape(p.Brand.Path()+r.URL.RequestURI()), http.StatusSeeOther)
			return nil
		}
		v := &page.Visit{Site: p.Site, W: w, R: r, Ctx: r.Context(), Who: who, Operator: p.Operator.From(page.CameFrom(r).Address), StillSignedIn: func() (bool, error) { _, valid, err := p.session(r); return valid, err }}
		if !v.May(least) {
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
		return page.ErrNoPage
	}
	// Against CSRF: a browser says where a form comes from. A form that does not say so is refused: it is from a program, or from a browser
	// so old that another website could have sent it.
	if r.Header.Get("Sec-Fetch-Site") == "" && r.Header.Get("Origin") == "" || crossOrigin.Check(r) != nil {
		return errOrigin
	}
	return nil
}

// asPage shows an error in the console's own frame: with the way on if the person is signed in, and with nothing but the error if not.
func (p *Pages) asPage(err error, v *page.Visit) error {
	if _, rendered := errors.AsType[*edge.RenderedError](err); err == nil || rendered {
		return err
	}
	return &edge.RenderedError{Err: err, Render: func(w http.ResponseWriter, _ *http.Request, e *lead.Error) {
		if v == nil {
			_ = p.Render(w, edge.Status(e), "sign_in.html", signInView{Pages: p, Title: "This is not possible", Problem: e.Message, Link: errors.Is(err, catalog.LinkUsed)})
			return
		}
		_ = v.Show(edge.Status(e), page.View{Title: "This is not possible", Parts: []page.Part{page.Notice{Tone: "stop", Text: e.Message}}})
	}}
}

// setHeaders restricts what pages may load, and keeps them out of every cache: after signing out, nothing can be seen by going back.
func setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("X-Robots-Tag", "noindex")
}
