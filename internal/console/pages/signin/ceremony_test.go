package signin

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"foyer/internal/catalog"
	"foyer/internal/console/pages/page"
)

// TestCeremonyCookie takes a challenge back only from the browser, for the purpose and within the time that it was given for.
func TestCeremonyCookie(t *testing.T) {
	noon := time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)
	now := noon
	p := &Pages{Site: &page.Site{Brand: catalog.Brand{Name: "Foyer", BaseURL: "https://foyer.example.com/base"}, Now: func() time.Time { return now }}, DeviceKey: []byte("key")}
	given := httptest.NewRecorder()
	if err := p.beginCeremony(given, addPurpose("usr_1"), map[string]int{"n": 1}, &webauthn.SessionData{Challenge: "challenge", UserID: []byte("usr_1")}); err != nil {
		t.Fatal(err)
	}
	cookie, err := http.ParseSetCookie(given.Header().Get("Set-Cookie"))
	if err != nil || cookie.Name != "__Secure-foyer-passkey" || cookie.Path != "/base/console/passkeys" || !cookie.HttpOnly || !cookie.Secure || cookie.SameSite != http.SameSiteStrictMode || cookie.MaxAge != 300 {
		t.Fatalf("%+v, %v", cookie, err)
	}
	if given.Body.String() != `{"n":1}` || len(cookie.Value) > 2000 {
		t.Errorf("%s, a cookie of %d bytes", given.Body, len(cookie.Value))
	}
	other := &Pages{Site: p.Site, DeviceKey: []byte("other")}
	body, signature, _ := strings.Cut(cookie.Value, ".")
	for name, c := range map[string]struct {
		pages   *Pages
		purpose string
		after   time.Duration
		values  []string
		valid   bool
	}{
		"as it was given":       {p, addPurpose("usr_1"), 0, []string{cookie.Value}, true},
		"at the last moment":    {p, addPurpose("usr_1"), 5*time.Minute - time.Microsecond, []string{cookie.Value}, true},
		"too late":              {p, addPurpose("usr_1"), 5 * time.Minute, []string{cookie.Value}, false},
		"for another user":      {p, addPurpose("usr_2"), 0, []string{cookie.Value}, false},
		"to sign in":            {p, signInPurpose, 0, []string{cookie.Value}, false},
		"with another key":      {other, addPurpose("usr_1"), 0, []string{cookie.Value}, false},
		"changed":               {p, addPurpose("usr_1"), 0, []string{"A" + body[1:] + "." + signature}, false},
		"without a signature":   {p, addPurpose("usr_1"), 0, []string{body}, false},
		"nothing, signed":       {p, addPurpose("usr_1"), 0, []string{"." + p.ceremonySignature("")}, false},
		"two":                   {p, addPurpose("usr_1"), 0, []string{cookie.Value, cookie.Value}, false},
		"none":                  {p, addPurpose("usr_1"), 0, nil, false},
		"with a second dot":     {p, addPurpose("usr_1"), 0, []string{cookie.Value + "."}, false},
		"of a cookie for names": {p, addPurpose("usr_1"), 0, []string{body + "." + p.deviceToken(body)}, false},
	} {
		now = noon.Add(c.after)
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		for _, value := range c.values {
			r.AddCookie(&http.Cookie{Name: cookie.Name, Value: value})
		}
		taken := httptest.NewRecorder()
		got, err := c.pages.endCeremony(taken, r, c.purpose)
		if c.valid && (err != nil || got.Session.Challenge != "challenge" || string(got.Session.UserID) != "usr_1" || !got.askedAt().Equal(noon)) || !c.valid && !errors.Is(err, errCeremony) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if gone := taken.Header().Get("Set-Cookie"); !strings.HasPrefix(gone, "__Secure-foyer-passkey=; Path=/base/console/passkeys; Max-Age=0") {
			t.Errorf("%s: the cookie stays: %s", name, gone)
		}
	}
}

// TestPasskeysNeedAName has no passkeys where browsers make none.
func TestPasskeysNeedAName(t *testing.T) {
	for base, want := range map[string]string{
		"https://Foyer.example.com:8443/base": "foyer.example.com",
		"http://localhost:8080":               "localhost",
		"http://127.0.0.1:8080":               "",
		"http://[::1]:8080":                   "",
		"":                                    "",
	} {
		got := ""
		if passkeys := (&Pages{Site: &page.Site{Brand: catalog.Brand{Name: "Foyer", BaseURL: base}}}).newPasskeys(); passkeys != nil {
			got = passkeys.Config.RPID
		}
		if got != want {
			t.Errorf("%s: %q, want %q", base, got, want)
		}
	}
}
