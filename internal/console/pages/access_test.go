package pages_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"foyer/internal/app"
	"foyer/internal/app/apptest"
	"foyer/internal/audit"
	"foyer/internal/console/pages"
	"foyer/internal/console/pages/signin"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// TestRoutesAndRoles tries everything as everybody, with the session of an owner who signed out, and with that of an owner whose browser another
// website uses. It holds what happens against a table that is read by people.
func TestRoutesAndRoles(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--rate-limit", "off")
	ids := strings.NewReplacer("{lead_id}", "lead_none", "{buyer}", "buyer_none", "{source}", "src_none", "{offer_id}", "offer_none", "{privacy_request_id}", "wish_none", "{month}", "2026-11", "{link}", "fl_none", "{legal_hold_id}", "legal_hold_none")
	signedOut := signIn(t, s, "gone", store.RoleOwner)
	signedOut.does("/sign-out")
	columns := []struct {
		name string
		role store.Role // "" if nobody is signed in
		who  *person
		site string
	}{
		{"nobody", "", &person{t: t, s: s}, "same-origin"},
		{"viewer", store.RoleViewer, signIn(t, s, "the-viewer", store.RoleViewer), "same-origin"},
		{"operator", store.RoleOperator, signIn(t, s, "the-operator", store.RoleOperator), "same-origin"},
		{"owner", store.RoleOwner, signIn(t, s, "the-owner", store.RoleOwner), "same-origin"},
		{"signed out", "", signedOut, "same-origin"},
		{"cross-site", "", signIn(t, s, "another-owner", store.RoleOwner), "cross-site"},
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "%-4s %-48s", "", "")
	for _, c := range columns {
		fmt.Fprintf(&out, " %-10s", c.name)
	}
	out.WriteString("\n")
	for i, route := range pages.AllRoutes() {
		fmt.Fprintf(&out, "%-4s %-48s", route.Method, "/console"+route.Path)
		for _, c := range columns {
			p := c.who
			if endsSession[route.Path] && c.role != "" {
				p = signIn(t, s, fmt.Sprintf("short-%d-%s", i, c.name), c.role)
			}
			fmt.Fprintf(&out, " %-10s", happened(p.begin(route.Method, ids.Replace(route.Path), "Sec-Fetch-Site", c.site)))
		}
		out.WriteString("\n")
	}
	columns[5].who.shows("") // another website signed nobody out
	apptest.Golden(t, "routes.txt", regexp.MustCompile(` +\n`).ReplaceAll(out.Bytes(), []byte("\n")))
}

// begin sends a request and does not wait for the end of its answer: the feed has none.
func (p *person) begin(method, path string, headers ...string) apptest.Reply {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), method, p.s.URL+"/console"+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Cookie", "foyer-session="+p.cookie)
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := apptest.Client.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	res.Body.Close()
	return apptest.Reply{Status: res.StatusCode, Header: res.Header}
}

// endsSession are the actions after which a person is signed out.
var endsSession = map[string]bool{"/sign-out": true, "/settings/end-all": true}

// happened says what an answer means. What is allowed may still fail, because nothing that the table names exists.
func happened(r apptest.Reply) string {
	to := r.Header.Get("Location")
	switch {
	case r.Status == http.StatusSeeOther && strings.HasPrefix(to, "/console/sign-in"):
		return "sign in"
	case r.Status == http.StatusForbidden:
		return "refused"
	case r.Status >= 500:
		return fmt.Sprint("broken ", r.Status)
	case r.Header.Get("Content-Type") == "text/event-stream":
		return "streams"
	}
	return "may"
}

// TestEverythingElseIsHidden wants the same answer for every path below the console, whether it exists or not.
func TestEverythingElseIsHidden(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	nobody := &person{t: t, s: s}
	for _, path := range []string{"", "/", "/leads", "/nothing", "/leads/lead_x", "/../console", "/sign-in/x", "/assets"} {
		if r := nobody.get(path); !strings.HasPrefix(r.Header.Get("Location"), "/console/sign-in?next=") && r.Status != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, r.Status, r.Header.Get("Location"))
		}
	}
	for _, method := range []string{"PUT", "DELETE", "PATCH", "TRACE"} {
		if r := nobody.send(method, "/leads", ""); r.Status < 400 {
			t.Errorf("%s: %d", method, r.Status)
		}
	}
	for _, public := range []string{"/", "/docs", "/llms.txt", "/sitemap.xml", "/robots.txt", "/openapi.json"} {
		if r := s.Send(t, "GET", public, ""); strings.Contains(string(r.Body), "/console") {
			t.Errorf("%s tells of the console", public)
		}
	}
	off := apptest.Start(t, "--console", "off")
	for _, path := range []string{"/console", "/console/sign-in"} {
		if r := off.Send(t, "GET", path, ""); r.Status != http.StatusNotFound {
			t.Errorf("off: %s: %d", path, r.Status)
		}
	}
}

