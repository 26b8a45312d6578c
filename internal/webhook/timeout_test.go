package webhook_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"foyer/internal/webhook"
)

// A body that arrives byte by byte times out, but the outcome has the part that arrived.
func TestSlowBodyTimesOut(t *testing.T) {
	s := newSender(t, true)
	s.SetTimeout(short)
	out := send(t, s, message("http://"+rawBuyer(t, drip("HTTP/1.1 200 OK\r\n\r\n"))))
	if out.Failure != webhook.Timeout || out.Status != 0 || !strings.HasSuffix(out.Detail, "after the status 200") || len(out.Answer) == 0 || strings.Trim(string(out.Answer), "x") != "" || out.Took > soon {
		t.Errorf("got %+v", out)
	}
}

// The buyer accepts the connection and reads nothing. Part of a large body is sent all the same.
func TestBuyerThatReadsNothing(t *testing.T) {
	s := newSender(t, true)
	s.SetTimeout(short)
	done := make(chan struct{})
	m := message("http://" + rawBuyer(t, func(*net.TCPConn) { <-done }))
	m.Body = make([]byte, 16<<20)
	out := send(t, s, m)
	close(done)
	if out.Failure != webhook.Timeout || !out.Sent || out.Took > soon {
		t.Errorf("got %s, sent %t in %s", out.Failure, out.Sent, out.Took)
	}
}

func TestAttemptCanBeCanceled(t *testing.T) {
	for name, answer := range map[string]string{"before the answer": "", "within the answer": okHeader + "half"} {
		ctx, cancel := context.WithCancel(t.Context())
		url := "http://" + rawBuyer(t, func(conn *net.TCPConn) {
			readRequest(conn)
			fmt.Fprint(conn, answer)
			time.Sleep(30 * time.Millisecond)
			cancel()
			_, _ = io.Copy(io.Discard, conn)
		})
		if out := newSender(t, true).Send(ctx, message(url), now); out.Failure != webhook.Stopped || !out.Sent || out.Detail == "" {
			t.Errorf("%s: got %+v", name, out)
		}
	}
}
