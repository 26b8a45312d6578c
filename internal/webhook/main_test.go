package webhook_test

import (
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"foyer/internal/webhook"
)

// TestMain checks that no goroutine outlives its attempt. It sets the proxy variables first, because net/http reads
// them only once.
func TestMain(m *testing.M) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
		_ = os.Setenv(name, "http://127.0.0.1:1")
	}
	for _, name := range []string{"NO_PROXY", "no_proxy"} {
		_ = os.Unsetenv(name)
	}
	goleak.VerifyTestMain(m)
}

const (
	secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	other  = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"
	canary = "305-555-0142" // the personal data in the message
)

var now = time.Unix(1614265330, 0)

const (
	short = 400 * time.Millisecond // timeout for attempts that should run into it
	soon  = 5 * time.Second        // less than the default timeout, with room for a busy machine
)

func message(url string) webhook.Message {
	return webhook.Message{ID: "lead_1", URL: url, Secrets: []string{secret}, Body: []byte(`{"phone":"` + canary + `"}`)}
}

func newSender(t *testing.T, private bool) *webhook.Sender {
	t.Helper()
	s := webhook.New("Foyer/test", private)
	t.Cleanup(s.Close)
	return s
}

// send makes one attempt, and checks what holds for every outcome.
func send(t *testing.T, s *webhook.Sender, m webhook.Message) webhook.Outcome {
	t.Helper()
	out := s.Send(t.Context(), m, now)
	if out.Took <= 0 {
		t.Errorf("it took %s", out.Took)
	}
	if (out.Failure == "") != (out.Status != 0) {
		t.Errorf("the status is %d, and the failure %q", out.Status, out.Failure)
	}
	if out.Failure != "" && out.Detail == "" || len(out.Detail) > 250 || strings.ContainsAny(out.Detail, "\r\n") {
		t.Errorf("the detail is %q", out.Detail)
	}
	if strings.Contains(out.Detail, canary) || strings.Contains(out.Detail, "token=") {
		t.Errorf("the detail tells too much: %q", out.Detail)
	}
	return out
}

// rawBuyer starts a buyer that handles raw TCP connections with serve, and returns its address.
func rawBuyer(t *testing.T, serve func(*net.TCPConn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer conn.Close()
				_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
				serve(conn.(*net.TCPConn))
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		wg.Wait()
	})
	return l.Addr().String()
}
