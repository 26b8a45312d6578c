package app

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// servePolled serves with the server and the listener of the service, and looks after its guests.
func servePolled(t *testing.T, h http.HandlerFunc) *limitListener {
	t.Helper()
	b := listen(t, 16)
	server := newServer(h, slog.New(slog.DiscardHandler))
	go server.Serve(b)
	t.Cleanup(func() { server.Close() })
	go func() {
		for t.Context().Err() == nil {
			b.poll(t.Context(), time.Now())
			time.Sleep(10 * time.Millisecond)
		}
	}()
	return b
}

const helloRequest = "POST /x HTTP/1.1\r\nHost: foyer.example.com\r\nContent-Length: 5\r\n\r\nhello"

func TestDisconnectIsDetected(t *testing.T) {
	for name, tc := range map[string]struct {
		does func(*net.TCPConn)
		left bool
	}{
		"it waits":                  {func(*net.TCPConn) {}, false},
		"it sends its next request": {func(c *net.TCPConn) { io.WriteString(c, helloRequest) }, false},
		"it closes":                 {func(c *net.TCPConn) { c.Close() }, true},
		"it will send nothing more": {func(c *net.TCPConn) { c.CloseWrite() }, true},
		"it is cut off":             {func(c *net.TCPConn) { c.SetLinger(0); c.Close() }, true},
	} {
		t.Run(name, func(t *testing.T) {
			working, left := make(chan struct{}, 8), make(chan bool, 8)
			b := servePolled(t, func(_ http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				working <- struct{}{}
				select {
				case <-r.Context().Done():
					left <- true
				case <-time.After(200 * time.Millisecond):
					left <- false
				}
			})
			client := dial(t, b).(*net.TCPConn)
			io.WriteString(client, helloRequest)
			<-working
			if <-left {
				t.Fatal("a client that waits is given up")
			}
			io.WriteString(client, helloRequest) // on the same connection
			<-working
			tc.does(client)
			if got := <-left; got != tc.left {
				t.Errorf("noticed that it left: %v, want %v", got, tc.left)
			}
		})
	}
}

// A header may end just where its bound is. That leaves one byte to read, which must not be taken for a look at the client.
func TestHeaderOfAnyLengthIsAnswered(t *testing.T) {
	b := servePolled(t, func(http.ResponseWriter, *http.Request) {})
	const bound = 16<<10 + 4096 // what net/http makes of MaxHeaderBytes
	for length := bound - 3; length <= bound+3; length++ {
		client := dial(t, b)
		client.SetDeadline(time.Now().Add(3 * time.Second))
		head := "GET / HTTP/1.1\r\nHost: foyer.example.com\r\nX-Long: "
		fmt.Fprint(client, head, strings.Repeat("x", length-len(head)-4))
		time.Sleep(10 * time.Millisecond) // what comes now is read on its own
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
	b := servePolled(t, func(http.ResponseWriter, *http.Request) {})
	client := dial(t, b)
	io.WriteString(client, helloRequest)
	if _, err := client.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	client.Close()
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		b.mu.Lock()
		here := len(b.conns)
		b.mu.Unlock()
		if here == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d are in the guestbook still", here)
		}
	}
}