// TestSessions wants a session to end where it ends, and nothing to be left of it.
func TestSessions(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	p := signIn(t, s, "pat", store.RoleOwner)
	r := p.get("/settings")
	if h := r.Header; h.Get("Cache-Control") != "no-store" || !strings.Contains(h.Get("Content-Security-Policy"), "frame-ancestors 'none'") || strings.Contains(h.Get("Content-Security-Policy"), "unsafe") || h.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("headers: %v", h)
	}
	again := p.post("/sign-in", "name", "Pat", "password", password, "next", "/console/leads?status=error")
	if again.Header.Get("Location") != "/console/leads?status=error" {
		t.Errorf("signed in: %d %s", again.Status, again.Header.Get("Location"))
	}
	second := &person{t, s, cookieOf(again, "foyer-session")}
	if second.cookie == p.cookie || len(second.cookie) < 20 {
		t.Errorf("the session was there before: %q", second.cookie)
	}
	if c := again.Header.Values("Set-Cookie")[0]; !strings.Contains(c, "HttpOnly") || !strings.Contains(c, "SameSite=Lax") {
		t.Errorf("the cookie: %s", c)
	}
	second.shows("/settings", "Your sessions", "this one", "End another session")
	out := second.post("/sign-out")
	if out.Status != http.StatusSeeOther || cookieOf(out, "foyer-session") != "" || out.Header.Get("Clear-Site-Data") == "" {
		t.Errorf("signed out: %d %v", out.Status, out.Header)
	}
	if r := second.get("/leads"); r.Status != http.StatusSeeOther {
		t.Errorf("a stolen cookie after sign-out: %d", r.Status)
	}
	p.shows("/settings", "pat")
	fixed := (&person{t, s, "fs_aaaaaaaaaaaaaaaaaaaaaaaaaa"}).post("/sign-in", "name", "pat", "password", password)
	if got := cookieOf(fixed, "foyer-session"); got == "" || strings.Contains(got, "aaaaaaaa") {
		t.Errorf("a session that somebody else chose: %q", got)
	}
	p.refuses(http.StatusUnprocessableEntity, "/settings/password", "not your current password", "old", "wrong password", "password", "another few words")
	p.does("/settings/password", "old", password, "password", "another few words")
	if r := (&person{t, s, cookieOf(fixed, "foyer-session")}).get(""); r.Status != http.StatusSeeOther {
		t.Error("another session goes on after the password was changed")
	}
	p.shows("")
	p.does("/settings/end-all")
	if r := p.get(""); r.Status != http.StatusSeeOther {
		t.Error("signed out everywhere, and still here")
	}
}

