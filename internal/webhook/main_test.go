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

// No goroutine outlives its attempt. The environment has a proxy from the start, because net/http reads it only once.
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
	canary = "305-555-0142" // the personal data in what is sent
)

var now = time.Unix(1614265330, 0)

const (
	short = 400 * time.Millisecond // a bound for attempts that come up against it
	soon  = 5 * time.Second        // before the bound of all others, on a machine with much to do
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

// send makes one attempt, and looks at what holds for all of them.
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

// rawBuyer is a buyer who has only a socket, and does with a connection what it likes. It returns its address.
func rawBuyer(t *testing.T, serve func(*net.TCPConn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer conn.Close()
				_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
				serve(conn.(*net.TCPConn))
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		all.Wait()
	})
	return l.Addr().String()
}
