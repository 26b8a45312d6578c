package pages_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"

	"github.com/go-webauthn/webauthn/protocol/webauthncbor"
)

// authenticator is a security key with one passkey, and the browser around it.
type authenticator struct {
	t       *testing.T
	origin  string // of the page that asks
	rpID    string
	key     *ecdsa.PrivateKey
	id      []byte
	user    []byte
	counter uint32
	flags   byte // without those of what is in the answer
}

// What authenticators say about the person: present, and verified.
const (
	flagPresent  = 0x01
	flagVerified = 0x04
	flagAttested = 0x40 // a new public key follows
)

func newAuthenticator(t *testing.T, id string) *authenticator {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &authenticator{t: t, origin: passkeyOrigin, rpID: "localhost", key: key, id: []byte(id), flags: flagPresent | flagVerified}
}

// challenge is what a page asks the browser for.
type challenge struct {
	PublicKey struct {
		Challenge              string
		RPID                   string `json:"rpId"`
		RP                     struct{ ID string }
		User                   struct{ ID, Name string }
		UserVerification       string
		AuthenticatorSelection struct{ ResidentKey, UserVerification string }
		ExcludeCredentials     []struct{ ID string }
		AllowCredentials       []struct{ ID string }
	}
}

func base64url(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// clientData is what the browser says about the page.
func (a *authenticator) clientData(kind, challenge string) []byte {
	return a.marshal(map[string]any{"type": kind, "challenge": challenge, "origin": a.origin, "crossOrigin": false})
}

func (a *authenticator) marshal(v any) []byte {
	a.t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		a.t.Fatal(err)
	}
	return text
}

// data is what is signed, besides what the browser says.
func (a *authenticator) data(flags byte, more []byte) []byte {
	host := sha256.Sum256([]byte(a.rpID))
	data := append(host[:], a.flags|flags)
	return append(binary.BigEndian.AppendUint32(data, a.counter), more...)
}

// create answers a challenge with a new passkey.
func (a *authenticator) create(c challenge) string {
	a.t.Helper()
	a.user, _ = base64.RawURLEncoding.DecodeString(c.PublicKey.User.ID)
	public, err := a.key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		a.t.Fatal(err)
	}
	cose, err := webauthncbor.Marshal(map[int]any{1: 2, 3: -7, -1: 1, -2: public[1:33], -3: public[33:]})
	if err != nil {
		a.t.Fatal(err)
	}
	attested := binary.BigEndian.AppendUint16(make([]byte, 16), uint16(len(a.id)))
	attested = append(append(attested, a.id...), cose...)
	object, err := webauthncbor.Marshal(map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": a.data(flagAttested, attested)})
	if err != nil {
		a.t.Fatal(err)
	}
	return string(a.marshal(map[string]any{
		"id": base64url(a.id), "rawId": base64url(a.id), "type": "public-key", "clientExtensionResults": map[string]any{"credProps": map[string]any{"rk": true}},
		"response": map[string]any{"clientDataJSON": base64url(a.clientData("webauthn.create", c.PublicKey.Challenge)), "attestationObject": base64url(object), "transports": []string{"usb"}},
	}))
}

// get answers a challenge with the passkey, whose counter goes up.
func (a *authenticator) get(c challenge) string {
	a.t.Helper()
	a.counter++
	client, data := a.clientData("webauthn.get", c.PublicKey.Challenge), a.data(0, nil)
	hash := sha256.Sum256(client)
	signed := sha256.Sum256(append(data[:len(data):len(data)], hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, signed[:])
	if err != nil {
		a.t.Fatal(err)
	}
	return string(a.marshal(map[string]any{
		"id": base64url(a.id), "rawId": base64url(a.id), "type": "public-key", "clientExtensionResults": map[string]any{},
		"response": map[string]any{"clientDataJSON": base64url(client), "authenticatorData": base64url(data), "signature": base64url(signature), "userHandle": base64url(a.user)},
	}))
}
