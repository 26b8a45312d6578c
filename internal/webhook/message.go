package webhook

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Message is one event for one buyer. Its id is the same for all attempts; the webhook signature (HMAC-SHA256) of each attempt is new.
type Message struct {
	ID      string
	URL     string
	Secrets []string // each secret signs, newest first: there are two while a buyer rotates secrets
	Body    []byte   // JSON
}

var (
	errID        = errors.New("the id of a message is made of visible ASCII characters, without a full stop")
	errNoSecrets = errors.New("there is no secret to sign with")
)

// header returns the signed headers for an attempt at the given time.
func (m Message) header(now time.Time) (http.Header, error) {
	if m.ID == "" || strings.ContainsFunc(m.ID, notAllowedInID) {
		return nil, errID
	}
	if len(m.Secrets) == 0 {
		return nil, errNoSecrets
	}
	var signatures []string
	for _, secret := range m.Secrets {
		key, err := parseSecret(secret)
		if err != nil {
			return nil, err
		}
		signature, err := key.Sign(m.ID, now, m.Body)
		if err != nil {
			return nil, err
		}
		signatures = append(signatures, signature)
	}
	h := make(http.Header)
	h.Set("Content-Type", "application/json")
	h.Set(standard.HeaderWebhookID, m.ID)
	h.Set(standard.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	h.Set(standard.HeaderWebhookSignature, strings.Join(signatures, " "))
	return h, nil
}

// notAllowedInID reports whether r cannot be in an id. The signed content is joined with full stops: with one in the
// id, two messages could have the same signature.
func notAllowedInID(r rune) bool { return r <= ' ' || r > '~' || r == '.' }
