package pages

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

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

// postSignIn signs a person in. An address from which many wrong passwords came is refused, and so is a name for which many were tried; but
// not in a browser in which its person signed in before, so that nobody can lock somebody else out.
func (p *Pages) postSignIn(w http.ResponseWriter, r *http.Request) error {
	form, err := readForm(w, r)
	if err != nil {
		return err
	}
	name, next := strings.ToLower(strings.TrimSpace(form.Get("name"))), form.Get("next")
	refused := func(err error) error { return p.signInRefused(next, name, err) }
	ctx, client, now := r.Context(), edge.RequestInfoOf(r.Context()).Client, p.Now()
	if a, err := p.Limiter.Take(ctx, client, lead.BucketUnknownIDs, 0); err != nil || !a.Granted {
		return refused(tooMany(a, err))
	}
	if wait := p.failures.wait(name, now); wait > 0 && !p.knownDevice(r, name) {
		return refused(&lead.Error{Kind: lead.RateLimited, Retry: wait, Message: "Many wrong passwords were tried for this name. Wait a quarter of an hour, use a browser in which you signed in before, or have a link made on the machine: foyer operators link."})
	}
	text, signed, err := p.Operator.Access().SignIn(ctx, from(r), name, form.Get("password"))
	if errors.Is(err, catalog.WrongPassword) {
		p.failures.add(name, now)
		if a, err := p.Limiter.Take(ctx, client, lead.BucketUnknownIDs, 1); err != nil || !a.Granted {
			return refused(tooMany(a, err))
		}
	}
	if err != nil {
		return refused(err)
	}
	p.failures.forget(name)
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

func tooMany(a lead.Allowance, err error) error {
	if err != nil {
		return err
	}
	return &lead.Error{Kind: lead.RateLimited, Retry: a.Retry, Message: "Too many wrong passwords came from your address. Wait a minute and try again."}
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

func (p *Pages) link(r *http.Request) (access.UserLink, error) {
	client := edge.RequestInfoOf(r.Context()).Client
	if a, err := p.Limiter.Take(r.Context(), client, lead.BucketUnknownIDs, 0); err != nil || !a.Granted {
		return access.UserLink{}, tooMany(a, err)
	}
	l, valid, err := p.Operator.Access().Link(r.Context(), r.PathValue("link"))
	if err == nil && !valid {
		_, err = p.Limiter.Take(r.Context(), client, lead.BucketUnknownIDs, 1)
		if err == nil {
			err = catalog.LinkUsed
		}
	}
	return l, err
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
	if p.secure() {
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
	return &http.Cookie{Name: p.cookieName(name), Value: value, Path: "/", MaxAge: int(age.Seconds()), HttpOnly: true, Secure: p.secure(), SameSite: http.SameSiteLaxMode}
}

const deviceCookie = "foyer-device"

func (p *Pages) deviceToken(name string) string {
	mac := hmac.New(sha256.New, p.DeviceKey)
	mac.Write([]byte("console device\x00" + name))
	return hex.EncodeToString(mac.Sum(nil))
}

func (p *Pages) knownDevice(r *http.Request, name string) bool {
	cookie, err := r.Cookie(p.cookieName(deviceCookie))
	return err == nil && hmac.Equal([]byte(cookie.Value), []byte(p.deviceToken(name)))
}

// failures counts wrong passwords by name, known or not. It is kept in memory: a restart forgets it, and addresses are limited anyway.
type failures struct {
	mu    sync.Mutex
	names map[string][]time.Time
}

const (
	failuresAllowed = 10
	failuresWindow  = 15 * time.Minute
	maxNames        = 10_000 // so many names cannot be tried within the window by the addresses of one household
)

// wait returns how long a name has to wait, or 0.
func (f *failures) wait(name string, now time.Time) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	times := f.names[name]
	if len(times) < failuresAllowed {
		return 0
	}
	return max(0, times[len(times)-failuresAllowed].Add(failuresWindow).Sub(now))
}

func (f *failures) add(name string, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.names == nil || len(f.names) > maxNames {
		f.names = make(map[string][]time.Time)
	}
	times := append(f.names[name], now)
	f.names[name] = times[max(0, len(times)-failuresAllowed):]
}

func (f *failures) forget(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.names, name)
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
