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

// keeping is a buyer who answers each request of a connection with a text, and then asks whether to go on.
func keeping(t *testing.T, answer string, goOn func(n int) bool) (url string, requests, connections *atomic.Int64) {
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
			if !goOn(n) {
				return
			}
		}
	})
	return "http://" + addr, requests, connections
}

const noContent = "HTTP/1.1 204 No Content\r\n\r\n"

func TestConnectionsAreKept(t *testing.T) {
	for _, answer := range []string{noContent, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"} {
		url, requests, connections := keeping(t, answer, func(int) bool { return true })
		s := newSender(t, true)
		for range 20 {
			if out := send(t, s, message(url)); out.Failure != "" {
				t.Errorf("%q: got %+v", answer, out)
			}
		}
		if requests.Load() != 20 || connections.Load() != 1 {
			t.Errorf("%q: %d requests over %d connections", answer, requests.Load(), connections.Load())
		}
		s.Close()
	}
}

// A buyer may close a connection that nobody uses. That is no failure of the next message.
func TestAKeptConnectionThatWasClosed(t *testing.T) {
	url, requests, connections := keeping(t, noContent, func(int) bool { return false })
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

// Closed at the very moment of the next message, it may be that this was seen or not. Where nothing was written it goes
// over another connection; otherwise the outcome says that it may have been seen. It never arrives twice.
func TestAKeptConnectionThatIsClosedMeanwhile(t *testing.T) {
	url, requests, _ := keeping(t, noContent, func(int) bool { return false })
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

// net/http sends some requests again by itself. Ours it must not: the first may have been understood.
func TestABodyIsNeverSentTwice(t *testing.T) {
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

// What a buyer says after its answer is not the next answer, and it is in no log: net/http would put it there.
func TestAnEchoBehindTheAnswer(t *testing.T) {
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
		url, _, connections := keeping(t, answer, func(int) bool { return true })
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
