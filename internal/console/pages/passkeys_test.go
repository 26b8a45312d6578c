package pages_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"foyer/internal/app"
	"foyer/internal/app/apptest"
	"foyer/internal/store/storetest"
)

const (
	passkeyOrigin   = "http://localhost:8080"
	passkeyPassword = "a few plain words"
)

// passkeyBrowser is a browser with cookies, on a page of the console.
type passkeyBrowser struct {
	t      *testing.T
	s      *apptest.Service
	client *http.Client
}

func newPasskeyBrowser(t *testing.T, s *apptest.Service) *passkeyBrowser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &passkeyBrowser{t, s, &http.Client{Jar: jar, CheckRedirect: apptest.Client.CheckRedirect}}
}

// passkeyOwner is a browser in which the first owner is signed in.
func passkeyOwner(t *testing.T, s *apptest.Service) *passkeyBrowser {
	t.Helper()
	op, err := app.OpenOperator(t.Context(), s.Data, false, "cli:test")
	if err != nil {
		t.Fatal(err)
	}
	defer op.Close()
	_, link, err := op.Access().LinkUser(t.Context(), "cli:test", "")
	if err != nil {
		t.Fatal(err)
	}
	b := newPasskeyBrowser(t, s)
	b.want(http.StatusSeeOther, b.post("/link/"+link, "name", "pat", "password", passkeyPassword))
	return b
}

// answered is an answer whose body has been read.
type answered struct {
	status   int
	location string
	body     string
}

func (b *passkeyBrowser) send(req *http.Request) answered {
	b.t.Helper()
	res, err := b.client.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answered{res.StatusCode, res.Header.Get("Location"), string(body)}
}

func (b *passkeyBrowser) get(path string) answered {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.s.URL+"/console"+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.send(req)
}

// post sends a form from a page of the console; fields come in pairs.
func (b *passkeyBrowser) post(path string, fields ...string) answered {
	b.t.Helper()
	return b.postFrom("same-origin", path, fields...)
}

func (b *passkeyBrowser) postFrom(site, path string, fields ...string) answered {
	b.t.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.s.URL+"/console"+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Content-Type", apptest.FormType)
	req.Header.Set("Sec-Fetch-Site", site)
	return b.send(req)
}

// want fails unless an answer has a status and contains texts.
func (b *passkeyBrowser) want(status int, got answered, texts ...string) {
	b.t.Helper()
	if got.status != status {
		b.t.Fatalf("%d, want %d: %s", got.status, status, got.body)
	}
	for _, text := range texts {
		if !strings.Contains(got.body, text) {
			b.t.Errorf("no %q in %s", text, got.body)
		}
	}
}

// begin asks for a challenge.
func (b *passkeyBrowser) begin(path string) (c challenge) {
	b.t.Helper()
	got := b.post(path)
	b.want(http.StatusOK, got)
	if err := json.Unmarshal([]byte(got.body), &c); err != nil {
		b.t.Fatal(err)
	}
	return c
}

// add adds the passkey of an authenticator.
func (b *passkeyBrowser) add(a *authenticator, name string) {
	b.t.Helper()
	b.want(http.StatusSeeOther, b.post("/passkeys/add", "name", name, "credential", a.create(b.begin("/passkeys/add/begin"))))
}

// signIn signs in by an authenticator alone.
func (b *passkeyBrowser) signIn(a *authenticator) answered {
	b.t.Helper()
	return b.post("/passkeys/sign-in", "next", "/console/leads?zip=33139", "credential", a.get(b.begin("/passkeys/sign-in/begin")))
}

// ceremony returns the cookie of a challenge, after it was set to another one if that is not nil.
func (b *passkeyBrowser) ceremony(set *http.Cookie) *http.Cookie {
	b.t.Helper()
	at, err := url.Parse(b.s.URL + "/console/passkeys/add")
	if err != nil {
		b.t.Fatal(err)
	}
	if set != nil {
		b.client.Jar.SetCookies(at, []*http.Cookie{set})
	}
	for _, c := range b.client.Jar.Cookies(at) {
		if c.Name == "foyer-passkey" {
			return &http.Cookie{Name: c.Name, Value: c.Value, Path: "/console/passkeys"}
		}
	}
	b.t.Fatal("the browser has no challenge")
	return nil
}

const refusedPasskey = "The name, the password or the passkey is wrong."

