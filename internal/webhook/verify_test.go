package webhook_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"foyer/internal/webhook"
)

// signedRequest returns the standard's test vector as an incoming request.
func signedRequest() (http.Header, []byte) {
	h := make(http.Header)
	h.Set("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek")
	h.Set("webhook-timestamp", "1614265330")
	h.Set("webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
	return h, []byte(`{"test": 2432232314}`)
}

func TestVerify(t *testing.T) {
	const good = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	header := func(name, value string) func(http.Header) { return func(h http.Header) { h.Set(name, value) } }
	for _, c := range []struct {
		name    string
		spoil   func(http.Header)
		secrets []string
		at      time.Duration
		body    string
		wrong   string // part of the error, "" if there is none
	}{
		{name: "as it was sent"},
		{name: "with the second of two secrets", secrets: []string{other, secret}},
		{name: "with the second of two signatures", spoil: header("webhook-signature", "v1,AAAA "+good)},
		{name: "beside a signature of a kind we do not know", spoil: header("webhook-signature", "v1a,AAAA v2 "+good)},
		{name: "5 minutes late", at: 5 * time.Minute},
		{name: "5 minutes early", at: -5 * time.Minute},
		{name: "later", at: 5*time.Minute + time.Second, wrong: "ago"},
		{name: "earlier", at: -5*time.Minute - time.Second, wrong: "ahead"},
		{name: "another body", body: `{"test": 2432232315}`, wrong: "matches none"},
		{name: "another id", spoil: header("webhook-id", "msg_2"), wrong: "matches none"},
		{name: "another time", spoil: header("webhook-timestamp", "1614265331"), wrong: "matches none"},
		{name: "another secret", secrets: []string{other}, wrong: "matches none"},
		{name: "no secret", secrets: []string{}, wrong: "matches none"},
		{name: "an empty secret, with which everybody can sign", secrets: []string{""}, wrong: "24 to 64 bytes"},
		{name: "a good signature of another kind", spoil: header("webhook-signature", "v2"+good[2:]), wrong: "matches none"},
		{name: "an empty signature", spoil: header("webhook-signature", "v1,"), wrong: "matches none"},
		{name: "half a signature", spoil: header("webhook-signature", good[:20]), wrong: "matches none"},
		{name: "no id", spoil: func(h http.Header) { h.Del("webhook-id") }, wrong: "required"},
		{name: "no timestamp", spoil: func(h http.Header) { h.Del("webhook-timestamp") }, wrong: "required"},
		{name: "no signature", spoil: func(h http.Header) { h.Del("webhook-signature") }, wrong: "required"},
		{name: "a date for a timestamp", spoil: header("webhook-timestamp", "2021-02-25"), wrong: "seconds since 1970"},
		{name: "a timestamp beyond all time", spoil: header("webhook-timestamp", "9223372036854775807"), wrong: "5 minutes"},
		{name: "a timestamp before all time", spoil: header("webhook-timestamp", "-9223372036854775808"), wrong: "5 minutes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, body := signedRequest()
			if c.spoil != nil {
				c.spoil(h)
			}
			if c.body != "" {
				body = []byte(c.body)
			}
			if c.secrets == nil {
				c.secrets = []string{secret}
			}
			err := webhook.Verify(h, body, c.secrets, now.Add(c.at))
			if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("got %v, want %q", err, c.wrong)
			}
		})
	}
}
