package webhook

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Message is one event for one buyer. Its id stays the same over all attempts.
type Message struct {
	ID      string
	URL     string
	Secrets []string // each signs, the newest first: there are two while a buyer changes from one to the other
	Body    []byte   // JSON
}

var (
	errID        = errors.New("the id of a message is made of visible ASCII characters, without a full stop")
	errNoSecrets = errors.New("there is no secret to sign with")
)

// header signs the message for an attempt at this time.
func (m Message) header(now time.Time) (http.Header, error) {
	if m.ID == "" || strings.ContainsFunc(m.ID, separates) {
		return nil, errID
	}
	signature, err := m.sign(now)
	if err != nil {
		return nil, err
	}
	h := make(http.Header)
	h.Set("Content-Type", "application/json")
	h.Set(standard.HeaderWebhookID, m.ID)
	h.Set(standard.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	h.Set(standard.HeaderWebhookSignature, signature)
	return h, nil
}

// separates finds what cannot be in an id. Full stops stand between the parts that are signed: with one in the id, two
// messages could have one signature.
func separates(r rune) bool { return r <= ' ' || r > '~' || r == '.' }

func (m Message) sign(now time.Time) (string, error) {
	if len(m.Secrets) == 0 {
		return "", errNoSecrets
	}
	var signatures []string
	for _, secret := range m.Secrets {
		key, err := parseSecret(secret)
		if err != nil {
			return "", err
		}
		signature, err := key.Sign(m.ID, now, m.Body)
		if err != nil {
			return "", err
		}
		signatures = append(signatures, signature)
	}
	return strings.Join(signatures, " "), nil
}