// newestEntry is the newest entry of the audit trail: what, and why or by which passkey.
func newestEntry(t *testing.T, s *apptest.Service) string {
	t.Helper()
	e := storetest.Audit(t, s.Database)[0]
	return fmt.Sprint(e.Actor, " ", e.Action, " ", e.Detail["reason"], " ", e.Detail["passkey"] != nil)
}

func startForPasskeys(t *testing.T) *apptest.Service {
	t.Helper()
	t.Parallel()
	return apptest.Start(t, "--base-url", passkeyOrigin)
}

// TestPasskeys adds a passkey, signs in by it alone, and removes it.
func TestPasskeys(t *testing.T) {
	s := startForPasskeys(t)
	b, key := passkeyOwner(t, s), newAuthenticator(t, "one")
	b.want(http.StatusOK, b.get("/settings"), "You have no passkey.", "It works only at http://localhost:8080", "<div hidden data-passkey")
	asked := b.begin("/passkeys/add/begin").PublicKey
	if asked.RP.ID != "localhost" || asked.User.Name != "pat" || asked.AuthenticatorSelection.ResidentKey != "required" || asked.AuthenticatorSelection.UserVerification != "required" || len(asked.ExcludeCredentials) != 0 {
		t.Errorf("%+v", asked)
	}
	b.add(key, "Blue key")
	if got := newestEntry(t, s); got != "user:pat user.passkey_add <nil> true" {
		t.Error(got)
	}
	b.want(http.StatusOK, b.get("/settings?done=passkeys-add"), "Blue key", "never", "The passkey is added.")
	if asked := b.begin("/passkeys/add/begin").PublicKey; len(asked.ExcludeCredentials) != 1 || asked.ExcludeCredentials[0].ID != base64url(key.id) {
		t.Errorf("the browser may make it again: %+v", asked)
	}

	fresh := newPasskeyBrowser(t, s)
	fresh.want(http.StatusOK, fresh.get("/sign-in?next=/console/leads"), "Sign in with a passkey", `name="next" value="/console/leads"`)
	if asked := fresh.begin("/passkeys/sign-in/begin").PublicKey; asked.RPID != "localhost" || asked.UserVerification != "required" || len(asked.AllowCredentials) != 0 {
		t.Errorf("%+v", asked)
	}
	for range 2 {
		got := fresh.signIn(key)
		if fresh.want(http.StatusSeeOther, got); got.location != "/console/leads?zip=33139" {
			t.Errorf("it leads to %s", got.location)
		}
	}
	if got := newestEntry(t, s); got != "user:pat user.sign_in <nil> true" {
		t.Error(got)
	}
	settings := fresh.get("/settings")
	if fresh.want(http.StatusOK, settings, "Blue key", "Remove Blue key"); strings.Contains(settings.body, "never") {
		t.Error("it was used, and the page does not say so")
	}
	_, id, _ := strings.Cut(settings.body, `name="passkey" value="`)
	id, _, _ = strings.Cut(id, `"`)
	fresh.want(http.StatusSeeOther, fresh.post("/passkeys/remove", "passkey", id, "confirm", "true"))
	fresh.want(http.StatusNotFound, fresh.post("/passkeys/remove", "passkey", id, "confirm", "true"))
	fresh.want(http.StatusOK, fresh.get("/settings"), "You have no passkey.")

	removed := newPasskeyBrowser(t, s)
	removed.want(http.StatusUnprocessableEntity, removed.signIn(key), refusedPasskey, "Sign in with a passkey")
	if got := newestEntry(t, s); got != "visitor user.sign_in_failed unknown false" {
		t.Error(got)
	}
	if got := removed.get("/settings"); got.status != http.StatusSeeOther {
		t.Errorf("it is signed in: %d", got.status)
	}
	b.add(key, "") // the same one again
	b.want(http.StatusOK, b.get("/settings"), "a browser")
}