// TestIDsOfOthers wants people to end their own sessions alone, and to remove their own passkeys alone.
func TestIDsOfOthers(t *testing.T) {
	s := startForPasskeys(t)
	pat, sam := passkeyOwner(t, s), signIn(t, s, "sam", store.RoleOwner)
	key := newAuthenticator(t, "one")
	pat.add(key, "Blue key")
	op, err := app.OpenOperator(t.Context(), s.Data, false, "cli:test")
	if err != nil {
		t.Fatal(err)
	}
	defer op.Close()
	users, err := op.Access().Users(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, u := range users {
		if u.Name != "pat" {
			continue
		}
		sessions, err := op.Access().Sessions(t.Context(), u.ID)
		keys, keysErr := op.Access().Passkeys(t.Context(), u.ID)
		if err := errors.Join(err, keysErr); err != nil {
			t.Fatal(err)
		}
		for _, x := range sessions {
			tried++
			sam.refuses(http.StatusNotFound, "/settings/end-session", "session of yours", "session", x.ID, "confirm", "true")
		}
		for _, k := range keys {
			tried++
			sam.refuses(http.StatusNotFound, "/passkeys/remove", "passkey of yours", "passkey", k.ID, "confirm", "true")
		}
	}
	if tried != 2 {
		t.Fatalf("%d sessions and passkeys were tried", tried)
	}
	pat.want(http.StatusOK, pat.get("/settings"), "Blue key")
	if r := newPasskeyBrowser(t, s).signIn(key); r.status != http.StatusSeeOther {
		t.Errorf("the passkey: %d", r.status)
	}
}

// TestPersonsAreNotInAddresses wants filters that name a person to be sent by a form alone, and only by those who may see persons.
func TestPersonsAreNotInAddresses(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--rate-limit", "off")
	sent := s.ViaJSON(t, apptest.Request{}).LeadID
	viewer, operator := signIn(t, s, "vic", store.RoleViewer), signIn(t, s, "pat", store.RoleOperator)
	for _, filter := range []string{"phone=305-555-0123", "phone=305-555-0199", "email=nobody@example.com", "name=Nobody&received=7d", "status=collected&phone=305-555-0199"} {
		for _, p := range []*person{viewer, operator} {
			if page := p.shows("/leads?" + filter); !strings.Contains(page, sent) {
				t.Errorf("%s is a filter in an address", filter)
			}
		}
	}
	for _, text := range []string{"305-555-0123", "(305) 555-0199", "pat@example.com", "Pat Example"} {
		viewer.refuses(http.StatusForbidden, "/find", "Only operators can search for a person", "find", text)
	}
	if r := operator.post("/find", "find", "305-555-0123"); r.Status != http.StatusOK || !strings.Contains(string(r.Body), sent) {
		t.Errorf("an operator finds a person: %d", r.Status)
	}
	searches := map[audit.Actor]int{}
	for _, e := range storetest.Audit(t, s.Database) {
		if e.Action == audit.LeadSearch {
			searches[e.Actor]++
		}
	}
	if len(searches) != 1 || searches["user:pat"] != 1 {
		t.Errorf("searches: %v", searches)
	}
}

// TestOtherOrigins wants forms that another website makes a browser send to be refused, and those of no browser.
func TestOtherOrigins(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	p := signIn(t, s, "pat", store.RoleOwner)
	for _, headers := range [][]string{
		{"Sec-Fetch-Site", "cross-site"},
		{"Sec-Fetch-Site", "same-site"},
		{"Origin", "https://evil.example.com"},
		{"Origin", "null"},
		{},
		{"Sec-Fetch-Site", "cross-site", "Origin", s.URL},
	} {
		if r := p.send("POST", "/settings/end-all", "", headers...); r.Status != http.StatusForbidden {
			t.Errorf("%v: %d", headers, r.Status)
		}
		if r := (&person{t: t, s: s}).send("POST", "/sign-in", form("name", "pat", "password", password), headers...); r.Status != http.StatusForbidden || cookieOf(r, "foyer-session") != "" {
			t.Errorf("signing in, %v: %d", headers, r.Status)
		}
	}
	p.shows("")
	if r := p.send("POST", "/settings/end-all", "", "Origin", s.URL); r.Status != http.StatusSeeOther {
		t.Errorf("an older browser: %d", r.Status)
	}
}

// TestNowhereElse wants people to stay in the console after signing in.
func TestNowhereElse(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	signIn(t, s, "pat", store.RoleOwner)
	for next, want := range map[string]string{
		"": "/console", "/console": "/console", "/console/leads?status=error": "/console/leads?status=error", "//evil.example.com": "/console", "https://evil.example.com/console": "/console",
		"/\\evil.example.com": "/console", "/console/../privacy": "/console", "/console//evil.example.com": "/console", "/consolex": "/console", "javascript:alert(1)": "/console", "/console/sign-in": "/console", "/console\r\nSet-Cookie: x=y": "/console",
		"http:/console": "/console", "/console@evil.example.com": "/console",
	} {
		r := (&person{t: t, s: s}).post("/sign-in", "name", "pat", "password", password, "next", next)
		if got := r.Header.Get("Location"); got != want || r.Status != http.StatusSeeOther {
			t.Errorf("%q: %d %q, want %q", next, r.Status, got, want)
		}
	}
}

// TestGivingAccessNeedsAFreshSignIn wants the password again for what lets somebody in: a session that was taken over must not make itself last.
func TestGivingAccessNeedsAFreshSignIn(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	p := signIn(t, s, "pat", store.RoleOwner)
	if page := p.shows("/settings"); strings.Contains(page, "You signed in a while ago") {
		t.Error("the password is asked for right after signing in")
	}
	p.answers("/settings/add-person", []string{"Shown only now"}, "name", "sam", "role", "viewer")
	storetest.MustExec(t, s.Database, `UPDATE sessions SET created_at = created_at - 601000000`)
	p.shows("/settings", "You signed in a while ago")
	for _, c := range []struct {
		path, done string // what its page shows at last; "" if it leads elsewhere
		form       []string
	}{
		{"/settings/add-person", "Shown only now", []string{"name", "kim", "role", "operator"}},
		{"/settings/link-person", "Shown only now", []string{"name", "sam"}},
		{"/settings/reset-person", "Shown only now", []string{"name", "sam", "confirm", "true"}},
		{"/settings/add-token", "foy_", []string{"name", "CRM", "days", "30"}},
		{"/settings/set-role", "", []string{"name", "sam", "role", "operator", "confirm", "true"}},
	} {
		p.refuses(http.StatusUnprocessableEntity, c.path, "not your current password", c.form...)
		form := append(c.form, "password", password)
		if c.done == "" {
			p.does(c.path, form...)
		} else {
			p.answers(c.path, []string{c.done}, form...)
		}
	}
	p.does("/settings/remove-person", "name", "kim", "confirm", "true") // this takes access away
}

// TestGuessingAtOnce sends many wrong passwords at the same time: no more are looked at than one after another.
func TestGuessingAtOnce(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	signIn(t, s, "pat", store.RoleOwner)
	var all sync.WaitGroup
	var refused atomic.Int64
	for i := range 5 * signin.FailuresAllowed {
		all.Go(func() {
			r := (&person{t: t, s: s}).send("POST", "/sign-in", form("name", "pat", "password", fmt.Sprint("wrong password ", i)), "Sec-Fetch-Site", "same-origin")
			if r.Status == http.StatusTooManyRequests {
				refused.Add(1)
			}
		})
	}
	all.Wait()
	looked := 0
	for _, e := range storetest.Audit(t, s.Database) {
		if e.Action == audit.UserSignInFail && e.Detail["reason"] == nil {
			looked++
		}
	}
	if looked != signin.FailuresAllowed || int(refused.Load()) != 4*signin.FailuresAllowed {
		t.Errorf("%d passwords were looked at, %d refused", looked, refused.Load())
	}
}

// TestGuessing wants names to be protected from guessing, and nobody to be locked out by it.
func TestGuessing(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--rate-limit-exempt", "127.0.0.0/8") // which is for leads
	began := time.Now()
	signIn(t, s, "pat", store.RoleOwner)
	known := (&person{t: t, s: s}).post("/sign-in", "name", "pat", "password", password)
	device := cookieOf(known, "foyer-device")
	guess := func(name, pass string, headers ...string) apptest.Reply {
		return (&person{t: t, s: s}).send("POST", "/sign-in", form("name", name, "password", pass), append(headers, "Sec-Fetch-Site", "same-origin")...)
	}
	unknown := guess("nobody", "wrong password")
	for i := range signin.FailuresAllowed {
		r := guess("pat", fmt.Sprint("wrong password ", i))
		if r.Status != unknown.Status || len(r.Body) != len(unknown.Body)-len("nobody")+len("pat") {
			t.Fatalf("a known name is answered like %d, an unknown one like %d", r.Status, unknown.Status)
		}
	}
	if r := guess("pat", password); r.Status != http.StatusTooManyRequests || r.Header.Get("Retry-After") == "" {
		t.Errorf("the right password after many wrong ones: %d", r.Status)
	}
	if r := guess("pat", password, "Cookie", "foyer-device="+device); r.Status != http.StatusSeeOther {
		t.Errorf("in a browser that is known: %d", r.Status)
	}
	nobody := &person{t: t, s: s}
	// exhausted sends something when an address may no longer guess: links that do not exist count like wrong passwords, and need no hashing. One
	// guess is allowed again after six seconds, so on a slow machine it tries more than once.
	exhausted := func(send func() apptest.Reply) (r apptest.Reply) {
		for range 5 {
			for n := 0; nobody.get("/link/fl_none").Status != http.StatusTooManyRequests; n++ {
				if n > 200 {
					t.Fatal("an address may guess for ever")
				}
			}
			if r = send(); r.Status == http.StatusTooManyRequests {
				break
			}
		}
		return r
	}
	for range 3 {
		if r := exhausted(func() apptest.Reply { return guess("somebody", "wrong password") }); r.Status != http.StatusTooManyRequests || !strings.Contains(plain(r.Body), "your address") {
			t.Errorf("a password after many wrong links: %d", r.Status)
		}
	}
	if r := guess("pat", password, "Cookie", "foyer-device="+device); r.Status != http.StatusSeeOther {
		t.Errorf("in a browser that is known, at an address that is refused: %d", r.Status)
	}
	passkey := func(device string) apptest.Reply {
		return nobody.send("POST", "/passkeys/sign-in/begin", "", "Cookie", "foyer-device="+device, "Sec-Fetch-Site", "same-origin")
	}
	if r := exhausted(func() apptest.Reply { return passkey(device + "x") }); r.Status != http.StatusTooManyRequests {
		t.Errorf("a passkey at an address that is refused: %d", r.Status)
	}
	if r := passkey(device); r.Status != http.StatusOK {
		t.Errorf("a passkey at an address that is refused, in a browser that is known: %d", r.Status)
	}
	signIn(t, s, "sam", store.RoleOwner) // by a link
	for range signin.FailuresAllowed {
		guess("pat", "wrong password", "Cookie", "foyer-device="+device)
	}
	if r := guess("pat", password, "Cookie", "foyer-device="+device); r.Status != http.StatusTooManyRequests {
		t.Errorf("whoever has a browser that is known may guess for ever: %d", r.Status)
	}
	reasons := map[any]int{}
	for _, e := range storetest.Audit(t, s.Database) {
		if e.Action == audit.UserSignInFail {
			reasons[e.Detail["reason"]]++
		}
	}
	if n := reasons["too many attempts"]; n < 1 || n > 1+int(time.Since(began).Minutes()) { // there were some ten, of which one a minute is recorded
		t.Errorf("recorded by reason: %v", reasons)
	}
	if reasons["link does not work"] == 0 {
		t.Errorf("recorded by reason: %v", reasons)
	}
}

// TestPlainHTTP wants the console to be on the machine itself, or behind https.
func TestPlainHTTP(t *testing.T) {
	storetest.Parallel(t)
	const plainBase, secureBase = "http://foyer.example.com", "https://foyer.example.com"
	for _, c := range []struct {
		name, base, proxies string
		headers             []string
		status              int
		text                string
	}{
		{"as the README starts it", "", "", nil, http.StatusOK, "Sign in"},
		{"on the machine", plainBase, "", nil, http.StatusOK, "Sign in"},
		{"on the machine, beside https", secureBase, "", nil, http.StatusOK, "Sign in"},
		{"from elsewhere by http", plainBase, "127.0.0.1", []string{"X-Forwarded-For", "192.0.2.7"}, http.StatusForbidden, "Set base-url to an https address"},
		{"behind https", secureBase, "127.0.0.1", []string{"X-Forwarded-For", "192.0.2.7"}, http.StatusOK, "Sign in"},
		{"behind https, without a client", secureBase, "127.0.0.1", nil, http.StatusOK, "Sign in"},
		{"a proxy that is not declared", plainBase, "", []string{"X-Forwarded-For", "192.0.2.7"}, http.StatusForbidden, "trusted-proxies"},
		{"a proxy that is not declared, with https", secureBase, "", []string{"X-Forwarded-For", "192.0.2.7"}, http.StatusForbidden, "trusted-proxies"},
		{"a proxy that is not declared, by the standard", secureBase, "10.0.0.0/8", []string{"Forwarded", "for=192.0.2.7"}, http.StatusForbidden, "trusted-proxies"},
		{"a proxy that says it is the machine", plainBase, "", []string{"X-Forwarded-For", "127.0.0.1"}, http.StatusForbidden, "trusted-proxies"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var flags []string
			if c.base != "" {
				flags = append(flags, "--base-url", c.base)
			}
			s := apptest.Start(t, append(flags, "--trusted-proxies", c.proxies)...)
			if r := s.Send(t, "GET", "/console/sign-in", "", c.headers...); r.Status != c.status || !strings.Contains(plain(r.Body), c.text) {
				t.Errorf("the page: %d %s", r.Status, plain(r.Body))
			}
			sent := append(c.headers, "Sec-Fetch-Site", "same-origin", "Content-Type", apptest.FormType)
			if r := s.Send(t, "POST", "/console/sign-in", form("name", "pat", "password", password), sent...); (r.Status == http.StatusForbidden) != (c.status == http.StatusForbidden) {
				t.Errorf("a password: %d", r.Status)
			}
		})
	}
}

