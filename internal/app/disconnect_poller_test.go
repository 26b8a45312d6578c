package app

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"foyer/internal/store/storetest"
)

// servePolled serves with the server and the listener of the service, and polls its connections.
func servePolled(t *testing.T, h http.HandlerFunc) *limitListener {
	t.Helper()
	l := listen(t, 16)
	server := newServer(h, slog.New(slog.DiscardHandler))
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	go func() {
		for t.Context().Err() == nil {
			l.poll()
			time.Sleep(10 * time.Millisecond)
		}
	}()
	return l
}

const helloRequest = "POST /x HTTP/1.1\r\nHost: foyer.example.com\r\nContent-Length: 5\r\n\r\nhello"

func TestDisconnectIsDetected(t *testing.T) {
	for name, tc := range map[string]struct {
		does         func(*net.TCPConn)
		disconnected bool
	}{
		"it waits":                  {func(*net.TCPConn) {}, false},
		"it sends its next request": {func(c *net.TCPConn) { io.WriteString(c, helloRequest) }, false},
		"it closes":                 {func(c *net.TCPConn) { c.Close() }, true},
		"it will send nothing more": {func(c *net.TCPConn) { c.CloseWrite() }, true},
		"it is cut off":             {func(c *net.TCPConn) { c.SetLinger(0); c.Close() }, true},
	} {
		t.Run(name, func(t *testing.T) {
			handling, disconnected, finish := make(chan struct{}, 8), make(chan struct{}, 8), make(chan struct{}, 8)
			l := servePolled(t, func(_ http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				handling <- struct{}{}
				select {
				case <-r.Context().Done():
					disconnected <- struct{}{}
				case <-finish:
				}
			})
			client := dial(t, l).(*net.TCPConn)
			detected := func(within time.Duration) bool {
				select {
				case <-disconnected:
					return true
				case <-time.After(within):
					finish <- struct{}{}
					return false
				}
			}
			io.WriteString(client, helloRequest)
			<-handling
			if detected(200 * time.Millisecond) {
				t.Fatal("the request of a client that waits is canceled")
			}
			io.WriteString(client, helloRequest) // on the same connection
			<-handling
			tc.does(client)
			within := 200 * time.Millisecond
			if tc.disconnected {
				within = storetest.EventuallyTimeout // it is detected as soon as the processor is free
			}
			if got := detected(within); got != tc.disconnected {
				t.Errorf("detected a disconnect: %v, want %v", got, tc.disconnected)
			}
		})
	}
}

// TestReadsOfNetHTTP holds net/http to what the poller assumes: while a request is handled, a single read of one byte, without a
// deadline; every other read has one.
func TestReadsOfNetHTTP(t *testing.T) {
	reads := make(chan string, 100)
	server := newServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(50 * time.Millisecond)
		reads <- "handled"
	}), slog.New(slog.DiscardHandler))
	server.ConnContext, server.ConnState = nil, nil
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(readRecorder{tcp, reads})
	t.Cleanup(func() { server.Close() })
	client, err := net.Dial("tcp", tcp.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	answers := bufio.NewReader(client)
	for _, request := range []string{helloRequest, "GET /x HTTP/1.1\r\nHost: foyer.example.com\r\n\r\n"} {
		io.WriteString(client, request)
		for _, want := range []string{"read", "disconnect check", "handled"} {
			if got := <-reads; got != want {
				t.Fatalf("%.4s: net/http does a %s, want %s", request, got, want)
			}
		}
		if _, err := http.ReadResponse(answers, nil); err != nil { // a request that comes before it ends the disconnect check
			t.Fatal(err)
		}
	}
}

// readRecorder is a listener that reports every read of its connections.
type readRecorder struct {
	net.Listener
	reads chan string
}

func (l readRecorder) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return &recordedConn{Conn: conn, reads: l.reads}, err
}

type recordedConn struct {
	net.Conn
	reads      chan string
	noDeadline atomic.Bool
}

func (c *recordedConn) SetReadDeadline(at time.Time) error {
	c.noDeadline.Store(at.IsZero())
	return c.Conn.SetReadDeadline(at)
}

func (c *recordedConn) Read(b []byte) (int, error) {
	if noDeadline := c.noDeadline.Load(); noDeadline && len(b) == 1 {
		c.reads <- "disconnect check"
	} else if noDeadline {
		c.reads <- "read without a deadline"
	}
	n, err := c.Conn.Read(b)
	if n > 0 && !c.noDeadline.Load() {
		c.reads <- "read"
	}
	return n, err
}

// A header may end right at its limit. That leaves a read of one byte, which must not be taken for net/http's disconnect check.
func TestHeaderOfAnyLengthIsAnswered(t *testing.T) {
	l := servePolled(t, func(http.ResponseWriter, *http.Request) {})
	const limit = 16<<10 + 4096 // what net/http makes of MaxHeaderBytes
	for length := limit - 3; length <= limit+3; length++ {
		client := dial(t, l)
		client.SetDeadline(time.Now().Add(3 * time.Second))
		head := "GET / HTTP/1.1\r\nHost: foyer.example.com\r\nX-Long: "
		fmt.Fprint(client, head, strings.Repeat("x", length-len(head)-4))
		time.Sleep(10 * time.Millisecond) // what follows is read on its own
		io.WriteString(client, "\r\n\r\n")
		answer := make([]byte, 12)
		if _, err := io.ReadFull(client, answer); err != nil {
			t.Errorf("%d bytes of header: %q, %v", length, answer, err)
		} else if status := string(answer[9:]); status != "200" && status != "431" {
			t.Errorf("%d bytes of header: status %s", length, status)
		}
		client.Close()
	}
}

func TestClosedConnIsRemoved(t *testing.T) {
	l := servePolled(t, func(http.ResponseWriter, *http.Request) {})
	client := dial(t, l)
	io.WriteString(client, helloRequest)
	if _, err := client.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	client.Close()
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		l.mu.Lock()
		open := len(l.conns)
		l.mu.Unlock()
		if open == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d connections are still in the set", open)
		}
	}
}
