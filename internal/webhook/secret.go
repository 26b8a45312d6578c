package webhook

import (
	"encoding/base64"
	"errors"
	"strings"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const (
	secretPrefix = "whsec_"
	leastRandom  = 24
	mostRandom   = 64
)

var errSecret = errors.New("a secret is whsec_ and then 24 to 64 bytes in base64, such as foyer makes them")

// NewSecret makes a secret of 24 to 64 random bytes.
func NewSecret(random []byte) string {
	if len(random) < leastRandom || len(random) > mostRandom {
		panic("webhook: a secret is made of 24 to 64 random bytes")
	}
	return secretPrefix + base64.StdEncoding.EncodeToString(random)
}

// CheckSecret says what a secret must be, and never what it was.
func CheckSecret(s string) error {
	_, err := parseSecret(s)
	return err
}

// parseSecret is stricter than the library, which takes an empty secret, with which everybody can sign, and base64 with
// line breaks in it, which other libraries read as another key or not at all.
func parseSecret(s string) (*standard.Webhook, error) {
	text, ok := strings.CutPrefix(s, secretPrefix)
	key, err := base64.StdEncoding.DecodeString(text)
	if !ok || err != nil || len(key) < leastRandom || len(key) > mostRandom || base64.StdEncoding.EncodeToString(key) != text {
		return nil, errSecret
	}
	return standard.NewWebhookRaw(key)
}
