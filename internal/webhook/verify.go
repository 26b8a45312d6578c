package webhook

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// tolerance is how far the two clocks may be apart. An older message may be a replay.
const tolerance = 5 * time.Minute

// MaxAge is how long a signed message is accepted, so that a replay attack has to come within it: the clocks may be off in either direction.
const MaxAge = 2 * tolerance

var (
	errUnsigned  = errors.New("the headers webhook-id, webhook-timestamp and webhook-signature are required")
	errTimestamp = errors.New("webhook-timestamp is the time of sending in seconds since 1970")
	errTooOld    = errors.New("webhook-timestamp is more than 5 minutes ago")
	errTooNew    = errors.New("webhook-timestamp is more than 5 minutes ahead")
	errSignature = errors.New("webhook-signature matches none of the secrets")
)

// Verify checks the signature of an incoming request, which may be made with any of the secrets.
func Verify(h http.Header, body []byte, secrets []string, now time.Time) error {
	stamp := h.Get(standard.HeaderWebhookTimestamp)
	if stamp == "" || h.Get(standard.HeaderWebhookID) == "" || h.Get(standard.HeaderWebhookSignature) == "" {
		return errUnsigned
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return errTimestamp
	}
	switch sent := time.Unix(seconds, 0); { // the library would use the system clock
	case sent.Before(now.Add(-tolerance)):
		return errTooOld
	case sent.After(now.Add(tolerance)):
		return errTooNew
	}
	for _, secret := range secrets {
		key, err := parseSecret(secret)
		if err != nil {
			return err
		}
		if key.VerifyIgnoringTimestamp(body, h) == nil {
			return nil
		}
	}
	return errSignature
}
