package webhook_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"foyer/internal/webhook"
)

// net/http resends some requests by itself. It must not resend ours: the buyer may have processed the first one.
func TestBodyIsNeverSentTwice(t *testing.T) {
	for name, before := range map[string]int{"over a new connection": 0, "over a kept one": 1} {
		var requests atomic.Int64
		url := "http://" + rawBuyer(t, func(conn *net.TCPConn) {
			in := bufio.NewReader(conn)
			for n := 0; ; n++ {
				req, err := http.ReadRequest(in)
				if err != nil {
					return
				}
				_, _ = io.Copy(io.Discard, req.Body)
				requests.Add(1)
				if n == before {
					return
				}
				fmt.Fprint(conn, noContent)
			}
		})
		s := newSender(t, true)
		for range before {
			send(t, s, message(url))
		}
		if out := send(t, s, message(url)); out.Failure != webhook.Reset || !out.Sent {
			t.Errorf("%s: got %+v", name, out)
		}
		if n := requests.Load(); n != int64(before)+1 {
			t.Errorf("%s: %d requests", name, n)
		}
	}
}

// Bytes after an answer are not taken for the next answer, and not logged, as net/http would do.
func TestUnsolicitedBytesAfterAnAnswer(t *testing.T) {
	var logged bytes.Buffer
	defer log.SetOutput(log.Writer())
	log.SetOutput(&logged)
	echo := `{"phone":"` + canary + `"}`
	for _, answer := range []string{
		noContent + echo,
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}" + echo,
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + echo,
		noContent + "HTTP/1.1 500 Not For You\r\nContent-Length: 0\r\n\r\n",
	} {
		url, _, connections := keepAliveBuyer(t, answer, func(int) bool { return true })
		s := newSender(t, true)
		for range 3 {
			if out := send(t, s, message(url)); out.Failure != "" || out.Status > 204 {
				t.Errorf("%q: got %+v", answer, out)
			}
			time.Sleep(10 * time.Millisecond)
		}
		if connections.Load() != 3 {
			t.Errorf("%q: %d connections, want a new one each time", answer, connections.Load())
		}
	}
	if logged.Len() > 0 {
		t.Errorf("the log says %s", &logged)
	}
}
