package webhook_test

import (
	"strings"
	"testing"

	"foyer/internal/webhook"
)

// sequence returns the n bytes 0, 1, 2 and so on.
func sequence(n int) []byte {
	bytes := make([]byte, n)
	for i := range bytes {
		bytes[i] = byte(i)
	}
	return bytes
}

func TestNewSecretsAreValid(t *testing.T) {
	for _, n := range []int{24, 25, 26, 32, 64} {
		if err := webhook.CheckSecret(webhook.NewSecret(sequence(n))); err != nil {
			t.Errorf("of %d bytes: %v", n, err)
		}
	}
	if got := webhook.NewSecret(sequence(24)); got != other {
		t.Errorf("got %s, want %s", got, other)
	}
}

func TestNewSecretPanicsOnWrongSize(t *testing.T) {
	for _, n := range []int{0, 23, 65} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%d bytes made a secret", n)
				}
			}()
			webhook.NewSecret(sequence(n))
		}()
	}
}

func TestBadSecrets(t *testing.T) {
	for name, s := range map[string]string{
		"nothing":                  "",
		"only the prefix":          "whsec_",
		"no prefix":                strings.TrimPrefix(secret, "whsec_"),
		"another prefix":           "whsk_" + strings.TrimPrefix(secret, "whsec_"),
		"23 bytes":                 "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRY=",
		"18 bytes":                 "whsec_plJ3nmyCDGBKInavdOK15jsl",
		"65 bytes":                 "whsec_" + strings.Repeat("AAAA", 21) + "AAA=",
		"not base64":               secret[:len(secret)-1] + "!",
		"base64 for URLs":          "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa-_",
		"a line break":             secret + "\n",
		"a line break in between":  secret[:20] + "\r\n" + secret[20:],
		"a space":                  " " + secret,
		"bits that mean nothing":   "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGB==",
		"padding that is missing":  "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGA",
		"two secrets in one field": secret + " " + other,
	} {
		err := webhook.CheckSecret(s)
		if err == nil {
			t.Errorf("%s: accepted", name)
		} else if strings.Contains(err.Error(), "MfKQ") {
			t.Errorf("%s: the error tells the secret", name)
		}
	}
}