// TestPasskeysAreRefused answers challenges wrongly. Nobody is signed in, and the audit trail tells why.
func TestPasskeysAreRefused(t *testing.T) {
	s := startForPasskeys(t)
	owner := passkeyOwner(t, s)
	for name, c := range map[string]struct {
		reason string
		change func(a *authenticator)
	}{
		"a page of another host":     {"wrong answer", func(a *authenticator) { a.origin = "https://evil.example.com" }},
		"another port":               {"wrong answer", func(a *authenticator) { a.origin = "http://localhost:8081" }},
		"a passkey of another host":  {"wrong answer", func(a *authenticator) { a.rpID = "evil.example.com" }},
		"a person who is not proven": {"wrong answer", func(a *authenticator) { a.flags = flagPresent }},
		"nobody is there":            {"wrong answer", func(a *authenticator) { a.flags = flagVerified }},
		"another key":                {"wrong answer", func(a *authenticator) { a.key = newAuthenticator(t, "").key }},
		"the counter as before":      {"counter went back", func(a *authenticator) { a.counter-- }},
		"the counter goes back":      {"counter went back", func(a *authenticator) { a.counter -= 5 }},
		"an unknown credential":      {"unknown", func(a *authenticator) { a.id = []byte("other") }},
		"no user":                    {"unknown", func(a *authenticator) { a.user = nil }},
		"an unknown user":            {"unknown", func(a *authenticator) { a.user = []byte("usr_other") }},
		"no text as a user":          {"unknown", func(a *authenticator) { a.user = []byte("\x00\xff") }},
	} {
		key := newAuthenticator(t, name)
		key.counter = 10
		owner.add(key, name)
		b := newPasskeyBrowser(t, s)
		b.want(http.StatusSeeOther, b.signIn(key))
		changed := *key
		c.change(&changed)
		b = newPasskeyBrowser(t, s)
		b.want(http.StatusUnprocessableEntity, b.signIn(&changed), refusedPasskey)
		if got, want := newestEntry(t, s), fmt.Sprint("visitor user.sign_in_failed ", c.reason, " ", c.reason != "unknown"); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if got := b.get("/settings"); got.status != http.StatusSeeOther {
			t.Errorf("%s: it is signed in", name)
		}
		b.want(http.StatusSeeOther, b.signIn(key)) // the right one still works
	}
	b := newPasskeyBrowser(t, s)
	for _, text := range []string{"", "{}", "null", "[]", `{"id":"AA","rawId":"AA","type":"public-key","response":{}}`} {
		b.begin("/passkeys/sign-in/begin")
		b.want(http.StatusUnprocessableEntity, b.post("/passkeys/sign-in", "credential", text), refusedPasskey)
	}
}

// TestPasskeyAnswersAreTakenOnce sends answers again, for another purpose, and without the browser's cookie.
func TestPasskeyAnswersAreTakenOnce(t *testing.T) {
	s := startForPasskeys(t)
	owner, key := passkeyOwner(t, s), newAuthenticator(t, "one")
	adding := owner.begin("/passkeys/add/begin")
	cookie := owner.ceremony(nil)
	answer := key.create(adding)
	owner.want(http.StatusSeeOther, owner.post("/passkeys/add", "credential", answer))
	owner.want(http.StatusConflict, owner.post("/passkeys/add", "credential", answer), "This took too long")
	owner.ceremony(cookie)
	owner.want(http.StatusConflict, owner.post("/passkeys/add", "credential", answer), "This passkey was added already")
	owner.begin("/passkeys/add/begin")
	owner.want(http.StatusUnprocessableEntity, owner.post("/passkeys/add", "credential", answer), "what the browser sent does not fit")

	b := newPasskeyBrowser(t, s)
	asked := b.begin("/passkeys/sign-in/begin")
	cookie = b.ceremony(nil)
	answer = key.get(asked)
	b.want(http.StatusSeeOther, b.post("/passkeys/sign-in", "credential", answer))
	thief := newPasskeyBrowser(t, s)
	thief.want(http.StatusConflict, thief.post("/passkeys/sign-in", "credential", answer), "This took too long")
	thief.ceremony(cookie)
	thief.want(http.StatusUnprocessableEntity, thief.post("/passkeys/sign-in", "credential", answer), refusedPasskey)
	if got := newestEntry(t, s); got != "visitor user.sign_in_failed answer is not new true" && got != "visitor user.sign_in_failed counter went back true" {
		t.Error(got)
	}
	thief.want(http.StatusOK, thief.post("/passkeys/sign-in/begin"))
	thief.want(http.StatusUnprocessableEntity, thief.post("/passkeys/sign-in", "credential", answer), refusedPasskey)

	owner.begin("/passkeys/sign-in/begin")
	owner.want(http.StatusConflict, owner.post("/passkeys/add", "credential", key.create(asked)), "This took too long")
	owner.begin("/passkeys/add/begin")
	owner.want(http.StatusConflict, owner.post("/passkeys/sign-in", "credential", key.get(asked)), "This took too long")
}