// TestSecureCookies wants cookies that no other host of the domain can set, and that are sent by https alone.
func TestSecureCookies(t *testing.T) {
	storetest.Parallel(t)
	secure := apptest.Start(t, "--trusted-proxies", "127.0.0.1", "--base-url", "https://foyer.example.com")
	p := signIn(t, secure, "pat", store.RoleOwner)
	r := secure.Send(t, "POST", "/console/sign-in", form("name", "pat", "password", password), "X-Forwarded-For", "192.0.2.7", "Sec-Fetch-Site", "same-origin", "Content-Type", apptest.FormType)
	c := r.Header.Get("Set-Cookie")
	if r.Status != http.StatusSeeOther || !strings.HasPrefix(c, "__Host-foyer-session=") || !strings.Contains(c, "Secure") {
		t.Errorf("behind https: %d %s", r.Status, c)
	}
	if r := secure.Send(t, "GET", "/console", "", "Cookie", "__Host-foyer-session="+p.cookie); r.Status != http.StatusOK {
		t.Errorf("signed in: %d", r.Status)
	}
	if r := secure.Send(t, "GET", "/console", "", "Cookie", "foyer-session="+p.cookie); r.Status != http.StatusSeeOther {
		t.Errorf("with a cookie that another host of the domain may have set: %d", r.Status)
	}
}

