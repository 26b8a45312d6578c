package signin

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"foyer/internal/lead"
	"foyer/internal/store"
)

// newPasskeys knows who asks for passkeys: the host of the base URL. It returns nil if that is no name: browsers make no passkeys for addresses.
func (p *Pages) newPasskeys() *webauthn.WebAuthn {
	origin, err := url.Parse(p.Brand.Origin())
	if err != nil || origin.Hostname() == "" {
		return nil
	}
	required := true
	passkeys, err := webauthn.New(&webauthn.Config{
		RPID: origin.Hostname(), RPDisplayName: p.Brand.Name, RPOrigins: []string{p.Brand.Origin()},
		AttestationPreference: protocol.PreferNoAttestation, // which device it is does not matter
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: &required, // so that nobody types a name
			UserVerification: protocol.VerificationRequired, // a passkey replaces the password, so having the device is not enough
		},
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore, // some password managers send what nobody asked for
		Timeouts:                          webauthn.TimeoutsConfig{Login: webauthn.TimeoutConfig{Timeout: ceremonyValid}, Registration: webauthn.TimeoutConfig{Timeout: ceremonyValid}},
	})
	if err != nil {
		return nil
	}
	return passkeys
}

// ceremony is a challenge that a browser was given. It has no row in the database: the browser keeps it in a cookie that is signed, for a
// few minutes and one purpose, so that any process can take the answer.
//
// Whoever has the cookie and the answer could send both again while the cookie is valid. Signing in is then refused: a passkey takes no
// challenge that is not newer than its last use, and the transaction looks (operator.SignInWithPasskey). Adding is refused as long as the
// passkey is there. After its removal it would be added again, to the same user, by someone who has that user's session, too. Nobody should have either:
// they travel over TLS, scripts cannot read the cookie, and a browser answers only for the origin of its page, which is verified. A cookie
// without an answer is worth nothing.
type ceremony struct {
	Purpose string               `json:"purpose"`
	AskedAt int64                `json:"asked_at"` // in microseconds
	Session webauthn.SessionData `json:"session"`
}

const (
	ceremonyCookie = "foyer-passkey"
	ceremonyValid  = 5 * time.Minute
	signInPurpose  = "sign in"
)

// addPurpose is to add a passkey of a user.
func addPurpose(userID string) string { return "add to " + userID }

var errCeremony = &lead.Error{Kind: lead.Conflict, Message: "This took too long, or another page began the same meanwhile. Try again."}

func (c ceremony) askedAt() time.Time { return time.UnixMicro(c.AskedAt).UTC() }

// beginCeremony gives the browser a challenge: what it needs as JSON, and what the answer is held against as a cookie.
func (p *Pages) beginCeremony(w http.ResponseWriter, purpose string, options any, session *webauthn.SessionData) error {
	text, err := json.Marshal(ceremony{purpose, p.Now().UnixMicro(), *session})
	if err != nil {
		return err
	}
	body, err := json.Marshal(options)
	if err != nil {
		return err
	}
	value := base64.RawURLEncoding.EncodeToString(text)
	http.SetCookie(w, p.ceremonyCookie(value+"."+p.ceremonySignature(value), ceremonyValid))
	writeJSON(w, body)
	return nil
}

// endCeremony returns the challenge that the browser was given for a purpose, and takes it from the browser.
func (p *Pages) endCeremony(w http.ResponseWriter, r *http.Request, purpose string) (c ceremony, err error) {
	empty := p.ceremonyCookie("", -time.Second)
	http.SetCookie(w, empty)
	cookies := r.CookiesNamed(empty.Name)
	if len(cookies) != 1 {
		return c, errCeremony
	}
	value, signature, _ := strings.Cut(cookies[0].Value, ".")
	if !hmac.Equal([]byte(signature), []byte(p.ceremonySignature(value))) {
		return c, errCeremony
	}
	text, err := base64.RawURLEncoding.DecodeString(value)
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil || c.Purpose != purpose || !p.Now().Before(c.askedAt().Add(ceremonyValid)) {
		return ceremony{}, errCeremony
	}
	return c, nil
}

func (p *Pages) ceremonySignature(value string) string {
	mac := hmac.New(sha256.New, p.DeviceKey)
	mac.Write([]byte("console passkey\x00" + value))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// ceremonyCookie is sent to the addresses of passkeys alone, and by no other website.
func (p *Pages) ceremonyCookie(value string, age time.Duration) *http.Cookie {
	c := p.cookie(ceremonyCookie, value, age)
	c.Name, c.Path, c.SameSite = ceremonyCookie, p.Address("/passkeys"), http.SameSiteStrictMode
	if p.Brand.HTTPS() {
		c.Name = "__Secure-" + ceremonyCookie // __Host- wants the path /
	}
	return c
}

// passkeyUser is a user as the library knows users.
type passkeyUser struct {
	user        store.User
	credentials []webauthn.Credential
}

func newPasskeyUser(a store.User, list ...store.Passkey) (u passkeyUser, err error) {
	u = passkeyUser{a, make([]webauthn.Credential, len(list))}
	for i, k := range list {
		if err := json.Unmarshal([]byte(k.Credential), &u.credentials[i]); err != nil {
			return u, err
		}
	}
	return u, nil
}

// The passkey holds the user's id, by which an answer is found, and the name, by which people tell passkeys apart.
func (u passkeyUser) WebAuthnID() []byte                         { return []byte(u.user.ID) }
func (u passkeyUser) WebAuthnName() string                       { return u.user.Name }
func (u passkeyUser) WebAuthnDisplayName() string                { return u.user.Name }
func (u passkeyUser) WebAuthnCredentials() []webauthn.Credential { return u.credentials }
