package webhook_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"foyer/internal/webhook"
)

// keepAliveBuyer starts a buyer that answers each request on a connection with a text, and calls keepOpen to decide whether
// to keep the connection open.
func keepAliveBuyer(t *testing.T, answer string, keepOpen func(n int) bool) (url string, requests, connections *atomic.Int64) {
	requests, connections = new(atomic.Int64), new(atomic.Int64)
	addr := rawBuyer(t, func(conn *net.TCPConn) {
		connections.Add(1)
		in := bufio.NewReader(conn)
		for n := 1; ; n++ {
			req, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			_, _ = io.Copy(io.Discard, req.Body)
			requests.Add(1)
			fmt.Fprint(conn, answer)
			if !keepOpen(n) {
				return
			}
		}
	})
	return "http://" + addr, requests, connections
}

const noContent = "HTTP/1.1 204 No Content\r\n\r\n"

var justFits = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4000\r\n" + strings.Repeat("x", 16<<10) + "\r\n0\r\n\r\n"

func TestConnectionsAreReused(t *testing.T) {
	for _, answer := range []string{noContent, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", justFits} {
		url, requests, connections := keepAliveBuyer(t, answer, func(int) bool { return true })
		s := newSender(t, true)
		for range 20 {
			if out := send(t, s, message(url)); out.Failure != "" {
				t.Errorf("%.60q: got %+v", answer, out)
			}
		}
		if requests.Load() != 20 || connections.Load() != 1 {
			t.Errorf("%.60q: %d requests over %d connections", answer, requests.Load(), connections.Load())
		}
		s.Close()
	}
}

// A buyer may close an idle connection. The next message must not fail because of that.
func TestIdleConnectionClosedByBuyer(t *testing.T) {
	url, requests, connections := keepAliveBuyer(t, noContent, func(int) bool { return false })
	s := newSender(t, true)
	for range 5 {
		if out := send(t, s, message(url)); out.Status != 204 {
			t.Errorf("got %+v", out)
		}
		time.Sleep(10 * time.Millisecond)
	}
	if requests.Load() != 5 || connections.Load() != 5 {
		t.Errorf("%d requests over %d connections", requests.Load(), connections.Load())
	}
}

// The same applies to an idle connection that can no longer be written to.
func TestIdleConnectionThatCannotBeWritten(t *testing.T) {
	done := make(chan struct{})
	defer close(done)
	url, requests, connections := keepAliveBuyer(t, noContent, func(int) bool { <-done; return false })
	var sockets []syscall.RawConn
	s := newSender(t, true)
	s.SetControl(func(_, _ string, socket syscall.RawConn) error { sockets = append(sockets, socket); return nil })
	for range 3 {
		if out := send(t, s, message(url)); out.Status != 204 || !out.Sent {
			t.Errorf("got %+v", out)
		}
		newest := sockets[len(sockets)-1]
		if err := newest.Control(func(fd uintptr) { _ = syscall.Shutdown(int(fd), syscall.SHUT_WR) }); err != nil {
			t.Fatal(err)
		}
	}
	if requests.Load() != 3 || connections.Load() != 3 {
		t.Errorf("%d requests over %d connections", requests.Load(), connections.Load())
	}
}

// If an idle connection is closed just as the next message is sent, the buyer may or may not have seen the message. If
// nothing was written, the message goes over another connection; otherwise the outcome says that it may have been seen.
// It never arrives twice.
func TestIdleConnectionClosedDuringSend(t *testing.T) {
	url, requests, _ := keepAliveBuyer(t, noContent, func(int) bool { return false })
	s := newSender(t, true)
	answered := int64(0)
	for range 300 {
		switch out := send(t, s, message(url)); {
		case out.Status == 204:
			answered++
		case out.Failure != webhook.Reset || !out.Sent:
			t.Fatalf("got %+v", out)
		}
	}
	if answered != requests.Load() {
		t.Errorf("%d answers to %d requests", answered, requests.Load())
	}
}