// TestOwnListener wants the console on its own address, and nowhere else: by plain http on the machine, and by https behind a proxy.
func TestOwnListener(t *testing.T) {
	storetest.Parallel(t)
	for _, c := range []struct {
		name, addr, origin string
		flags              []string
		headers            []string
		cookie             string
	}{
		{"on the machine", "127.0.0.1:0", "http://127.0.0.1:", nil, nil, "foyer-session"},
		{"behind https", "0.0.0.0:0", "https://console.example.com", []string{"--console-url", "https://console.example.com/desk", "--trusted-proxies", "127.0.0.1"}, []string{"X-Forwarded-For", "192.0.2.7"}, "__Host-foyer-session"},
	} {
		t.Run(c.name, func(t *testing.T) {
			addresses := make(consoleAddresses, 1)
			s := apptest.StartWithLog(t, storetest.Database(t), slog.New(slog.NewJSONHandler(addresses, nil)), append(c.flags, "--console-addr", c.addr, "--base-url", "http://foyer.example.com")...)
			if r := s.Send(t, "GET", "/console/sign-in", ""); r.Status != http.StatusNotFound {
				t.Errorf("on the public address: %d", r.Status)
			}
			_, port, err := net.SplitHostPort(<-addresses)
			if err != nil {
				t.Fatal(err)
			}
			s.URL = "http://127.0.0.1:" + port
			p := signIn(t, s, "pat", store.RoleOwner)
			signedIn := append(c.headers, "Cookie", c.cookie+"="+p.cookie)
			for _, path := range []string{"", "/settings", "/leads"} {
				r := s.Send(t, "GET", "/console"+path, "", signedIn...)
				if r.Status != http.StatusOK || !strings.Contains(plain(r.Body), "pat") {
					t.Errorf("%s: %d %s", path, r.Status, plain(r.Body))
				}
			}
			if r := s.Send(t, "GET", "/console/settings", "", signedIn...); !strings.Contains(string(r.Body), c.origin) { // of passkeys
				t.Errorf("its pages do not know that they are at %s", c.origin)
			}
			if r := s.Send(t, "GET", "/privacy", ""); r.Status != http.StatusNotFound {
				t.Errorf("public pages at the address of the console: %d", r.Status)
			}
			if strings.HasPrefix(c.addr, "0.0.0.0") {
				s.URL = "http://" + addressOfMachine(t) + ":" + port
				if r := s.Send(t, "GET", "/console/sign-in", "", c.headers...); r.Status != http.StatusForbidden || !strings.Contains(plain(r.Body), "trusted-proxies") {
					t.Errorf("past the proxy, by plain http: %d %s", r.Status, plain(r.Body))
				}
			}
		})
	}
}

// consoleAddresses is a log that finds the address of the console's own listener.
type consoleAddresses chan string

func (a consoleAddresses) Write(line []byte) (int, error) {
	if _, rest, found := strings.Cut(string(line), `"console_address":"`); found {
		address, _, _ := strings.Cut(rest, `"`)
		a <- address
	}
	return len(line), nil
}

// addressOfMachine is one that is not the loopback address.
func addressOfMachine(t *testing.T) string {
	t.Helper()
	list, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() {
			return n.IP.String()
		}
	}
	t.Skip("this machine has no network")
	return ""
}