// TestPasskeysAreGuarded asks without a session, from other websites, and too often.
func TestPasskeysAreGuarded(t *testing.T) {
	s := startForPasskeys(t)
	owner, b := passkeyOwner(t, s), newPasskeyBrowser(t, s)
	for _, path := range []string{"/passkeys/add/begin", "/passkeys/add", "/passkeys/remove"} {
		b.want(http.StatusForbidden, b.post(path), "You are not signed in.")
	}
	for _, path := range []string{"/passkeys/add/begin", "/passkeys/add", "/passkeys/remove", "/passkeys/sign-in/begin", "/passkeys/sign-in"} {
		for _, site := range []string{"cross-site", "same-site", ""} {
			owner.want(http.StatusForbidden, owner.postFrom(site, path), "did not come from a page of this console")
		}
	}
	if got := b.get("/passkeys/sign-in"); got.location != "/console/sign-in" {
		t.Errorf("the address of a refusal leads to %q", got.location)
	}
	limited := false
	for range 200 {
		b.post("/passkeys/sign-in/begin")
		if got := b.post("/passkeys/sign-in", "credential", "{}"); got.status == http.StatusTooManyRequests {
			limited = true
			break
		}
	}
	if !limited {
		t.Error("wrong passkeys are not limited")
	}
	b.want(http.StatusTooManyRequests, b.post("/passkeys/sign-in/begin"), `"message":"Too many wrong`)
	b.want(http.StatusTooManyRequests, b.post("/sign-in", "name", "pat", "password", passkeyPassword))
}

// TestPasskeysNeedAFreshSignIn wants the password from somebody who signed in a while ago, before the browser makes a passkey and after.
func TestPasskeysNeedAFreshSignIn(t *testing.T) {
	s := startForPasskeys(t)
	b, key := passkeyOwner(t, s), newAuthenticator(t, "one")
	if got := b.get("/settings"); strings.Contains(got.body, "You signed in a while ago") {
		t.Error("the password is asked for right after signing in")
	}
	made := key.create(b.begin("/passkeys/add/begin"))
	storetest.MustExec(t, s.Database, `UPDATE sessions SET created_at = created_at - 601000000`)
	b.want(http.StatusOK, b.get("/settings"), "You signed in a while ago", `autocomplete="current-password"`)
	b.want(http.StatusUnprocessableEntity, b.post("/passkeys/add/begin"), "not your current password")
	b.want(http.StatusUnprocessableEntity, b.post("/passkeys/add", "name", "Mine", "credential", made), "not your current password")
	if got := newestEntry(t, s); got != "user:pat user.sign_in_failed <nil> false" {
		t.Error(got)
	}
	begun := b.post("/passkeys/add/begin", "password", passkeyPassword)
	b.want(http.StatusOK, begun)
	var c challenge
	if err := json.Unmarshal([]byte(begun.body), &c); err != nil {
		t.Fatal(err)
	}
	b.want(http.StatusSeeOther, b.post("/passkeys/add", "name", "Mine", "credential", key.create(c), "password", passkeyPassword))
	limited := 0
	for range 40 {
		if got := b.post("/passkeys/add/begin", "password", "a guess of mine"); got.status == http.StatusTooManyRequests {
			limited++
		}
	}
	if limited == 0 {
		t.Error("whoever has a session may guess the password for ever")
	}
}

// TestPasskeysNeedAHostName offers none where the console has an address for a name.
func TestPasskeysNeedAHostName(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, "--base-url", "http://127.0.0.1:8080")
	b := passkeyOwner(t, s)
	b.want(http.StatusOK, b.get("/settings"), "There are no passkeys here")
	b.want(http.StatusNotFound, b.post("/passkeys/add/begin"))
	b.want(http.StatusNotFound, b.post("/passkeys/add"))
	fresh := newPasskeyBrowser(t, s)
	if got := fresh.get("/sign-in"); got.status != http.StatusOK || strings.Contains(got.body, "passkey") {
		t.Errorf("%d %s", got.status, got.body)
	}
	fresh.want(http.StatusNotFound, fresh.post("/passkeys/sign-in/begin"))
	fresh.want(http.StatusNotFound, fresh.post("/passkeys/sign-in"))
}
