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

// A body that comes in drips is not waited for, but what came of it is there.
func TestADrippingBody(t *testing.T) {
	s := newSender(t, true)
	s.SetTimeout(short)
	out := send(t, s, message("http://"+rawBuyer(t, drip("HTTP/1.1 200 OK\r\n\r\n"))))
	if out.Failure != webhook.Timeout || out.Status != 0 || !strings.HasSuffix(out.Detail, "after the status 200") || len(out.Answer) == 0 || strings.Trim(string(out.Answer), "x") != "" || out.Took > soon {
		t.Errorf("got %+v", out)
	}
}

// The buyer takes the connection and reads nothing. Some of a large body has left all the same.
func TestABuyerWhoReadsNothing(t *testing.T) {
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

func TestAnAttemptCanBeGivenUp(t *testing.T) {
	for name, answer := range map[string]string{"before the answer": "", "within the answer": okay + "half"} {
		ctx, cancel := context.WithCancel(t.Context())
		url := "http://" + rawBuyer(t, func(conn *net.TCPConn) {
			read(conn)
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
