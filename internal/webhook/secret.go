package webhook

import (
	"encoding/base64"
	"errors"
	"strings"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const (
	secretPrefix   = "whsec_"
	minSecretBytes = 24
	maxSecretBytes = 64
)

var errSecret = errors.New("a secret is whsec_ and then 24 to 64 bytes in base64, such as foyer makes them")

// NewSecret makes a secret from 24 to 64 random bytes.
func NewSecret(random []byte) string {
	if len(random) < minSecretBytes || len(random) > maxSecretBytes {
		panic("webhook: a secret is made of 24 to 64 random bytes")
	}
	return secretPrefix + base64.StdEncoding.EncodeToString(random)
}

// CheckSecret checks the form of a secret. The error never contains the secret.
func CheckSecret(s string) error {
	_, err := parseSecret(s)
	return err
}

// parseSecret is stricter than the library. The library accepts an empty secret, with which anyone can sign, and base64
// with line breaks, which other libraries decode to another key or reject.
func parseSecret(s string) (*standard.Webhook, error) {
	text, ok := strings.CutPrefix(s, secretPrefix)
	key, err := base64.StdEncoding.DecodeString(text)
	if !ok || err != nil || len(key) < minSecretBytes || len(key) > maxSecretBytes || base64.StdEncoding.EncodeToString(key) != text {
		return nil, errSecret
	}
	return standard.NewWebhookRaw(key)
}
