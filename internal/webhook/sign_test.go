package webhook_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"foyer/internal/webhook"
)

// received is the request that a buyer received.
type received struct {
	header http.Header
	body   string
	proto  string
}

// receive sends a message and returns the request that arrived.
func receive(t *testing.T, m webhook.Message, now time.Time) received {
	t.Helper()
	var got received
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = received{r.Header, string(body), r.Method + " " + r.URL.RequestURI() + " " + r.Proto}
	}))
	defer server.Close()
	m.URL = server.URL + "/leads?token=1"
	if out := newSender(t, true).Send(t.Context(), m, now); out.Status != http.StatusOK {
		t.Fatalf("got %+v", out)
	}
	return got
}

// The first is the test vector of all Standard Webhooks libraries. The others were made with Python's hmac.
func TestSignatures(t *testing.T) {
	for _, c := range []struct {
		name, secret, id string
		at               int64
		body, want       string
	}{
		{"of the standard", secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, `{"test": 2432232314}`, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="},
		{"of an empty body, with the longest key", webhook.NewSecret(sequence(64)), "lead_1", 0, "", "v1,rEW1rZMgMsA9u/G/9IUANWBVVCyicaYQUXOeRsESu0U="},
		{"of letters beyond ASCII", other, "lead_1", 1785000000, `{"city":"Málaga"}`, "v1,BgXyYXg3GIYSDQsmdGpSWv7LofMkPc/hDWygHwktJEQ="},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := receive(t, webhook.Message{ID: c.id, Secrets: []string{c.secret}, Body: []byte(c.body)}, time.Unix(c.at, 0))
			if signature := got.header.Get("webhook-signature"); signature != c.want {
				t.Errorf("got %s, want %s", signature, c.want)
			}
		})
	}
}

func TestRequestHeadersAndBody(t *testing.T) {
	m := message("")
	got := receive(t, m, now)
	if got.body != string(m.Body) || got.proto != "POST /leads?token=1 HTTP/1.1" {
		t.Errorf("got %s with %s", got.proto, got.body)
	}
	for name, want := range map[string]string{
		"webhook-id": "lead_1", "webhook-timestamp": "1614265330", "Content-Type": "application/json", "User-Agent": "Foyer/test",
		"Accept-Encoding": "", "Cookie": "", "Referer": "", "Idempotency-Key": "",
	} {
		if got := got.header.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// During a rotation, a buyer can verify with the old or the new secret.
func TestTwoSecretsSignDuringARotation(t *testing.T) {
	m := message("")
	m.Secrets = []string{other, secret}
	got := receive(t, m, now)
	if both := strings.Split(got.header.Get("webhook-signature"), " "); len(both) != 2 || both[0] == both[1] {
		t.Errorf("got %q, want two signatures", both)
	}
	for _, s := range m.Secrets {
		if err := webhook.Verify(got.header, []byte(got.body), []string{s}, now); err != nil {
			t.Error(err)
		}
	}
	alone := receive(t, message(""), now).header.Get("webhook-signature")
	if !strings.HasSuffix(got.header.Get("webhook-signature"), " "+alone) {
		t.Error("the newest secret does not sign first")
	}
}

func TestMessagesThatCannotBeSigned(t *testing.T) {
	for name, spoil := range map[string]func(*webhook.Message){
		"no id":                 func(m *webhook.Message) { m.ID = "" },
		"a full stop in the id": func(m *webhook.Message) { m.ID = "lead_1.2" },
		"a second header":       func(m *webhook.Message) { m.ID = "lead_1\r\nX: y" },
		"no secret":             func(m *webhook.Message) { m.Secrets = nil },
		"an empty secret":       func(m *webhook.Message) { m.Secrets = []string{secret, ""} },
	} {
		m := message("https://buyer.example.com/leads")
		spoil(&m)
		if out := send(t, newSender(t, false), m); out.Failure != webhook.BadMessage || out.Sent {
			t.Errorf("%s: got %+v", name, out)
		}
	}
}
